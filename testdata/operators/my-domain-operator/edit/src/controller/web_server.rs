//! Reconciles `WebServer` objects: each gets a Deployment, and a Service at a port of every node.
// ANCHOR: imports
use api::v1::{WebServer, WebServerStatus};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kube::ResourceExt;
use runtime::{Action, Context, Controller, conditions};
use serde_json::{from_value, json};
use std::sync::Arc;
// ANCHOR_END: imports

// ANCHOR: controller
/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "webserver";

/// Of every node. Only one Service in a cluster can have it.
const NODE_PORT: i32 = 30010;

pub fn controller() -> Controller<WebServer> {
    Controller::namespaced(NAME, reconcile)
        .owns::<Deployment>()
        .owns::<Service>()
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=my.domain,resources=webservers,verbs=list;watch
// +opctl:rbac:groups=my.domain,resources=webservers/status,verbs=patch
// +opctl:rbac:groups=my.domain,resources=webservers/finalizers,verbs=update
// +opctl:rbac:groups=apps,resources=deployments,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=services,verbs=create;list;patch;watch
// ANCHOR_END: controller

// ANCHOR: reconcile
pub async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let deployment = ctx.apply(&*obj, deployment(&obj)?).await?;
    let service = ctx.apply(&*obj, service(&obj)?).await;
    // Also when the port is taken: the user is to read it, and the error makes for another attempt.
    let refusal = service.as_ref().err().map(|error| format!("{error:#}"));
    ctx.apply_status(&*obj, status(&obj, &deployment, refusal.as_deref()))
        .await?;
    service?;
    Ok(Action::done())
}
// ANCHOR_END: reconcile

// ANCHOR: children
fn deployment(obj: &WebServer) -> serde_json::Result<Deployment> {
    let labels = json!({ "app": obj.name_any() });
    let port = json!({ "name": "http", "containerPort": 80 });
    let container = json!({ "name": "web", "image": obj.spec.image, "ports": [port] });
    from_value(json!({
        "metadata": { "name": obj.name_any() },
        "spec": {
            "replicas": obj.spec.replicas,
            "selector": { "matchLabels": labels },
            "template": { "metadata": { "labels": labels }, "spec": { "containers": [container] } },
        },
    }))
}

fn service(obj: &WebServer) -> serde_json::Result<Service> {
    from_value(json!({
        "metadata": { "name": format!("{}-service", obj.name_any()) },
        "spec": {
            "type": "NodePort",
            "selector": { "app": obj.name_any() },
            "ports": [{ "name": "http", "port": 80, "targetPort": "http", "nodePort": NODE_PORT }],
        },
    }))
}
// ANCHOR_END: children

// ANCHOR: status
fn status(obj: &WebServer, deployment: &Deployment, refusal: Option<&str>) -> WebServerStatus {
    let (generation, desired) = (obj.metadata.generation, obj.spec.replicas);
    let observed = deployment.status.clone().unwrap_or_default();
    // A status that is older than the spec says nothing about it.
    let current = observed.observed_generation >= deployment.metadata.generation;
    let counts = [
        observed.replicas,
        observed.ready_replicas,
        observed.updated_replicas,
    ];
    let complete = current && counts.iter().all(|count| count.unwrap_or(0) == desired);
    let count = format!(
        "{} of {desired} replicas are ready",
        observed.ready_replicas.unwrap_or(0)
    );
    let ready = match refusal {
        Some(refusal) => conditions::new("Ready", false, "ServiceRefused", refusal),
        None if complete => conditions::new("Ready", true, "ReplicasReady", &count),
        None => conditions::new("Ready", false, "ReplicasMissing", &count),
    };
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    conditions::set(&mut conditions, generation, ready);
    WebServerStatus {
        observed_generation: generation,
        conditions,
    }
}
// ANCHOR_END: status

// ANCHOR: tests
#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> WebServer {
        from_value(json!({
            "metadata": { "name": "sample", "generation": 2 },
            "spec": { "replicas": 3, "image": "nginx:1.23.1" },
        }))
        .unwrap()
    }

    fn reason(obj: &WebServer, ready: i32, refusal: Option<&str>) -> String {
        let counts = json!({ "replicas": 3, "readyReplicas": ready, "updatedReplicas": 3 });
        let deployment = from_value(json!({ "spec": {}, "status": counts })).unwrap();
        status(obj, &deployment, refusal).conditions[0]
            .reason
            .clone()
    }

    #[test]
    fn children_are_what_the_spec_asks_for() {
        let (deployment, service) = (deployment(&sample()).unwrap(), service(&sample()).unwrap());
        assert_eq!(deployment.spec.replicas, Some(3));
        let pod = deployment.spec.template;
        assert_eq!(
            pod.metadata.unwrap().labels,
            deployment.spec.selector.match_labels
        );
        let spec = service.spec.unwrap();
        assert_eq!(spec.selector, deployment.spec.selector.match_labels);
        assert_eq!(spec.ports.unwrap()[0].node_port, Some(NODE_PORT));
    }

    #[test]
    fn status_says_what_is_missing() {
        let obj = sample();
        assert_eq!(reason(&obj, 3, None), "ReplicasReady");
        assert_eq!(reason(&obj, 2, None), "ReplicasMissing");
        assert_eq!(reason(&obj, 3, Some("taken")), "ServiceRefused");
    }

    #[test]
    fn status_settles() {
        let mut obj = sample();
        let first = status(&obj, &Deployment::default(), Some("taken"));
        obj.status = Some(first.clone());
        assert_eq!(status(&obj, &Deployment::default(), Some("taken")), first);
    }
}
// ANCHOR_END: tests
