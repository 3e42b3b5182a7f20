//! Reconciles `Backup` objects: each gets a Job and a Secret.
use api::v1alpha1::{Backup, BackupStatus};
use k8s_openapi::ByteString;
use k8s_openapi::api::batch::v1::{Job, JobSpec};
use k8s_openapi::api::core::v1::{Container, ContainerPort, PodSpec, PodTemplateSpec, Secret};
use kube::ResourceExt;
use kube::api::ObjectMeta;
use runtime::{Action, Context, Controller, conditions, random_text, restricted};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of this controller in metrics, in events, and in the field manager of what it applies.
const NAME: &str = "backup";

/// The image that the pods run: any image that needs no root, and listens at the container's port.
const IMAGE: &str = "nginxinc/nginx-unprivileged:1.27";

type Labels = BTreeMap<String, String>;

/// Makes the controller: add `.owns::<Kind>()` for each kind that `reconcile` applies.
pub fn controller() -> Controller<Backup> {
    Controller::namespaced(NAME, reconcile)
        .owns::<Job>()
        .owns::<Secret>()
        .conditions(|status| &mut status.conditions)
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=example.com,resources=backups,verbs=list;watch
// +opctl:rbac:groups=example.com,resources=backups/status,verbs=patch
// +opctl:rbac:groups=example.com,resources=backups/finalizers,verbs=update
// +opctl:rbac:groups=batch,resources=jobs,verbs=create;list;patch;watch
// +opctl:allow:OP407 reason="it owns Secrets, and their names are not known here"
// +opctl:rbac:groups="",resources=secrets,verbs=create;list;patch;watch

/// Brings the cluster closer to the state that `obj` asks for.
///
/// Runs after every change and every failure, always from the top: it must be idempotent.
pub async fn reconcile(obj: Arc<Backup>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ctx.apply(&*obj, job(&obj)).await?;
    ctx.create_once(&*obj, secret(&obj)).await?;
    ctx.apply_status(&*obj, status(&obj)).await?;
    Ok(Action::done())
}

/// Returns the labels of all children, by which pods are also selected. Selectors are immutable.
fn labels(obj: &Backup) -> Labels {
    Labels::from([
        ("app.kubernetes.io/name".into(), NAME.into()),
        ("app.kubernetes.io/instance".into(), obj.name_any()),
    ])
}

fn metadata(obj: &Backup) -> ObjectMeta {
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

fn job(obj: &Backup) -> Job {
    // A Job's pods cannot be changed: to run it again, delete it or give it another name.
    Job {
        metadata: metadata(obj),
        spec: Some(job_spec()),
        ..Default::default()
    }
}

/// The password is made once: where the Secret is there, `create_once` leaves it as it is.
fn secret(obj: &Backup) -> Secret {
    let password = ByteString(random_text(32).into_bytes());
    Secret {
        metadata: metadata(obj),
        data: Some(BTreeMap::from([("password".into(), password)])),
        ..Default::default()
    }
}

/// Returns the status to report. It depends on the argument alone, so that a unit test covers it.
fn status(obj: &Backup) -> BackupStatus {
    let generation = obj.metadata.generation;
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    // An object is `Ready` when everything is there that its spec asks for: say so once it is.
    let message = &format!("children of `{}` are not checked yet", obj.spec.message);
    let ready = conditions::new("Ready", false, "NotImplemented", message);
    conditions::set(&mut conditions, generation, ready);
    BackupStatus {
        observed_generation: generation,
        conditions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sample() -> Backup {
        let metadata = json!({ "name": "sample", "generation": 2 });
        let spec = json!({});
        serde_json::from_value(json!({ "metadata": metadata, "spec": spec })).unwrap()
    }

    #[test]
    fn children_bear_the_name_of_their_owner() {
        let obj = sample();
        assert_eq!(job(&obj).name_any(), "sample");
        assert_eq!(secret(&obj).name_any(), "sample");
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
