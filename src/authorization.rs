//! Waits until rights that were just granted are in effect.
//!
//! The API server's RBAC authorizer reads roles and bindings from caches that lag behind writes
//! (plugin/pkg/auth/authorizer/rbac in the sources of Kubernetes), so that it may still refuse a request that follows
//! a grant at once.

use k8s_openapi::api::authorization::v1::{
    NonResourceAttributes, ResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec,
};
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::api::PostParams;
use kube::{Api, Client};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// The longest time to wait. A rule may never take effect: another authorizer may deny what it allows.
const LIMIT: Duration = Duration::from_secs(10);

/// Who has the rights: the user, or the service account if there is a namespace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a str,
    pub(crate) namespace: Option<&'a str>,
}

/// Waits until the server allows `subject` what the roles among `objects` grant by the bindings among them.
///
/// Returns without an error if the server answers no `SubjectAccessReview`: the rights have been granted all the same.
pub(crate) async fn in_effect(client: &Client, objects: &[Value], subject: Subject<'_>) {
    // A request that is refused later says more than an error here could.
    let _ = timeout(LIMIT, all_allowed(client, reviews(objects, subject))).await;
}

async fn all_allowed(client: &Client, reviews: Vec<SubjectAccessReview>) -> kube::Result<()> {
    let api = Api::all(client.clone());
    for review in reviews {
        while !api.create(&PostParams::default(), &review).await?.status.is_some_and(|status| status.allowed) {
            sleep(Duration::from_millis(20)).await;
        }
    }
    Ok(())
}

/// Returns a question for each rule, because the cache may hold an earlier state of a role.
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
        reviews.extend(rules.filter_map(|rule| review(&rule, namespace, subject)));
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

/// Returns a question about the first thing that a rule allows. `*` asks for all at once.
fn review(rule: &PolicyRule, namespace: Option<&str>, subject: Subject) -> Option<SubjectAccessReview> {
    let first = |list: &Option<Vec<String>>| list.as_ref().and_then(|list| list.first().cloned());
    let verb = rule.verbs.first().cloned();
    let path = first(&rule.non_resource_urls);
    let resource = first(&rule.resources);
    if path.is_none() && resource.is_none() {
        return None;
    }
    let (resource, subresource) = match resource.as_deref().and_then(|resource| resource.split_once('/')) {
        Some((resource, subresource)) => (Some(resource.to_owned()), Some(subresource.to_owned())),
        None => (resource, None),
    };
    let resource_attributes = path.is_none().then(|| ResourceAttributes {
        group: first(&rule.api_groups),
        resource,
        subresource,
        name: first(&rule.resource_names),
        namespace: namespace.map(str::to_owned),
        verb: verb.clone(),
        ..ResourceAttributes::default()
    });
    let user = match subject.namespace {
        Some(namespace) => format!("system:serviceaccount:{namespace}:{}", subject.name),
        None => subject.name.to_owned(),
    };
    let spec = SubjectAccessReviewSpec {
        user: Some(user),
        resource_attributes,
        non_resource_attributes: path.map(|path| NonResourceAttributes { path: Some(path), verb }),
        ..SubjectAccessReviewSpec::default()
    };
    Some(SubjectAccessReview { spec, ..SubjectAccessReview::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{Request, Response};
    use http_body_util::BodyExt;
    use kube::client::Body;
    use serde_json::json;
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
    fn each_rule_of_a_bound_role_is_a_question() {
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
        ]);
        assert_eq!(Value::from(asked(ACCOUNT)), expected);
        let of_user = json!([
            {"user": "manager", "resourceAttributes": {"group": "", "resource": "pods", "verb": "list"}},
        ]);
        assert_eq!(Value::from(asked(Subject { name: "manager", namespace: None })), of_user);
        assert!(asked(Subject { name: "another", namespace: Some("web-system") }).is_empty());
    }

    /// Returns what a server is asked for that answers each question with the next of `answers`, and with the last one
    /// from then on.
    async fn asked(answers: &'static [(u16, bool)]) -> Vec<Value> {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = asked.clone();
        let server = tower::service_fn(move |request: Request<Body>| {
            let heard = heard.clone();
            async move {
                let body = request.into_body().collect().await.unwrap().to_bytes();
                let mut review: Value = serde_json::from_slice(&body).unwrap();
                let mut heard = heard.lock().unwrap();
                let (code, allowed) = answers[heard.len().min(answers.len() - 1)];
                heard.push(review["spec"].clone());
                review["status"] = json!({"allowed": allowed});
                let response = Response::builder().status(code).body(Body::from(review.to_string().into_bytes()));
                Ok::<_, Infallible>(response.unwrap())
            }
        });
        in_effect(&Client::new(server, "default"), &granted(), ACCOUNT).await;
        asked.lock().unwrap().clone()
    }

    #[tokio::test]
    async fn a_rule_that_the_authorizer_has_not_seen_is_asked_for_again() {
        const DENIED: (u16, bool) = (201, false);
        const ALLOWED: (u16, bool) = (201, true);
        const REFUSED: (u16, bool) = (403, false);
        let asked_late = asked(&[DENIED, DENIED, ALLOWED]).await;
        assert_eq!(asked_late.len(), 5);
        assert!(asked_late[0] == asked_late[2] && asked_late[2] != asked_late[3]);
        assert_eq!(asked(&[ALLOWED]).await.len(), 3);
        assert_eq!(asked(&[REFUSED]).await.len(), 1);
    }
}
