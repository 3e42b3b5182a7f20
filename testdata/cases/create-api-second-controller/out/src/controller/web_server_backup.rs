//! Reconciles `WebServer` objects: each gets a CronJob.
//!
//! Another controller writes their whole status: this controller has to report elsewhere.
use api::v1alpha1::WebServer;
use k8s_openapi::api::batch::v1::{CronJob, CronJobSpec, JobSpec, JobTemplateSpec};
use k8s_openapi::api::core::v1::{Container, ContainerPort, PodSpec, PodTemplateSpec};
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller, restricted};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "web-server-backup";

/// The image that the pods run: any image that needs no root, and listens at the container's port.
const IMAGE: &str = "nginxinc/nginx-unprivileged:1.27";

type Labels = BTreeMap<String, String>;

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<WebServer> {
    Controller::namespaced(NAME, reconcile).owns::<CronJob>()
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.com,resources=webservers,verbs=list;watch
// +opctl:rbac:groups=example.com,resources=webservers/finalizers,verbs=update
// +opctl:rbac:groups=batch,resources=cronjobs,verbs=create;list;patch;watch

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
pub async fn reconcile(obj: Arc<WebServer>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, cron_job(&obj)).await?;
    Ok(Action::done())
}

/// Returns the labels of all children, by which pods are also selected. Selectors are immutable.
fn labels(obj: &WebServer) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

/// Returns a name that differs from the children of other controllers of the same object.
fn child_name(obj: &WebServer) -> String {
    format!("{}-{NAME}", obj.name_any())
}

fn metadata(obj: &WebServer) -> ObjectMeta {
    ObjectMeta {
        name: Some(child_name(obj)),
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
