//! Reconciles `Shop` objects: each gets a Deployment, a Service, a HorizontalPodAutoscaler, a PodDisruptionBudget and a CronJob.
use api::v1alpha1::{Shop, ShopStatus};
use k8s_openapi::api::apps::v1::{Deployment, DeploymentCondition};
use k8s_openapi::api::autoscaling::v2::{
    CrossVersionObjectReference, HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec, MetricSpec,
    MetricTarget, ResourceMetricSource,
};
use k8s_openapi::api::batch::v1::{CronJob, CronJobSpec, JobSpec, JobTemplateSpec};
use k8s_openapi::api::core::v1::{
    Capabilities, Container, ContainerPort, PodSecurityContext, PodSpec, PodTemplateSpec,
    SeccompProfile, SecurityContext, Service,
};
use k8s_openapi::api::policy::v1::{PodDisruptionBudget, PodDisruptionBudgetSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller, Manager, conditions};
use serde_json::{Value, from_value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "shop";

/// Keeps a deleted object until it is cleaned up. Under a new name, the old one would stay forever.
const FINALIZER: &str = "example.net/kinds-operator";

type Labels = BTreeMap<String, String>;

/// Says what to watch: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn setup(manager: &mut Manager) {
    let controller = Controller::namespaced(NAME, reconcile)
        .owns::<Deployment>()
        .owns::<Service>()
        .owns::<HorizontalPodAutoscaler>()
        .owns::<PodDisruptionBudget>()
        .owns::<CronJob>()
        .finalizer(FINALIZER, cleanup)
        .conditions(|status| &mut status.conditions);
    manager.add(controller);
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.net,resources=shops,verbs=list;patch;watch
// +opctl:rbac:groups=example.net,resources=shops/status,verbs=patch
// +opctl:rbac:groups=apps,resources=deployments,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=services,verbs=create;list;patch;watch
// +opctl:rbac:groups=autoscaling,resources=horizontalpodautoscalers,verbs=create;list;patch;watch
// +opctl:rbac:groups=policy,resources=poddisruptionbudgets,verbs=create;list;patch;watch
// +opctl:rbac:groups=batch,resources=cronjobs,verbs=create;list;patch;watch

/// Brings the world closer to what `obj` asks for.
///
/// Runs after every change and every failure, always from the top: whatever it does must be safe
/// to do again.
pub async fn reconcile(obj: Arc<Shop>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let desired: Deployment = from_value(deployment(&obj))?;
    let deployment = ctx.apply(&*obj, desired).await?;
    let desired: Service = from_value(service(&obj))?;
    ctx.apply(&*obj, desired).await?;
    ctx.apply(&*obj, horizontal_pod_autoscaler(&obj)).await?;
    ctx.apply(&*obj, pod_disruption_budget(&obj)).await?;
    ctx.apply(&*obj, cron_job(&obj)).await?;

    let status = status(&obj, &deployment);
    let before = obj.status.clone().unwrap_or_default().conditions;
    let ready = conditions::turns_true(&before, &status.conditions, "Ready");
    let degraded = conditions::turns_true(&before, &status.conditions, "Degraded");
    ctx.apply_status(&*obj, status).await?;
    if ready {
        ctx.note(&*obj, "Ready", "All replicas are ready").await;
    }
    if degraded {
        ctx.warn(&*obj, "Degraded", "The Deployment failed").await;
    }
    Ok(Action::done())
}

/// Undoes what goes beyond the object's children, which the cluster deletes by itself. Until this
/// succeeds, the deleted object stays; it may also run where nothing was done yet.
async fn cleanup(obj: Arc<Shop>, _ctx: Arc<Context>) -> anyhow::Result<Action> {
    tracing::info!(name = obj.name_any(), "cleaned up");
    Ok(Action::done())
}

/// Which pods the Deployment and the Service mean. A Deployment can never change it.
fn labels(obj: &Shop) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

fn metadata(obj: &Shop) -> ObjectMeta {
    let (name, labels) = (Some(obj.name_any()), Some(labels(obj)));
    ObjectMeta {
        name,
        labels,
        ..Default::default()
    }
}

fn container(obj: &Shop) -> Container {
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

fn job_spec(obj: &Shop) -> JobSpec {
    let container = Container {
        command: Some(vec!["true".into()]),
        ports: None,
        ..container(obj)
    };
    let pod = PodSpec {
        restart_policy: Some("OnFailure".into()),
        ..pod_spec(container)
    };
    JobSpec {
        template: PodTemplateSpec {
            spec: Some(pod),
            ..Default::default()
        },
        ..Default::default()
    }
}

fn deployment(obj: &Shop) -> Value {
    let labels = labels(obj);
    let container = json!({
        "name": "main",
        "image": obj.spec.image,
        "ports": [{ "name": "main", "containerPort": obj.spec.port }],
        "resources": obj.spec.resources,
        "securityContext": {
            "allowPrivilegeEscalation": false,
            "capabilities": { "drop": ["ALL"] },
        },
    });
    // With the container's, this is what the restricted pod security standard asks for.
    let security = json!({ "runAsNonRoot": true, "seccompProfile": { "type": "RuntimeDefault" } });
    json!({
        "metadata": { "name": obj.name_any(), "labels": labels },
        "spec": {
            "replicas": obj.spec.replicas,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [container], "securityContext": security },
            },
            // After so long without a new pod that is ready, the object is Degraded.
            "progressDeadlineSeconds": 60,
        },
    })
}

fn service(obj: &Shop) -> Value {
    json!({
        "metadata": { "name": obj.name_any(), "labels": labels(obj) },
        "spec": {
            "selector": labels(obj),
            "ports": [{ "name": "main", "port": obj.spec.port, "targetPort": "main" }],
        },
    })
}

fn horizontal_pod_autoscaler(obj: &Shop) -> HorizontalPodAutoscaler {
    let cpu = ResourceMetricSource {
        name: "cpu".into(),
        target: MetricTarget {
            type_: "Utilization".into(),
            average_utilization: Some(80),
            ..Default::default()
        },
    };
    HorizontalPodAutoscaler {
        metadata: metadata(obj),
        spec: HorizontalPodAutoscalerSpec {
            scale_target_ref: CrossVersionObjectReference {
                api_version: Some("example.net/v1alpha1".into()),
                kind: "Shop".into(),
                name: obj.name_any(),
            },
            min_replicas: Some(1),
            max_replicas: 3,
            metrics: Some(vec![MetricSpec {
                type_: "Resource".into(),
                resource: Some(cpu),
                ..Default::default()
            }]),
            ..Default::default()
        },
        ..Default::default()
    }
}

fn pod_disruption_budget(obj: &Shop) -> PodDisruptionBudget {
    PodDisruptionBudget {
        metadata: metadata(obj),
        spec: Some(PodDisruptionBudgetSpec {
            max_unavailable: Some(IntOrString::Int(1)),
            selector: Some(LabelSelector {
                match_labels: Some(labels(obj)),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn cron_job(obj: &Shop) -> CronJob {
    CronJob {
        metadata: metadata(obj),
        spec: CronJobSpec {
            schedule: "0 * * * *".into(),
            job_template: JobTemplateSpec {
                spec: Some(job_spec(obj)),
                ..Default::default()
            },
            ..Default::default()
        },
        ..Default::default()
    }
}

/// What to report. A function of its arguments alone, so that a unit test covers it.
fn status(obj: &Shop, deployment: &Deployment) -> ShopStatus {
    let (generation, desired) = (obj.metadata.generation, obj.spec.replicas);
    let observed = deployment.status.clone().unwrap_or_default();
    let replicas = observed.replicas.unwrap_or(0);
    let ready_replicas = observed.ready_replicas.unwrap_or(0);
    // A status that is older than the spec says nothing about it.
    let current = observed.observed_generation >= deployment.metadata.generation;
    let failed = |one: &&DeploymentCondition| {
        let says = (one.type_.as_deref(), one.status.as_deref());
        matches!(
            says,
            (Some("ReplicaFailure"), Some("True")) | (Some("Progressing"), Some("False"))
        )
    };
    let mut reported = observed.conditions.iter().flatten().filter(|_| current);
    let failure = reported.find(failed);
    let updated = observed.updated_replicas.unwrap_or(0);
    let ready = current && [replicas, ready_replicas, updated] == [desired; 3];

    let count = format!("{ready_replicas} of {desired} replicas are ready");
    let reason = if ready { "AllReady" } else { "NotAllReady" };
    let ready = conditions::new("Ready", ready, reason, &count);
    let degraded = match failure {
        Some(failure) => {
            let cause = failure.message.as_deref().unwrap_or_default();
            let reason = conditions::refusal(cause).unwrap_or("DeploymentFailed");
            conditions::new("Degraded", true, reason, cause)
        }
        None => conditions::new("Degraded", false, "AsExpected", ""),
    };
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    conditions::set(&mut conditions, generation, ready);
    conditions::set(&mut conditions, generation, degraded);

    let labels = labels(obj);
    let selector: Vec<_> = labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
    ShopStatus {
        observed_generation: generation,
        replicas,
        ready_replicas,
        selector: selector.join(","),
        conditions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::to_value;

    fn sample() -> Shop {
        let metadata = json!({ "name": "sample", "namespace": "default", "generation": 2 });
        let mut spec = json!({
            "title": "example",
        });
        spec["replicas"] = json!(2);
        spec["image"] = json!("example:1");
        from_value(json!({ "metadata": metadata, "spec": spec })).unwrap()
    }

    fn statuses(obj: &Shop, deployment: Value) -> Vec<String> {
        let status = status(obj, &from_value(deployment).unwrap());
        let all = status.conditions.iter();
        all.map(|one| format!("{}={}", one.type_, one.status))
            .collect()
    }

    #[test]
    fn children_are_what_the_spec_asks_for() {
        let mut obj = sample();
        obj.spec.resources = Some(from_value(json!({ "limits": { "cpu": "1" } })).unwrap());
        let deployment = deployment(&obj);
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

        let service = service(&obj);
        assert_eq!(service["metadata"]["name"], "sample");
        assert_eq!(service["spec"]["selector"], template["metadata"]["labels"]);
        assert_eq!(service["spec"]["ports"][0]["port"], 8080);

        // A field that is misspelled would be dropped.
        let typed: Deployment = from_value(deployment.clone()).unwrap();
        assert_eq!(to_value(typed).unwrap()["spec"], deployment["spec"]);
        let typed: Service = from_value(service.clone()).unwrap();
        assert_eq!(to_value(typed).unwrap()["spec"], service["spec"]);
        assert_eq!(horizontal_pod_autoscaler(&obj).name_any(), "sample");
        assert_eq!(pod_disruption_budget(&obj).name_any(), "sample");
        assert_eq!(cron_job(&obj).name_any(), "sample");
    }

    #[test]
    fn status_follows_the_deployment() {
        let (obj, meta) = (sample(), json!({ "generation": 3 }));
        let counts = json!({
            "observedGeneration": 3, "replicas": 2, "readyReplicas": 2, "updatedReplicas": 2,
        });
        let expected = ["Ready=True", "Degraded=False"];
        let done = json!({ "metadata": meta, "spec": {}, "status": counts });
        assert_eq!(statuses(&obj, done.clone()), expected);

        let mut outdated = done.clone();
        outdated["status"]["observedGeneration"] = json!(2);
        let expected = ["Ready=False", "Degraded=False"];
        assert_eq!(statuses(&obj, outdated), expected);

        let mut failing = done;
        failing["status"]["readyReplicas"] = json!(1);
        failing["status"]["conditions"] = json!([{ "type": "Progressing", "status": "False" }]);
        let expected = ["Ready=False", "Degraded=True"];
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
