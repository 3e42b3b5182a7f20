//! Reconciles `WebServer` objects: each gets a Deployment and a Service.
use crate::runtime::controller::Controller;
use crate::runtime::manager::Manager;
use crate::runtime::{Context, conditions};
use api::v1alpha1::{WebServer, WebServerStatus};
use k8s_openapi::api::apps::v1::{Deployment, DeploymentCondition, DeploymentSpec};
use k8s_openapi::api::core::v1::{
    Capabilities, Container, ContainerPort, PodSecurityContext, PodSpec, PodTemplateSpec,
    SeccompProfile, SecurityContext, Service, ServicePort, ServiceSpec,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use kube::runtime::controller::Action;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "webserver";

type Labels = BTreeMap<String, String>;

/// Says what to watch: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn setup(manager: &mut Manager) {
    let controller = Controller::namespaced(NAME, reconcile);
    manager.add(controller.owns::<Deployment>().owns::<Service>());
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.com,resources=webservers,verbs=list;watch
// +opctl:rbac:groups=example.com,resources=webservers/status,verbs=patch
// +opctl:rbac:groups=apps,resources=deployments,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=services,verbs=create;list;patch;watch

/// Brings the world closer to what `obj` asks for.
///
/// Runs after every change and every failure, always from the top: whatever it does must be safe
/// to do again.
pub async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let deployment = ctx.apply(&*obj, deployment(&obj)).await?;
    ctx.apply(&*obj, service(&obj)).await?;

    let status = status(&obj, &deployment);
    let before = obj.status.clone().unwrap_or_default().conditions;
    let ready = conditions::turns_true(&before, &status.conditions, "Ready");
    let degraded = conditions::turns_true(&before, &status.conditions, "Degraded");
    ctx.apply_status(&*obj, status).await?;
    if ready {
        ctx.note(&*obj, "Ready", "All replicas are ready").await;
    }
    if degraded {
        ctx.warn(&*obj, "Degraded", "The Deployment has failed")
            .await;
    }
    Ok(Action::await_change())
}

/// Which pods the Deployment and the Service mean. A Deployment can never change it.
fn labels(obj: &WebServer) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

fn metadata(obj: &WebServer) -> ObjectMeta {
    let (name, labels) = (Some(obj.name_any()), Some(labels(obj)));
    ObjectMeta {
        name,
        labels,
        ..Default::default()
    }
}

fn container(obj: &WebServer) -> Container {
    // With the pod's, this is what the restricted pod security standard asks for.
    let security = SecurityContext {
        allow_privilege_escalation: Some(false),
        capabilities: Some(Capabilities {
            drop: Some(vec!["ALL".into()]),
            ..Default::default()
        }),
        ..Default::default()
    };
    Container {
        name: "main".into(),
        image: Some(obj.spec.image.clone()),
        ports: Some(vec![ContainerPort {
            name: Some("main".into()),
            container_port: obj.spec.port,
            ..Default::default()
        }]),
        resources: obj.spec.resources.clone(),
        security_context: Some(security),
        ..Default::default()
    }
}

fn pod_spec(container: Container) -> PodSpec {
    let security = PodSecurityContext {
        run_as_non_root: Some(true),
        seccomp_profile: Some(SeccompProfile {
            type_: "RuntimeDefault".into(),
            ..Default::default()
        }),
        ..Default::default()
    };
    PodSpec {
        containers: vec![container],
        security_context: Some(security),
        ..Default::default()
    }
}

fn pod_template(labels: Labels, container: Container) -> PodTemplateSpec {
    PodTemplateSpec {
        metadata: Some(ObjectMeta {
            labels: Some(labels),
            ..Default::default()
        }),
        spec: Some(pod_spec(container)),
    }
}

fn deployment(obj: &WebServer) -> Deployment {
    let labels = labels(obj);
    Deployment {
        metadata: metadata(obj),
        spec: DeploymentSpec {
            replicas: Some(obj.spec.replicas),
            selector: LabelSelector {
                match_labels: Some(labels.clone()),
                ..Default::default()
            },
            template: pod_template(labels, container(obj)),
            // After so long without a new pod that is ready, the object is Degraded.
            progress_deadline_seconds: Some(60),
            ..Default::default()
        },
        ..Default::default()
    }
}

fn service(obj: &WebServer) -> Service {
    let port = ServicePort {
        name: Some("main".into()),
        port: obj.spec.port,
        target_port: Some(IntOrString::String("main".into())),
        ..Default::default()
    };
    Service {
        metadata: metadata(obj),
        spec: Some(ServiceSpec {
            selector: Some(labels(obj)),
            ports: Some(vec![port]),
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// What to report. A function of its arguments alone, so that a unit test covers it.
fn status(obj: &WebServer, deployment: &Deployment) -> WebServerStatus {
    let (generation, desired) = (obj.metadata.generation, obj.spec.replicas);
    let observed = deployment.status.clone().unwrap_or_default();
    let replicas = observed.replicas.unwrap_or(0);
    let ready_replicas = observed.ready_replicas.unwrap_or(0);
    // A status that is older than the spec says nothing about it.
    let current = observed.observed_generation >= deployment.metadata.generation;
    let says = |type_: &str, status: &str| {
        let is = |one: &&DeploymentCondition| {
            one.type_.as_deref() == Some(type_) && one.status.as_deref() == Some(status)
        };
        observed
            .conditions
            .iter()
            .flatten()
            .find(is)
            .filter(|_| current)
    };
    let counts = [
        Some(replicas),
        Some(ready_replicas),
        observed.updated_replicas,
    ];
    let ready = current && counts.iter().all(|count| count.unwrap_or(0) == desired);
    let available = ready || says("Available", "True").is_some();
    let failure = says("ReplicaFailure", "True").or_else(|| says("Progressing", "False"));
    let progressing = !ready && failure.is_none();

    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    let mut set = |type_, status, reason: [&str; 2], message: &str| {
        let reason = reason[usize::from(status)];
        let new = conditions::new(type_, status, reason, message);
        conditions::set(&mut conditions, generation, new);
    };
    let count = format!("{ready_replicas} of {desired} replicas are ready");
    set("Ready", ready, ["ReplicasMissing", "ReplicasReady"], &count);
    set(
        "Available",
        available,
        ["TooFewReplicas", "EnoughReplicas"],
        &count,
    );
    set(
        "Progressing",
        progressing,
        ["Settled", "RollingOut"],
        &count,
    );
    let cause = failure
        .and_then(|failure| failure.message.as_deref())
        .unwrap_or_default();
    set(
        "Degraded",
        failure.is_some(),
        ["AsExpected", "DeploymentFailed"],
        cause,
    );
    let selector = labels(obj)
        .into_iter()
        .map(|(key, value)| format!("{key}={value}"));
    WebServerStatus {
        observed_generation: generation,
        replicas,
        ready_replicas,
        selector: selector.collect::<Vec<_>>().join(","),
        conditions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, from_value, json, to_value};

    fn sample() -> WebServer {
        let metadata = json!({ "name": "sample", "namespace": "default", "generation": 2 });
        let spec = json!({ "replicas": 2, "image": "example:1", "port": 8080 });
        from_value(json!({ "metadata": metadata, "spec": spec })).unwrap()
    }

    fn statuses(obj: &WebServer, deployment: Value) -> Vec<String> {
        let status = status(obj, &from_value(deployment).unwrap());
        let all = status.conditions.iter();
        all.map(|one| format!("{}={}", one.type_, one.status))
            .collect()
    }

    #[test]
    fn children_are_what_the_spec_asks_for() {
        let obj = sample();
        let deployment = to_value(deployment(&obj)).unwrap();
        assert_eq!(deployment["spec"]["replicas"], 2);
        let template = &deployment["spec"]["template"];
        assert_eq!(
            template["metadata"]["labels"],
            deployment["spec"]["selector"]["matchLabels"]
        );
        let pod_spec = &template["spec"];
        assert_eq!(pod_spec["securityContext"]["runAsNonRoot"], true);
        let container = &pod_spec["containers"][0];
        assert_eq!(container["image"], "example:1");
        assert_eq!(container["ports"][0]["containerPort"], 8080);

        let service = to_value(service(&obj)).unwrap();
        assert_eq!(service["metadata"]["name"], "sample");
        assert_eq!(service["spec"]["selector"], template["metadata"]["labels"]);
        assert_eq!(service["spec"]["ports"][0]["port"], 8080);
    }

    #[test]
    fn status_follows_the_deployment() {
        let (obj, meta) = (sample(), json!({ "generation": 3 }));
        let counts = json!({
            "observedGeneration": 3, "replicas": 2, "readyReplicas": 2, "updatedReplicas": 2,
        });
        let expected = [
            "Ready=True",
            "Available=True",
            "Progressing=False",
            "Degraded=False",
        ];
        let done = json!({ "metadata": meta, "spec": {}, "status": counts });
        assert_eq!(statuses(&obj, done.clone()), expected);

        let mut outdated = done.clone();
        outdated["status"]["observedGeneration"] = json!(2);
        let expected = [
            "Ready=False",
            "Available=False",
            "Progressing=True",
            "Degraded=False",
        ];
        assert_eq!(statuses(&obj, outdated), expected);

        let mut failing = done;
        failing["status"]["readyReplicas"] = json!(1);
        failing["status"]["conditions"] = json!([{ "type": "Progressing", "status": "False" }]);
        let expected = [
            "Ready=False",
            "Available=False",
            "Progressing=False",
            "Degraded=True",
        ];
        assert_eq!(statuses(&obj, failing), expected);
    }

    #[test]
    fn status_settles() {
        let (mut obj, deployment) = (sample(), Deployment::default());
        let first = status(&obj, &deployment);
        assert_eq!(first.observed_generation, Some(2));
        obj.status = Some(first.clone());
        assert_eq!(
            status(&obj, &deployment),
            first,
            "it would trigger itself forever"
        );
    }
}
