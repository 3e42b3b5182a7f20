//! Reconciles `WebServer` objects: each gets a Deployment and a Service.
use api::v1alpha1::{WebServer, WebServerStatus};
use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{
    Container, ContainerPort, Pod, PodSpec, PodTemplateSpec, Probe, Service, ServicePort,
    ServiceSpec, TCPSocketAction,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller, Name, Objects, Rollout, Watch, conditions, restricted};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "webserver";

type Labels = BTreeMap<String, String>;

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<WebServer> {
    Controller::namespaced(NAME, reconcile)
        .owns::<Deployment>()
        .owns::<Service>()
        .watches_map(pods(), object_of)
        .conditions(|status| &mut status.conditions)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.com,resources=webservers,verbs=list;watch
// +opctl:rbac:groups=example.com,resources=webservers/status,verbs=patch
// +opctl:rbac:groups=example.com,resources=webservers/finalizers,verbs=update
// +opctl:rbac:groups=apps,resources=deployments,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=services,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=pods,verbs=list;watch

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
pub async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let deployment = ctx.apply(&*obj, deployment(&obj)).await?;
    ctx.apply(&*obj, service(&obj)).await?;

    let pods = ctx.objects::<Pod>()?.by_index(BY_OBJECT, &obj.name_any());
    let pods = pods.in_namespace(&deployment.namespace().unwrap_or_default());
    let labels = deployment.spec.selector.match_labels.iter().flatten();
    let labels = labels.map(|(k, v)| (k.clone(), v.clone())).collect();
    let status = status(&obj, &deployment, &pods.with_labels(&labels).list());
    let before = obj.status.clone().unwrap_or_default().conditions;
    let ready = conditions::turns_true(&before, &status.conditions, "Ready");
    let degraded = conditions::turns_true(&before, &status.conditions, "Degraded");
    ctx.apply_status(&*obj, status).await?;
    if ready {
        ctx.note(&*obj, "Ready", "All replicas are ready");
    }
    if degraded {
        ctx.warn(&*obj, "Degraded", "The Deployment failed");
    }
    Ok(Action::done())
}

/// Returns the labels by which the Deployment and the Service select pods. The selector of a
/// Deployment is immutable.
fn labels(obj: &WebServer) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

fn metadata(obj: &WebServer) -> ObjectMeta {
    ObjectMeta {
        name: Some(obj.name_any()),
        labels: Some(labels(obj)),
        ..Default::default()
    }
}

fn container(obj: &WebServer) -> Container {
    Container {
        name: "main".into(),
        image: Some(obj.spec.image.clone()),
        ports: Some(vec![ContainerPort {
            name: Some("main".into()),
            container_port: obj.spec.port,
            ..Default::default()
        }]),
        // A pod counts as ready, and gets requests, once it listens.
        readiness_probe: Some(Probe {
            period_seconds: Some(2),
            tcp_socket: Some(TCPSocketAction {
                port: IntOrString::String("main".into()),
                ..Default::default()
            }),
            ..Default::default()
        }),
        resources: obj.spec.resources.clone(),
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

fn deployment(obj: &WebServer) -> Deployment {
    let labels = labels(obj);
    Deployment {
        metadata: metadata(obj),
        spec: DeploymentSpec {
            replicas: Some(obj.spec.replicas),
            // The seconds without a new pod that is ready after which the object is Degraded.
            progress_deadline_seconds: Some(60),
            selector: LabelSelector {
                match_labels: Some(labels.clone()),
                ..Default::default()
            },
            template: pod_template(labels, container(obj)),
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

/// The index of pods by the names of their objects.
const BY_OBJECT: &str = "by-object";

/// The pods of all objects. A Deployment does not say why its pods do not start.
fn pods() -> Watch<Pod> {
    let watch = Watch::new().labels(&format!("app.kubernetes.io/name={NAME}"));
    watch.index(BY_OBJECT, |pod| object_name(pod).into_iter().collect())
}

fn object_name(pod: &Pod) -> Option<String> {
    pod.labels().get("app.kubernetes.io/instance").cloned()
}

/// Returns the object that a pod is of.
fn object_of(pod: &Pod, _: &Objects<WebServer>) -> Vec<Name> {
    object_name(pod).into_iter().map(Name::from).collect()
}

/// Returns the status to report. It depends on the arguments alone, so that a unit test covers it.
fn status(obj: &WebServer, deployment: &Deployment, pods: &[Pod]) -> WebServerStatus {
    let generation = obj.metadata.generation;
    let rollout = Rollout::of(deployment).with_pods(pods);
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    conditions::set(&mut conditions, generation, rollout.ready());
    conditions::set(&mut conditions, generation, rollout.degraded());

    let labels = labels(obj);
    let selector: Vec<_> = labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
    WebServerStatus {
        observed_generation: generation,
        replicas: rollout.replicas,
        ready_replicas: rollout.ready_replicas,
        selector: selector.join(","),
        conditions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runtime::testing::FakeCluster;
    use serde_json::{from_value, json, to_value};

    fn sample() -> WebServer {
        let metadata = json!({ "name": "sample", "namespace": "default" });
        let spec = json!({ "replicas": 2, "image": "example:1", "port": 8080 });
        from_value(json!({ "metadata": metadata, "spec": spec })).unwrap()
    }

    #[test]
    fn children_are_what_the_spec_asks_for() {
        let mut obj = sample();
        obj.spec.resources = Some(from_value(json!({ "limits": { "cpu": "1" } })).unwrap());
        let deployment = to_value(deployment(&obj)).unwrap();
        assert_eq!(deployment["spec"]["replicas"], 2);
        let template = &deployment["spec"]["template"];
        assert_eq!(
            template["metadata"]["labels"],
            deployment["spec"]["selector"]["matchLabels"]
        );
        let container = &template["spec"]["containers"][0];
        assert_eq!(container["image"], "example:1");
        assert_eq!(container["ports"][0]["containerPort"], 8080);
        assert_eq!(container["resources"]["limits"]["cpu"], "1");

        let service = to_value(service(&obj)).unwrap();
        assert_eq!(service["metadata"]["name"], "sample");
        assert_eq!(service["spec"]["selector"], template["metadata"]["labels"]);
        assert_eq!(service["spec"]["ports"][0]["port"], 8080);
    }

    /// Makes one pass after another, on a cluster in memory.
    #[tokio::test]
    async fn status_follows_the_deployment_and_settles() {
        let cluster = FakeCluster::new();
        cluster.insert(sample());
        let pass = async || {
            let obj = cluster.list::<WebServer>().remove(0);
            let ctx = cluster.context(controller(), ());
            reconcile(Arc::new(obj), ctx).await.unwrap();
            let status = cluster.list::<WebServer>().remove(0).status.unwrap();
            conditions::is_true(&status.conditions, "Ready")
        };
        assert!(!pass().await);

        let waiting = json!({ "reason": "ImagePullBackOff", "message": "no such image" });
        let container = json!({ "name": "main", "state": { "waiting": waiting } });
        let deployment = cluster.list::<Deployment>().remove(0);
        let pod = json!({
            "metadata": {
                "name": "pod",
                "namespace": deployment.metadata.namespace,
                "labels": deployment.spec.selector.match_labels,
            },
            "status": { "containerStatuses": [container] },
        });
        cluster.insert(from_value::<Pod>(pod).unwrap());
        assert!(!pass().await);
        let status = cluster.list::<WebServer>().remove(0).status.unwrap();
        let said = "0 of 2 replicas are ready: ImagePullBackOff: no such image";
        assert_eq!(status.conditions[0].message, said);

        let mut deployment = cluster.list::<Deployment>().remove(0);
        let counts = json!({
            "observedGeneration": 1, "replicas": 2, "readyReplicas": 2, "updatedReplicas": 2,
        });
        deployment.status = Some(from_value(counts).unwrap());
        cluster.insert(deployment);
        assert!(pass().await);

        let writes = cluster.writes();
        assert!(pass().await);
        assert_eq!(cluster.writes(), writes, "each pass would write again");
    }
}
