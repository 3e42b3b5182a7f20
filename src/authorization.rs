//! Grants rights, and waits until they are in effect.
//!
//! The API server's RBAC authorizer reads roles and bindings from caches that lag behind writes
//! (plugin/pkg/auth/authorizer/rbac in the sources of Kubernetes). So it may refuse a request that is sent immediately
//! after the rights were granted.

use futures_util::{TryStreamExt, stream};
use k8s_openapi::api::authorization::v1::{
    NonResourceAttributes, ResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec,
};
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::api::{ApiResource, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use kube::{Api, Client};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// The time limit of the wait until granted rights are in effect: rights that another authorizer denies never take
/// effect.
const LIMIT: Duration = Duration::from_secs(10);

/// The maximum number of concurrent `SubjectAccessReview` requests.
const AT_ONCE: usize = 16;

/// The subject of a role binding: a service account if `namespace` is set, otherwise a user.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a str,
    pub(crate) namespace: Option<&'a str>,
}

impl Subject<'_> {
    /// Returns the subject's user name in the API server (Kubernetes documentation, "Service Accounts").
    pub(crate) fn user_name(self) -> String {
        match self.namespace {
            Some(namespace) => format!("system:serviceaccount:{namespace}:{}", self.name),
            None => self.name.to_owned(),
        }
    }
}

/// Applies `objects` in order by server-side apply with `parameters`, and waits until the RBAC rights that they grant
/// are in effect for `subject`.
///
/// # Errors
/// Fails if the server refuses an object. The error contains the object and the server's error.
pub(crate) async fn grant<'a>(
    client: &Client,
    objects: &'a [Value],
    parameters: &PatchParams,
    subject: Subject<'_>,
) -> Result<(), (&'a Value, kube::Error)> {
    for object in objects {
        let text = |value: &'a Value| value.as_str().unwrap_or_default();
        let (version, metadata) = (text(&object["apiVersion"]), &object["metadata"]);
        let (group, version) = version.rsplit_once('/').unwrap_or(("", version));
        let kind = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, text(&object["kind"])));
        let api: Api<DynamicObject> = match metadata["namespace"].as_str() {
            Some(namespace) => Api::namespaced_with(client.clone(), namespace, &kind),
            None => Api::all_with(client.clone(), &kind),
        };
        let applied = api.patch(text(&metadata["name"]), parameters, &Patch::Apply(object)).await;
        applied.map_err(|error| (object, error))?;
    }
    in_effect(client, objects, subject).await;
    Ok(())
}

/// Waits until the API server allows `subject` everything that the roles and role bindings among `objects` grant.
///
/// If a `SubjectAccessReview` fails, or if the time limit is over, the wait ends without an error: the roles and
/// bindings are already applied, and a later request that is refused gives a better error.
async fn in_effect(client: &Client, objects: &[Value], subject: Subject<'_>) {
    // A request that is refused later says more than an error here could.
    let _ = timeout(LIMIT, all_allowed(client, reviews(objects, subject))).await;
}

async fn all_allowed(client: &Client, reviews: Vec<SubjectAccessReview>) -> kube::Result<()> {
    let api: &Api<SubjectAccessReview> = &Api::all(client.clone());
    let allowed = async |review| {
        while !api.create(&PostParams::default(), &review).await?.status.is_some_and(|status| status.allowed) {
            sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    };
    stream::iter(reviews.into_iter().map(Ok)).try_for_each_concurrent(AT_ONCE, allowed).await
}

/// Returns a `SubjectAccessReview` for each right of each role that `objects` bind to `subject`. A single review
/// for each role would not suffice, because the API server may have an old role with fewer rights in its cache.
fn reviews(objects: &[Value], subject: Subject) -> Vec<SubjectAccessReview> {
    let mut reviews = Vec::new();
    for binding in objects.iter().filter(|binding| binds(binding, subject)) {
        let namespace = binding["metadata"]["namespace"].as_str();
        let reference = &binding["roleRef"];
        let role = objects.iter().find(|role| {
            let place = (reference["kind"] == "Role").then_some(namespace).flatten();
            role["kind"] == reference["kind"]
                && role["metadata"]["name"] == reference["name"]
                && role["metadata"]["namespace"].as_str() == place
        });
        let rules = role.and_then(|role| role["rules"].as_array()).into_iter().flatten();
        let rules = rules.filter_map(|rule| serde_json::from_value(rule.clone()).ok());
        reviews.extend(rules.flat_map(|rule| of_rule(&rule, namespace, subject)));
    }
    reviews
}

fn binds(binding: &Value, subject: Subject) -> bool {
    let kind = if subject.namespace.is_some() { "ServiceAccount" } else { "User" };
    let subjects = binding["subjects"].as_array().into_iter().flatten();
    let mut bound = subjects.filter(|bound| {
        bound["kind"] == kind && bound["name"] == subject.name && bound["namespace"].as_str() == subject.namespace
    });
    bound.next().is_some()
}

fn of_rule(rule: &PolicyRule, namespace: Option<&str>, subject: Subject) -> Vec<SubjectAccessReview> {
    let each = |list: &Option<Vec<String>>| list.clone().unwrap_or_default();
    let all_names = || vec![None];
    let names: Vec<Option<String>> =
        rule.resource_names.as_ref().map_or_else(all_names, |names| names.iter().cloned().map(Some).collect());
    let mut specs = Vec::new();
    for verb in &rule.verbs {
        for path in each(&rule.non_resource_urls) {
            let attributes = NonResourceAttributes { path: Some(path), verb: Some(verb.clone()) };
            specs.push(SubjectAccessReviewSpec { non_resource_attributes: Some(attributes), ..Default::default() });
        }
        for group in each(&rule.api_groups) {
            for resource in each(&rule.resources) {
                let (resource, part) =
                    resource.split_once('/').map_or((resource.as_str(), None), |(name, part)| (name, Some(part)));
                specs.extend(names.iter().map(|name| SubjectAccessReviewSpec {
                    resource_attributes: Some(ResourceAttributes {
                        group: Some(group.clone()),
                        resource: Some(resource.to_owned()),
                        subresource: part.map(str::to_owned),
                        name: name.clone(),
                        namespace: namespace.map(str::to_owned),
                        verb: Some(verb.clone()),
                        ..ResourceAttributes::default()
                    }),
                    ..SubjectAccessReviewSpec::default()
                }));
            }
        }
    }
    let by_user = |spec| SubjectAccessReviewSpec { user: Some(subject.user_name()), ..spec };
    specs.into_iter().map(|spec| SubjectAccessReview { spec: by_user(spec), ..Default::default() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{Request, Response};
    use http_body_util::BodyExt;
    use kube::client::Body;
    use serde_json::json;
    use std::collections::BTreeMap;
    use std::convert::Infallible;
    use std::sync::{Arc, Mutex};

    const ACCOUNT: Subject = Subject { name: "manager", namespace: Some("web-system") };

    fn granted() -> Vec<Value> {
        let rule = |group, resource, verb| json!({"apiGroups": [group], "resources": [resource], "verbs": [verb]});
        let account = json!([{"kind": "ServiceAccount", "name": "manager", "namespace": "web-system"}]);
        vec![
            json!({"kind": "ClusterRole", "metadata": {"name": "all"}, "rules": [
                rule("example.com", "webs/status", "patch"),
                {"nonResourceURLs": ["/metrics"], "verbs": ["get"]},
            ]}),
            json!({"kind": "Role", "metadata": {"name": "leader", "namespace": "web-system"}, "rules": [
                {"apiGroups": [""], "resources": ["configmaps"], "resourceNames": ["lock"], "verbs": ["get", "update"]},
            ]}),
            json!({"kind": "Role", "metadata": {"name": "leader", "namespace": "elsewhere"}, "rules": [
                rule("", "secrets", "get"),
            ]}),
            json!({"kind": "ClusterRole", "metadata": {"name": "viewer"}, "rules": [rule("", "pods", "list")]}),
            json!({"kind": "ClusterRoleBinding", "metadata": {"name": "all"}, "subjects": account,
                "roleRef": {"kind": "ClusterRole", "name": "all"}}),
            json!({"kind": "RoleBinding", "metadata": {"name": "leader", "namespace": "web-system"}, "subjects": account,
                "roleRef": {"kind": "Role", "name": "leader"}}),
            json!({"kind": "ClusterRoleBinding", "metadata": {"name": "viewer"},
                "subjects": [{"kind": "User", "name": "manager"}], "roleRef": {"kind": "ClusterRole", "name": "viewer"}}),
        ]
    }

    #[test]
    fn each_right_of_a_bound_role_is_one_access_review() {
        let asked = |subject| -> Vec<Value> {
            let specs = reviews(&granted(), subject).into_iter().map(|review| review.spec);
            specs.map(|spec| serde_json::to_value(spec).unwrap()).collect()
        };
        let user = "system:serviceaccount:web-system:manager";
        let expected = json!([
            {"user": user, "resourceAttributes":
                {"group": "example.com", "resource": "webs", "subresource": "status", "verb": "patch"}},
            {"user": user, "nonResourceAttributes": {"path": "/metrics", "verb": "get"}},
            {"user": user, "resourceAttributes":
                {"group": "", "resource": "configmaps", "name": "lock", "namespace": "web-system", "verb": "get"}},
            {"user": user, "resourceAttributes":
                {"group": "", "resource": "configmaps", "name": "lock", "namespace": "web-system", "verb": "update"}},
        ]);
        assert_eq!(Value::from(asked(ACCOUNT)), expected);
        let of_user = json!([
            {"user": "manager", "resourceAttributes": {"group": "", "resource": "pods", "verb": "list"}},
        ]);
        assert_eq!(Value::from(asked(Subject { name: "manager", namespace: None })), of_user);
        assert!(asked(Subject { name: "another", namespace: Some("web-system") }).is_empty());
    }

    /// Returns how often `in_effect` sends each `SubjectAccessReview` to a fake server, which responds with the status
    /// `code`, and which denies each review `denied` times before the server allows the review.
    async fn asked(code: u16, denied: usize) -> Vec<usize> {
        let asked: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
        let heard = asked.clone();
        let server = tower::service_fn(move |request: Request<Body>| {
            let heard = heard.clone();
            async move {
                let body = request.into_body().collect().await.unwrap().to_bytes();
                let mut review: Value = serde_json::from_slice(&body).unwrap();
                let mut heard = heard.lock().unwrap();
                let times = heard.entry(review["spec"].to_string()).or_default();
                *times += 1;
                review["status"] = json!({"allowed": *times > denied});
                let response = Response::builder().status(code).body(Body::from(review.to_string().into_bytes()));
                Ok::<_, Infallible>(response.unwrap())
            }
        });
        in_effect(&Client::new(server, "default"), &granted(), ACCOUNT).await;
        asked.lock().unwrap().values().copied().collect()
    }

    #[tokio::test]
    async fn access_reviews_are_repeated_until_allowed_but_not_after_an_error() {
        assert_eq!(asked(201, 0).await, [1; 4]);
        assert_eq!(asked(201, 2).await, [3; 4]);
        let refused = asked(403, 0).await;
        assert!(refused.len() <= 4 && refused.iter().all(|times| *times == 1), "{refused:?}");
    }
}
