//! Turns a failed request into an error with a hint on how to fix it.

use crate::Error;
use crate::cluster::connect::answers::TooLarge;
use crate::cluster::{Connection, RefusedBy};
use crate::error::hint;

/// The description of a sent request, for errors and their hints.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// The RBAC verb, such as `patch`.
    pub verb: &'a str,
    /// The resource, such as `customresourcedefinitions`.
    pub resource: &'a str,
    /// The name of the object of the request.
    pub name: &'a str,
    /// The object's namespace, if it has one.
    pub namespace: Option<&'a str>,
}

/// Turns a failed request into an error with a hint on how to fix it.
pub fn request_error(error: &kube::Error, connection: &Connection, attempt: Attempt<'_>) -> Error {
    let Attempt { verb, resource, name, namespace } = attempt;
    let Connection { context, server, .. } = connection;
    let kube::Error::Api(status) = error else { return transport_error(error, connection) };
    if status.message.contains("HTTP request to an HTTPS server") {
        return Error::cluster(format!(
            "the server `{server}` of context `{context}` accepts only `https://` requests"
        ))
        .caused_by(&status.message)
        .hint("fix `server` in the kubeconfig");
    }
    let refusal = RefusedBy::of(&status.message);
    let may_not = || {
        let within = namespace.map(|name| hint!(" --namespace {name}", name)).unwrap_or_default();
        let check = connection.kubectl(hint!("auth can-i {verb} {resource}{within}", verb, resource, within));
        Error::cluster(format!("you may not {verb} {resource} in context `{context}`"))
            .caused_by(&status.message)
            .hint(hint!("ask an administrator for this permission, or check it with:\n{check}", check))
    };
    match (status.code, &refusal) {
        (401, RefusedBy::Other) => {
            Error::cluster(format!("`{server}` cannot authenticate you")).caused_by(&status.message).hint(hint!(
                "renew the credentials of context `{context}`, or choose another context with --context; then try:\n{}",
                connection.kubectl("auth whoami"),
                context
            ))
        }
        (403, RefusedBy::MissingRight) => may_not(),
        // A request that the server could not complete, for example because a webhook did not answer, comes as code
        // 500.
        (_, refused) if *refused != RefusedBy::Other => {
            Error::cluster(format!("{} refuses `{name}`", refused.authority()))
                .caused_by(&status.message)
                .hint(refused.hint(connection, namespace))
        }
        (403, RefusedBy::Other) if !status.message.contains("is forbidden: ") => may_not(),
        (409, _) if status.reason == "Conflict" && verb == "patch" => {
            let error = Error::conflict(format!("another field manager owns fields of `{name}`"));
            let details = status.details.iter().flat_map(|details| &details.causes);
            let error = details.fold(error.caused_by(first_line(&status.message)), |error, cause| {
                error.caused_by(format!("{}: {}", cause.field, cause.message))
            });
            error.hint(connection.target.opctl("install --force-conflicts    # takes these fields over"))
        }
        // The server reports a field that the schema of CustomResourceDefinitions does not have as an internal error
        // (500).
        (400 | 403 | 422 | 500, _)
            if status.code != 500 || status.message.contains("failed to create typed patch object") =>
        {
            let error = Error::cluster(format!("the API server refuses `{name}`"));
            let causes: Vec<_> = status.details.iter().flat_map(|details| &details.causes).collect();
            let error = if causes.is_empty() { error.caused_by(&status.message) } else { error };
            let error = causes
                .iter()
                .fold(error, |error, cause| error.caused_by(format!("{}: {}", cause.field, cause.message)));
            let is_about = |field: &str| causes.iter().any(|cause| cause.field == field);
            error.hint(if is_about("spec.strategy.rollingUpdate") {
                // The server defaulted this field, so no field manager owns it and no apply removes it.
                let within = namespace.map(|name| hint!(" --namespace {name}", name)).unwrap_or_default();
                let patch = r#"{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}"#;
                connection.kubectl(hint!(
                    "patch {resource} {name}{within} --type merge --patch {patch}    # then run the same command again",
                    resource,
                    name,
                    within,
                    patch
                ))
            } else if resource == "customresourcedefinitions" {
                hint!(
                    "fix the Rust type that the CRD is generated from, then run:\n{} && {}",
                    connection.target.opctl_without_cluster("manifests"),
                    connection.target.opctl("install")
                )
            } else {
                refusal.hint(connection, namespace)
            })
        }
        _ => Error::cluster(format!("the API server could not {verb} `{name}`"))
            .caused_by(format!("{} ({})", status.message, status.code))
            .hint(connection.kubectl("get --raw /readyz?verbose")),
    }
}

fn transport_error(error: &kube::Error, connection: &Connection) -> Error {
    let Connection { context, server, .. } = connection;
    if let kube::Error::Service(cause) = error
        && let Some(cause) = cause.downcast_ref::<TooLarge>()
    {
        return Error::cluster(format!(
            "`{server}` of context `{context}` does not respond like a Kubernetes API server"
        ))
        .caused_by(cause)
        .hint(connection.kubectl("get --raw /version"));
    }
    let unreachable = Error::cluster(format!("cannot reach `{server}` of context `{context}`")).source(error);
    if unreachable.causes().iter().any(|cause| cause.contains("invalid peer certificate")) {
        return Error::cluster(format!("context `{context}` does not trust the certificate of `{server}`"))
            .source(error)
            .hint(hint!(
                "renew `certificate-authority-data` in the kubeconfig, or choose another context with --context; then \
                 try:\n{}",
                connection.kubectl("get --raw /version")
            ));
    }
    unreachable.hint(hint!(
        "start the cluster, choose another context with --context, or start a local API server:\n{}",
        connection.target.local_plane()
    ))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
