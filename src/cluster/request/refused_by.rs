//! Finds the authority that refused a well-formed request, such as a quota or an admission policy. A quota, a missing
//! right and an admission policy all answer 403, so they are distinguished by the wording of the error message. The
//! wording comes from the source code of the API server (`staging/src/k8s.io/apiserver` and `plugin/pkg/admission`).

use crate::cluster::Connection;
use crate::error::{Hint, hint};

/// The authority that refuses a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusedBy {
    /// A `ResourceQuota` that is used up.
    Quota,
    /// A `ResourceQuota` for a resource whose amount the pod does not specify.
    UnsetLimit,
    /// A `LimitRange` of the namespace.
    LimitRange,
    /// The pod security level of the namespace.
    PodSecurity,
    /// The `ValidatingAdmissionPolicy` of this name.
    Policy(String),
    /// The admission webhook of this name, which denied the request.
    Webhook(String),
    /// The admission webhook of this name, which could not be called.
    SilentWebhook(String),
    /// The conversion webhook for this version and kind, such as `example.com/v1, Kind=Web`, which could not be called.
    SilentConversion(String),
    /// RBAC, which lets users grant only rights that they have themselves.
    Escalation,
    /// The authorizer, which refuses a caller without the needed right.
    MissingRight,
    /// The namespace is being deleted.
    Terminating,
    /// Another authority, which opctl does not know.
    Other,
}

impl RefusedBy {
    /// Returns true if the authorizer refused the request.
    pub fn is_missing_right(error: &kube::Error) -> bool {
        matches!(error, kube::Error::Api(status) if status.code == 403 && Self::of(&status.message) == RefusedBy::MissingRight)
    }

    /// Determines from the API server's message which authority refused a request.
    pub fn of(message: &str) -> Self {
        let named = |before: &str, quote: char| {
            let rest = message.split_once(before)?.1;
            rest.split_once(quote).map(|(name, _)| name.to_owned())
        };
        if let Some(name) = named("ValidatingAdmissionPolicy '", '\'') {
            return RefusedBy::Policy(name);
        }
        if let Some(name) = named("failed calling webhook \"", '"') {
            return RefusedBy::SilentWebhook(name);
        }
        if let Some((_, rest)) = message.split_once("conversion webhook for ")
            && let Some((kind, _)) = rest.split_once(" failed: Post \"")
        {
            return RefusedBy::SilentConversion(kind.to_owned());
        }
        if let Some(name) = named("admission webhook \"", '"') {
            return RefusedBy::Webhook(name);
        }
        let says = |words: &[&str]| words.iter().any(|words| message.contains(words));
        // The message of one admission plugin may quote the words of another, so the most specific patterns come first.
        match () {
            () if says(&["violates PodSecurity \""]) => RefusedBy::PodSecurity,
            () if says(&["failed quota: "]) && says(&["must specify "]) => RefusedBy::UnsetLimit,
            () if says(&["exceeded quota: ", "failed quota: ", "status unknown for quota: "]) => RefusedBy::Quota,
            () if says(&["because it is being terminated"]) => RefusedBy::Terminating,
            () if says(&["attempting to grant RBAC permissions not currently held"]) => RefusedBy::Escalation,
            () if says(&[" per Container is ", " per Pod is ", " per PersistentVolumeClaim is "]) => {
                RefusedBy::LimitRange
            }
            () if says(&["is forbidden: User \""]) && says(&["\" cannot "]) => RefusedBy::MissingRight,
            () => RefusedBy::Other,
        }
    }

    /// Returns true for a webhook that could not be called.
    pub fn is_silent(&self) -> bool {
        matches!(self, RefusedBy::SilentWebhook(_) | RefusedBy::SilentConversion(_))
    }

    /// Returns the name of the authority, as the subject of a sentence.
    pub fn authority(&self) -> String {
        match self {
            RefusedBy::Quota | RefusedBy::UnsetLimit => "a quota of the namespace".to_owned(),
            RefusedBy::LimitRange => "a limit range of the namespace".to_owned(),
            RefusedBy::PodSecurity => "the pod security level of the namespace".to_owned(),
            RefusedBy::Policy(name) => format!("the admission policy `{name}`"),
            RefusedBy::Webhook(name) => format!("the admission webhook `{name}`"),
            RefusedBy::SilentWebhook(name) => format!("the admission webhook `{name}`, which does not answer,"),
            RefusedBy::SilentConversion(kind) => {
                format!("the conversion webhook of `{kind}`, which does not answer,")
            }
            RefusedBy::Escalation => "RBAC, which lets users grant only permissions that they have,".to_owned(),
            RefusedBy::MissingRight => "RBAC".to_owned(),
            RefusedBy::Terminating => "the namespace, which is being deleted,".to_owned(),
            RefusedBy::Other => "the API server".to_owned(),
        }
    }

    /// Returns a hint for the user's next step; `namespace` is the namespace of the refused object.
    pub fn hint(&self, connection: &Connection, namespace: Option<&str>) -> Hint {
        let kubectl = |arguments: Hint| connection.kubectl(arguments);
        let within = namespace.map(|name| hint!(" --namespace {name}", name)).unwrap_or_default();
        let namespace = namespace.unwrap_or_default();
        match self {
            RefusedBy::Quota => kubectl(hint!("describe resourcequota{within}    # raise the quota, or delete objects \
                 that are no longer needed; then run the same command again", within)),
            RefusedBy::UnsetLimit => {
                "set the missing values under `resources` in `config/manager/manager.yaml`, then run the same command \
                 again".into()
            }
            RefusedBy::LimitRange => kubectl(hint!("describe limitrange{within}    # then set `resources` in `config/manager/manager.yaml` accordingly", within)),
            RefusedBy::PodSecurity => hint!(
                "set `securityContext` in `config/manager/manager.yaml` as the Pod Security level of the namespace \
                 requires; to see the level:\n{}",
                kubectl(hint!("get namespace {namespace} --show-labels", namespace))
            ),
            RefusedBy::Policy(name) => {
                kubectl(hint!("describe validatingadmissionpolicy {name}    # then change the rejected object under `config/`", name))
            }
            RefusedBy::Webhook(_) | RefusedBy::SilentWebhook(_) => kubectl(
                "get validatingwebhookconfigurations,mutatingwebhookconfigurations    # the owner of the webhook can help".into(),
            ),
            RefusedBy::SilentConversion(_) => connection.target.opctl("status    # the operator must run to convert the objects"),
            RefusedBy::Escalation => {
                "let a cluster administrator run the same command: the roles below `config/rbac` hold rights that you do not have".into()
            }
            RefusedBy::MissingRight => kubectl(hint!("auth can-i --list{within}    # ask an administrator for the missing permissions", within)),
            RefusedBy::Terminating => {
                kubectl(hint!("wait --for=delete namespace/{namespace}    # then run the same command again", namespace))
            }
            RefusedBy::Other => "fix the object under `config/`, then run the same command again".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_apart_by_the_servers_words() {
        let policy = RefusedBy::Policy("no-latest".to_owned());
        let (webhook, silent) =
            (RefusedBy::Webhook("v.example.com".to_owned()), RefusedBy::SilentWebhook("v.example.com".to_owned()));
        for (message, expected) in [
            (
                "pods \"a-1\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1",
                RefusedBy::Quota,
            ),
            ("pods \"a-1\" is forbidden: failed quota: q: must specify limits.cpu for: manager", RefusedBy::UnsetLimit),
            (
                "deployments.apps \"a\" is forbidden: User \"jane\" cannot patch resource \"deployments\" in API group \"apps\" in the namespace \"n\"",
                RefusedBy::MissingRight,
            ),
            (
                "clusterroles.rbac.authorization.k8s.io \"a\" is forbidden: user \"jane\" (groups=[\"system:authenticated\"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[\"\"]}",
                RefusedBy::Escalation,
            ),
            (
                "pods \"a-1\" is forbidden: violates PodSecurity \"restricted:latest\": allowPrivilegeEscalation != false",
                RefusedBy::PodSecurity,
            ),
            (
                "deployments.apps \"a\" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'b' denied request: exceeded quota: no",
                policy,
            ),
            ("admission webhook \"v.example.com\" denied the request: User \"x\" cannot", webhook),
            ("Internal error occurred: failed calling webhook \"v.example.com\": failed to call webhook: Post", silent),
            (
                "conversion webhook for shop.example.com/v1, Kind=WebServer failed: Post \"https://a.b.svc:443/convert?timeout=30s\": dial tcp 10.96.0.9:443: connect: connection refused",
                RefusedBy::SilentConversion("shop.example.com/v1, Kind=WebServer".to_owned()),
            ),
            (
                "conversion webhook for shop.example.com/v1, Kind=WebServer failed: no size of this name",
                RefusedBy::Other,
            ),
            ("pods \"a\" is forbidden: maximum cpu usage per Container is 1, but limit is 2", RefusedBy::LimitRange),
            (
                "configmaps \"a\" is forbidden: unable to create new content in namespace n because it is being terminated",
                RefusedBy::Terminating,
            ),
            (
                "pods \"a\" is forbidden: error looking up service account n/a: serviceaccount \"a\" not found",
                RefusedBy::Other,
            ),
        ] {
            assert_eq!(RefusedBy::of(message), expected, "{message}");
        }
    }
}
