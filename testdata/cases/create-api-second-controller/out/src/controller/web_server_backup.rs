//! Reconciles `WebServer` objects: each gets a CronJob.
//!
//! Another controller writes their status, as a whole: what this one has to say belongs elsewhere.
use api::v1alpha1::WebServer;
use k8s_openapi::api::batch::v1::{CronJob, CronJobSpec, JobSpec, JobTemplateSpec};
use k8s_openapi::api::core::v1::{Container, ContainerPort, PodSpec, PodTemplateSpec};
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller, restricted};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "web-server-backup";

/// What the pods run: any image that needs no root, and listens at the container's port.
const IMAGE: &str = "nginxinc/nginx-unprivileged:1.27";

type Labels = BTreeMap<String, String>;

/// Says what to watch: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<WebServer> {
    Controller::namespaced(NAME, reconcile).owns::<CronJob>()
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.com,resources=webservers,verbs=list;watch
// +opctl:rbac:groups=example.com,resources=webservers/finalizers,verbs=update
// +opctl:rbac:groups=batch,resources=cronjobs,verbs=create;list;patch;watch

/// Brings the world closer to what `obj` asks for.
///
/// Runs after every change and every failure, always from the top: whatever it does must be safe
/// to do again.
pub async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, cron_job(&obj)).await?;
    Ok(Action::done())
}

/// Labels on all children, and by which pods are selected. Selectors can never change.
fn labels(obj: &WebServer) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

/// Apart from what other controllers make for the same object.
fn child_name(obj: &WebServer) -> String {
    format!("{}-{NAME}", obj.name_any())
}

fn metadata(obj: &WebServer) -> ObjectMeta {
    let (name, labels) = (Some(child_name(obj)), Some(labels(obj)));
    ObjectMeta {
        name,
        labels,
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

fn cron_job(obj: &WebServer) -> CronJob {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn children_are_named_after_owner_and_controller() {
        let mut object = json!({
            "spec": { "message": "Hello" },
        });
        object["metadata"]["name"] = "sample".into();
        let obj = serde_json::from_value(object).unwrap();
        assert_eq!(cron_job(&obj).name_any(), child_name(&obj));
    }
}
