//! Reconciles `WebApp` objects: each gets a Deployment and a Service.
// ANCHOR: imports
use api::apps::v1::{WebApp, WebAppStatus};
use k8s_openapi::api::apps::v1::{Deployment, DeploymentCondition};
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use kube::ResourceExt;
use runtime::{Action, Context, Controller, Name, Watch, conditions};
use serde_json::{Value, from_value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
// ANCHOR_END: imports

// ANCHOR: controller
/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "apps-webapp";

type Labels = BTreeMap<String, String>;

/// How often pods were replaced because their ConfigMap changed, since the operator has started.
pub type Restarts = Mutex<u32>;

/// Says what to watch: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<WebApp, Restarts> {
    Controller::namespaced(NAME, reconcile)
        .objects(Watch::new().predicate(|before: &WebApp, after| before.spec != after.spec))
        .owns::<Deployment>()
        .owns::<Service>()
        .watches_metadata(Watch::<ConfigMap>::new(), |app| {
            app.spec.config_map.iter().map(Name::from).collect()
        })
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=apps.example.com,resources=webapps,verbs=list;watch
// +opctl:rbac:groups=apps.example.com,resources=webapps/status,verbs=patch
// +opctl:rbac:groups=apps.example.com,resources=webapps/finalizers,verbs=update
// +opctl:rbac:groups=apps,resources=deployments,verbs=create;list;patch;watch
// +opctl:rbac:groups="",resources=services,verbs=create;delete;list;patch;watch
// +opctl:rbac:groups="",resources=configmaps,verbs=list;watch
// ANCHOR_END: controller

// ANCHOR: reconcile
/// Brings the world closer to what `obj` asks for.
///
/// Runs after every change and every failure, always from the top: whatever it does must be safe
/// to do again.
pub async fn reconcile(obj: Arc<WebApp>, ctx: Arc<Context<Restarts>>) -> anyhow::Result<Action> {
    let config_map = match &obj.spec.config_map {
        Some(name) => ctx.get::<ConfigMap>(&*obj, name).await?,
        None => None,
    };
    let version = config_map.and_then(|config_map| config_map.resource_version());
    let before = ctx.children::<Deployment>(&*obj)?;
    let desired: Deployment = from_value(deployment(&obj, version.as_deref()))?;
    if before.iter().any(|before| pods(before) != pods(&desired)) {
        let mut restarts = ctx.state.lock().unwrap();
        *restarts += 1;
        tracing::info!(restarts = *restarts, "replacing the pods");
    }
    let deployment = ctx.apply(&*obj, desired).await?;
    if obj.spec.exposed.unwrap_or(true) {
        let desired: Service = from_value(service(&obj))?;
        ctx.apply(&*obj, desired).await?;
    } else {
        ctx.remove::<Service>(&*obj, obj.name_any()).await?;
    }

    let status = status(&obj, &deployment);
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
// ANCHOR_END: reconcile

// ANCHOR: children
/// Which pods the Deployment and the Service mean. A Deployment can never change it.
fn labels(obj: &WebApp) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

/// The annotations of its pods.
fn pods(deployment: &Deployment) -> Option<&Labels> {
    let metadata = deployment.spec.template.metadata.as_ref();
    metadata?.annotations.as_ref()
}

/// With another version of the ConfigMap, the pods are replaced.
fn deployment(obj: &WebApp, config_version: Option<&str>) -> Value {
    let labels = labels(obj);
    let annotations =
        config_version.map(|version| json!({ "example.com/config-version": version }));
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
                "metadata": { "labels": labels, "annotations": annotations },
                "spec": { "containers": [container], "securityContext": security },
            },
            // After so long without a new pod that is ready, the object is Degraded.
            "progressDeadlineSeconds": 10,
        },
    })
}

fn service(obj: &WebApp) -> Value {
    json!({
        "metadata": { "name": obj.name_any(), "labels": labels(obj) },
        "spec": {
            "selector": labels(obj),
            "ports": [{ "name": "main", "port": obj.spec.port, "targetPort": "main" }],
        },
    })
}
// ANCHOR_END: children

// ANCHOR: status
/// What to report. A function of its arguments alone, so that a unit test covers it.
fn status(obj: &WebApp, deployment: &Deployment) -> WebAppStatus {
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
        let conditions = observed.conditions.iter().flatten();
        conditions.filter(|_| current).find(is)
    };
    let updated = observed.updated_replicas.unwrap_or(0);
    let ready = current && [replicas, ready_replicas, updated] == [desired; 3];
    let available = ready || says("Available", "True").is_some();
    let failure = says("ReplicaFailure", "True").or_else(|| says("Progressing", "False"));
    let failed = failure.is_some();
    let progressing = !ready && !failed;

    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    let count = format!("{ready_replicas} of {desired} replicas are ready");
    let cause = failure.and_then(|failure| failure.message.as_deref());
    let mut set = |type_, status, [no, yes]: [&str; 2]| {
        let message = cause.filter(|_| type_ == "Degraded").unwrap_or(&count);
        let new = conditions::new(type_, status, if status { yes } else { no }, message);
        conditions::set(&mut conditions, generation, new);
    };
    set("Ready", ready, ["ReplicasMissing", "ReplicasReady"]);
    set("Available", available, ["TooFewReplicas", "EnoughReplicas"]);
    set("Progressing", progressing, ["Settled", "RollingOut"]);
    set("Degraded", failed, ["AsExpected", "DeploymentFailed"]);

    let labels = labels(obj);
    let selector: Vec<_> = labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
    WebAppStatus {
        observed_generation: generation,
        replicas,
        ready_replicas,
        available_replicas: observed.available_replicas.unwrap_or(0),
        selector: selector.join(","),
        conditions,
    }
}
// ANCHOR_END: status

// ANCHOR: tests
#[cfg(test)]
mod tests {
    use super::*;
    use runtime::testing::FakeCluster;
    use serde_json::to_value;

    fn sample() -> WebApp {
        let metadata = json!({ "name": "sample", "namespace": "default", "generation": 2 });
        let spec = json!({ "replicas": 2, "image": "example:1", "port": 8080 });
        from_value(json!({ "metadata": metadata, "spec": spec })).unwrap()
    }

    fn statuses(obj: &WebApp, deployment: Value) -> Vec<String> {
        let status = status(obj, &from_value(deployment).unwrap());
        let all = status.conditions.iter();
        all.map(|one| format!("{}={}", one.type_, one.status))
            .collect()
    }

    #[test]
    fn children_are_what_the_spec_asks_for() {
        let mut obj = sample();
        obj.spec.resources = Some(from_value(json!({ "limits": { "cpu": "1" } })).unwrap());
        let deployment = deployment(&obj, Some("1"));
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

    /// One pass after another, on a cluster in memory.
    #[tokio::test]
    async fn pods_follow_the_config_map_and_the_service_is_a_choice() {
        let cluster = FakeCluster::new();
        let mut app = sample();
        app.spec.config_map = Some("settings".into());
        app.spec.exposed = Some(false);
        cluster.insert(app);
        let restarts = Arc::new(Restarts::default());
        let pass = async || {
            let app = cluster.list::<WebApp>().remove(0);
            let ctx = cluster.context(controller(), restarts.clone());
            reconcile(Arc::new(app), ctx).await.unwrap();
            let deployment = cluster.list::<Deployment>().remove(0);
            pods(&deployment).cloned()
        };
        assert_eq!(pass().await, None);
        assert!(cluster.list::<Service>().is_empty());

        let settings = json!({ "metadata": { "name": "settings", "namespace": "default" } });
        let settings: ConfigMap = from_value(settings).unwrap();
        let first = cluster.insert(settings.clone()).resource_version();
        assert_eq!(pass().await.unwrap().into_values().next(), first);
        let second = cluster.insert(settings).resource_version();
        assert_eq!(pass().await.unwrap().into_values().next(), second);
        assert_eq!(*restarts.lock().unwrap(), 2);

        let mut app = cluster.list::<WebApp>().remove(0);
        app.spec.exposed = None;
        cluster.insert(app.clone());
        pass().await;
        assert_eq!(cluster.list::<Service>().len(), 1);
        app.spec.exposed = Some(false);
        cluster.insert(app);
        pass().await;
        assert!(cluster.list::<Service>().is_empty());

        let writes = cluster.writes();
        pass().await;
        assert_eq!(cluster.writes(), writes, "each pass would write again");
    }
}
// ANCHOR_END: tests
