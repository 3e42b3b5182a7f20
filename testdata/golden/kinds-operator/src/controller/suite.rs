//! Reconciles `Suite` objects: each gets a ConfigMap, a Secret, a Service, a ServiceAccount, a PersistentVolumeClaim, a Pod, a Deployment, a StatefulSet, a DaemonSet, a Job, a CronJob, an Ingress, a NetworkPolicy, a PodDisruptionBudget, a HorizontalPodAutoscaler, a Role, a RoleBinding, a ResourceQuota and a LimitRange.
use api::v1alpha1::{Suite, SuiteStatus};
use k8s_openapi::ByteString;
use k8s_openapi::api::apps::v1::{
    DaemonSet, DaemonSetSpec, Deployment, DeploymentSpec, StatefulSet, StatefulSetSpec,
};
use k8s_openapi::api::autoscaling::v2::{
    CrossVersionObjectReference, HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec, MetricSpec,
    MetricTarget, ResourceMetricSource,
};
use k8s_openapi::api::batch::v1::{CronJob, CronJobSpec, Job, JobSpec, JobTemplateSpec};
use k8s_openapi::api::core::v1::{
    ConfigMap, Container, ContainerPort, LimitRange, LimitRangeItem, LimitRangeSpec,
    PersistentVolumeClaim, PersistentVolumeClaimSpec, Pod, PodSpec, PodTemplateSpec, ResourceQuota,
    ResourceQuotaSpec, Secret, Service, ServiceAccount, ServicePort, ServiceSpec,
    VolumeResourceRequirements,
};
use k8s_openapi::api::networking::v1::{
    Ingress, IngressBackend, IngressServiceBackend, IngressSpec, NetworkPolicy,
    NetworkPolicyIngressRule, NetworkPolicyPeer, NetworkPolicySpec, ServiceBackendPort,
};
use k8s_openapi::api::policy::v1::{PodDisruptionBudget, PodDisruptionBudgetSpec};
use k8s_openapi::api::rbac::v1::{PolicyRule, Role, RoleBinding, RoleRef, Subject};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller, conditions, random_text, restricted};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "suite";

/// The image that the pods run: any image that needs no root, and listens at the container's port.
const IMAGE: &str = "nginxinc/nginx-unprivileged:1.27";

type Labels = BTreeMap<String, String>;

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Suite> {
    Controller::namespaced(NAME, reconcile)
        .owns::<ConfigMap>()
        .owns::<Secret>()
        .owns::<Service>()
        .owns::<ServiceAccount>()
        .owns::<PersistentVolumeClaim>()
        .owns::<Pod>()
        .owns::<Deployment>()
        .owns::<StatefulSet>()
        .owns::<DaemonSet>()
        .owns::<Job>()
        .owns::<CronJob>()
        .owns::<Ingress>()
        .owns::<NetworkPolicy>()
        .owns::<PodDisruptionBudget>()
        .owns::<HorizontalPodAutoscaler>()
        .owns::<Role>()
        .owns::<RoleBinding>()
        .owns::<ResourceQuota>()
        .owns::<LimitRange>()
        .conditions(|status| &mut status.conditions)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.net,resources=suites,verbs=list;watch
// +opctl:rbac:groups=example.net,resources=suites/status,verbs=patch
// +opctl:rbac:groups=example.net,resources=suites/finalizers,verbs=update
// +opctl:rbac:groups="",resources=configmaps,verbs=create;list;patch;watch
// +opctl:allow:OP407 reason="it owns Secrets, and their names are not known here"
// +opctl:rbac:groups="",resources=secrets,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=services,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=serviceaccounts,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=persistentvolumeclaims,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=pods,verbs=create;list;patch;watch
// +opctl:rbac:groups=apps,resources=deployments,verbs=create;list;patch;watch
// +opctl:rbac:groups=apps,resources=statefulsets,verbs=create;list;patch;watch
// +opctl:rbac:groups=apps,resources=daemonsets,verbs=create;list;patch;watch
// +opctl:rbac:groups=batch,resources=jobs,verbs=create;list;patch;watch
// +opctl:rbac:groups=batch,resources=cronjobs,verbs=create;list;patch;watch
// +opctl:rbac:groups=networking.k8s.io,resources=ingresses,verbs=create;list;patch;watch
// +opctl:rbac:groups=networking.k8s.io,resources=networkpolicies,verbs=create;list;patch;watch
// +opctl:rbac:groups=policy,resources=poddisruptionbudgets,verbs=create;list;patch;watch
// +opctl:rbac:groups=autoscaling,resources=horizontalpodautoscalers,verbs=create;list;patch;watch
// +opctl:rbac:groups=rbac.authorization.k8s.io,resources=roles,verbs=create;list;patch;watch
// +opctl:rbac:groups=rbac.authorization.k8s.io,resources=rolebindings,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=resourcequotas,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=limitranges,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=configmaps,verbs=get;list;watch
// +opctl:rbac:groups=rbac.authorization.k8s.io,resources=clusterroles,resourceNames=view,verbs=bind

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
pub async fn reconcile(obj: Arc<Suite>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, config_map(&obj)).await?;
    ctx.create_once(&*obj, secret(&obj)).await?;
    ctx.apply(&*obj, service(&obj)).await?;
    ctx.apply(&*obj, service_account(&obj)).await?;
    ctx.apply(&*obj, persistent_volume_claim(&obj)).await?;
    ctx.apply(&*obj, pod(&obj)).await?;
    ctx.apply(&*obj, deployment(&obj)).await?;
    ctx.apply(&*obj, stateful_set(&obj)).await?;
    ctx.apply(&*obj, daemon_set(&obj)).await?;
    ctx.apply(&*obj, job(&obj)).await?;
    ctx.apply(&*obj, cron_job(&obj)).await?;
    ctx.apply(&*obj, ingress(&obj)).await?;
    ctx.apply(&*obj, network_policy(&obj)).await?;
    ctx.apply(&*obj, pod_disruption_budget(&obj)).await?;
    ctx.apply(&*obj, horizontal_pod_autoscaler(&obj)).await?;
    ctx.apply(&*obj, role(&obj)).await?;
    ctx.apply(&*obj, role_binding(&obj)).await?;
    ctx.apply(&*obj, resource_quota(&obj)).await?;
    ctx.apply(&*obj, limit_range(&obj)).await?;
    ctx.apply_status(&*obj, status(&obj)).await?;
    Ok(Action::done())
}

/// Returns the labels of all children, by which pods are also selected. Selectors are immutable.
fn labels(obj: &Suite) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

/// Returns the labels of one child among several with pods, so that each selects only its own pods.
fn component(obj: &Suite, name: &str) -> Labels {
    let mut labels = labels(obj);
    labels.insert("app.kubernetes.io/component".into(), name.into());
    labels
}

fn metadata(obj: &Suite) -> ObjectMeta {
    ObjectMeta {
        name: Some(obj.name_any()),
        labels: Some(labels(obj)),
        ..Default::default()
    }
}

fn container() -> Container {
    Container {
        name: "main".into(),
        image: Some(IMAGE.into()),
        ports: Some(vec![ContainerPort {
            name: Some("main".into()),
            container_port: 8080,
            ..Default::default()
        }]),
        security_context: Some(restricted::container()),
        ..Default::default()
    }
}

fn pod_spec(container: Container) -> PodSpec {
    PodSpec {
        containers: vec![container],
        security_context: Some(restricted::pod()),
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

fn job_spec() -> JobSpec {
    let container = Container {
        command: Some(vec!["true".into()]),
        ports: None,
        ..container()
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

/// Returns the rules of the role. An operator can only grant rights that it has: a marker above
/// grants it these.
fn rules() -> Vec<PolicyRule> {
    vec![PolicyRule {
        api_groups: Some(vec![String::new()]),
        resources: Some(vec!["configmaps".into()]),
        verbs: ["get", "list", "watch"].map(Into::into).to_vec(),
        ..Default::default()
    }]
}

/// Returns the role that the binding grants. It is immutable; a marker above allows the operator to
/// grant this role.
fn role_ref() -> RoleRef {
    RoleRef {
        api_group: Some("rbac.authorization.k8s.io".into()),
        kind: "ClusterRole".into(),
        name: "view".into(),
    }
}

fn subject(obj: &Suite) -> Subject {
    Subject {
        kind: "ServiceAccount".into(),
        name: obj.name_any(),
        namespace: obj.namespace(),
        ..Default::default()
    }
}

fn config_map(obj: &Suite) -> ConfigMap {
    ConfigMap {
        metadata: metadata(obj),
        data: Some(BTreeMap::from([("name".into(), obj.name_any())])),
        ..Default::default()
    }
}

/// The password is made once: where the Secret is there, `create_once` leaves it as it is.
fn secret(obj: &Suite) -> Secret {
    let password = ByteString(random_text(32).into_bytes());
    Secret {
        metadata: metadata(obj),
        data: Some(BTreeMap::from([("password".into(), password)])),
        ..Default::default()
    }
}

fn service(obj: &Suite) -> Service {
    let port = ServicePort {
        name: Some("main".into()),
        port: 80,
        target_port: Some(IntOrString::String("main".into())),
        ..Default::default()
    };
    Service {
        metadata: metadata(obj),
        spec: Some(ServiceSpec {
            selector: Some(component(obj, "deployment")),
            ports: Some(vec![port]),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn service_account(obj: &Suite) -> ServiceAccount {
    ServiceAccount {
        metadata: metadata(obj),
        ..Default::default()
    }
}

fn persistent_volume_claim(obj: &Suite) -> PersistentVolumeClaim {
    // A bound claim can only grow, if its storage class allows that; nothing else in it can change.
    let storage = BTreeMap::from([("storage".into(), Quantity("1Gi".into()))]);
    PersistentVolumeClaim {
        metadata: metadata(obj),
        spec: Some(PersistentVolumeClaimSpec {
            access_modes: Some(vec!["ReadWriteOnce".into()]),
            resources: Some(VolumeResourceRequirements {
                requests: Some(storage),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn pod(obj: &Suite) -> Pod {
    // Hardly any field of a pod can be changed: if you need that, own a Deployment instead.
    Pod {
        metadata: metadata(obj),
        spec: Some(pod_spec(container())),
        ..Default::default()
    }
}

fn deployment(obj: &Suite) -> Deployment {
    // Without `replicas`, so that others, such as an autoscaler, can scale the Deployment.
    let labels = component(obj, "deployment");
    Deployment {
        metadata: metadata(obj),
        spec: DeploymentSpec {
            selector: LabelSelector {
                match_labels: Some(labels.clone()),
                ..Default::default()
            },
            template: pod_template(labels, container()),
            ..Default::default()
        },
        ..Default::default()
    }
}

fn stateful_set(obj: &Suite) -> StatefulSet {
    let labels = component(obj, "statefulset");
    StatefulSet {
        metadata: metadata(obj),
        spec: StatefulSetSpec {
            selector: LabelSelector {
                match_labels: Some(labels.clone()),
                ..Default::default()
            },
            service_name: Some(obj.name_any()),
            template: pod_template(labels, container()),
            ..Default::default()
        },
        ..Default::default()
    }
}

fn daemon_set(obj: &Suite) -> DaemonSet {
    let labels = component(obj, "daemonset");
    DaemonSet {
        metadata: metadata(obj),
        spec: DaemonSetSpec {
            selector: LabelSelector {
                match_labels: Some(labels.clone()),
                ..Default::default()
            },
            template: pod_template(labels, container()),
            ..Default::default()
        },
        ..Default::default()
    }
}

fn job(obj: &Suite) -> Job {
    // A Job's pods cannot be changed: to run it again, delete it or give it another name.
    Job {
        metadata: metadata(obj),
        spec: Some(job_spec()),
        ..Default::default()
    }
}

fn cron_job(obj: &Suite) -> CronJob {
    CronJob {
        metadata: metadata(obj),
        spec: CronJobSpec {
            schedule: "0 * * * *".into(),
            job_template: JobTemplateSpec {
                spec: Some(job_spec()),
                ..Default::default()
            },
            ..Default::default()
        },
        ..Default::default()
    }
}

fn ingress(obj: &Suite) -> Ingress {
    let service = IngressServiceBackend {
        name: obj.name_any(),
        port: Some(ServiceBackendPort {
            name: Some("main".into()),
            ..Default::default()
        }),
    };
    Ingress {
        metadata: metadata(obj),
        spec: Some(IngressSpec {
            default_backend: Some(IngressBackend {
                service: Some(service),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn network_policy(obj: &Suite) -> NetworkPolicy {
    // Every pod of the same namespace may connect, and no other.
    let neighbours = NetworkPolicyPeer {
        pod_selector: Some(LabelSelector::default()),
        ..Default::default()
    };
    NetworkPolicy {
        metadata: metadata(obj),
        spec: Some(NetworkPolicySpec {
            pod_selector: Some(LabelSelector {
                match_labels: Some(component(obj, "deployment")),
                ..Default::default()
            }),
            policy_types: Some(vec!["Ingress".into()]),
            ingress: Some(vec![NetworkPolicyIngressRule {
                from: Some(vec![neighbours]),
                ..Default::default()
            }]),
            ..Default::default()
        }),
    }
}

fn pod_disruption_budget(obj: &Suite) -> PodDisruptionBudget {
    PodDisruptionBudget {
        metadata: metadata(obj),
        spec: Some(PodDisruptionBudgetSpec {
            max_unavailable: Some(IntOrString::Int(1)),
            selector: Some(LabelSelector {
                match_labels: Some(component(obj, "deployment")),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn horizontal_pod_autoscaler(obj: &Suite) -> HorizontalPodAutoscaler {
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
                api_version: Some("apps/v1".into()),
                kind: "Deployment".into(),
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

fn role(obj: &Suite) -> Role {
    Role {
        metadata: metadata(obj),
        rules: Some(rules()),
    }
}

fn role_binding(obj: &Suite) -> RoleBinding {
    RoleBinding {
        metadata: metadata(obj),
        role_ref: role_ref(),
        subjects: Some(vec![subject(obj)]),
    }
}

fn resource_quota(obj: &Suite) -> ResourceQuota {
    ResourceQuota {
        metadata: metadata(obj),
        spec: Some(ResourceQuotaSpec {
            hard: Some(BTreeMap::from([("pods".into(), Quantity("100".into()))])),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn limit_range(obj: &Suite) -> LimitRange {
    let request = BTreeMap::from([("memory".into(), Quantity("64Mi".into()))]);
    LimitRange {
        metadata: metadata(obj),
        spec: Some(LimitRangeSpec {
            limits: vec![LimitRangeItem {
                type_: "Container".into(),
                default_request: Some(request),
                ..Default::default()
            }],
        }),
    }
}

/// Returns the status to report. It depends on the argument alone, so that a unit test covers it.
fn status(obj: &Suite) -> SuiteStatus {
    let generation = obj.metadata.generation;
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    // An object is `Ready` when everything is there that its spec asks for: say so once it is.
    let message = &format!("children of `{}` are not checked yet", obj.spec.message);
    let ready = conditions::new("Ready", false, "NotImplemented", message);
    conditions::set(&mut conditions, generation, ready);
    SuiteStatus {
        observed_generation: generation,
        conditions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sample() -> Suite {
        let metadata = json!({ "name": "sample", "generation": 2 });
        let spec = json!({});
        serde_json::from_value(json!({ "metadata": metadata, "spec": spec })).unwrap()
    }

    #[test]
    fn children_bear_the_name_of_their_owner() {
        let obj = sample();
        assert_eq!(config_map(&obj).name_any(), "sample");
        assert_eq!(secret(&obj).name_any(), "sample");
        assert_eq!(service(&obj).name_any(), "sample");
        assert_eq!(service_account(&obj).name_any(), "sample");
        assert_eq!(persistent_volume_claim(&obj).name_any(), "sample");
        assert_eq!(pod(&obj).name_any(), "sample");
        assert_eq!(deployment(&obj).name_any(), "sample");
        assert_eq!(stateful_set(&obj).name_any(), "sample");
        assert_eq!(daemon_set(&obj).name_any(), "sample");
        assert_eq!(job(&obj).name_any(), "sample");
        assert_eq!(cron_job(&obj).name_any(), "sample");
        assert_eq!(ingress(&obj).name_any(), "sample");
        assert_eq!(network_policy(&obj).name_any(), "sample");
        assert_eq!(pod_disruption_budget(&obj).name_any(), "sample");
        assert_eq!(horizontal_pod_autoscaler(&obj).name_any(), "sample");
        assert_eq!(role(&obj).name_any(), "sample");
        assert_eq!(role_binding(&obj).name_any(), "sample");
        assert_eq!(resource_quota(&obj).name_any(), "sample");
        assert_eq!(limit_range(&obj).name_any(), "sample");
    }

    #[test]
    fn status_settles() {
        let mut obj = sample();
        let first = status(&obj);
        assert_eq!(first.observed_generation, Some(2));
        let ready = conditions::is_true(&first.conditions, "Ready");
        assert!(!ready, "`status` reports Ready now: test when it does");

        obj.status = Some(first.clone());
        assert_eq!(status(&obj), first, "each pass would write again");
    }
}
