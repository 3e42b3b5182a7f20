//! Reconciles `WhaleSay` objects: each gets a Job, which runs once.
// ANCHOR: imports
use api::v1alpha1::{WhaleSay, WhaleSayStatus};
use k8s_openapi::api::batch::v1::Job;
use kube::api::DeleteParams;
use kube::{Api, ResourceExt};
use runtime::{Action, Context, Controller, conditions};
use serde_json::{from_value, json};
use std::sync::Arc;
// ANCHOR_END: imports

// ANCHOR: controller
/// Names this controller in flags, metrics, events, and as the owner of the fields that it applies.
const NAME: &str = "whalesay";

pub fn controller() -> Controller<WhaleSay> {
    Controller::namespaced(NAME, reconcile).owns::<Job>()
}

// What `reconcile` may do; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=devsectim.io,resources=whalesays,verbs=list;watch
// +opctl:rbac:groups=devsectim.io,resources=whalesays/status,verbs=patch
// +opctl:rbac:groups=devsectim.io,resources=whalesays/finalizers,verbs=update
// +opctl:rbac:groups=batch,resources=jobs,verbs=create;delete;list;patch;watch
// ANCHOR_END: controller

// ANCHOR: reconcile
pub async fn reconcile(obj: Arc<WhaleSay>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let job = match ctx.apply(&*obj, job(&obj)?).await {
        Err(error) if is_immutable(&error) => {
            let namespace = obj.namespace().unwrap_or_default();
            let jobs = Api::<Job>::namespaced(ctx.client.clone(), &namespace);
            jobs.delete(&job_name(&obj), &DeleteParams::background())
                .await?;
            // The end of the old Job is a change too: the pass after it makes the new one.
            return Ok(Action::done());
        }
        job => job?,
    };
    ctx.apply_status(&*obj, status(&obj, &job)).await?;
    Ok(Action::done())
}
// ANCHOR_END: reconcile

// ANCHOR: children
/// What a Job runs can never be changed: another message needs another Job.
fn is_immutable(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<kube::Error>();
    matches!(error, Some(kube::Error::Api(status))
        if status.is_invalid() && status.message.contains("field is immutable"))
}

fn job_name(obj: &WhaleSay) -> String {
    format!("{}-job", obj.name_any())
}

fn job(obj: &WhaleSay) -> serde_json::Result<Job> {
    let container = json!({
        "name": "whalesay",
        "image": "docker/whalesay",
        "command": ["cowsay"],
        "args": [obj.spec.message],
    });
    let pod = json!({ "restartPolicy": "Never", "containers": [container] });
    from_value(json!({
        "metadata": { "name": job_name(obj) },
        "spec": { "backoffLimit": 2, "template": { "spec": pod } },
    }))
}
// ANCHOR_END: children

// ANCHOR: status
fn status(obj: &WhaleSay, job: &Job) -> WhaleSayStatus {
    let observed = job.status.clone().unwrap_or_default();
    let says = |type_: &str| {
        let mut conditions = observed.conditions.iter().flatten();
        conditions.find(|one| one.type_ == type_ && one.status == "True")
    };
    let complete = match (says("Complete"), says("Failed")) {
        (Some(_), _) => conditions::new("Complete", true, "Said", &obj.spec.message),
        (None, Some(failed)) => {
            let message = failed.message.as_deref().unwrap_or_default();
            conditions::new("Complete", false, "Failed", message)
        }
        (None, None) => conditions::new("Complete", false, "Running", &obj.spec.message),
    };
    let generation = obj.metadata.generation;
    let mut conditions = obj.status.clone().unwrap_or_default().conditions;
    conditions::set(&mut conditions, generation, complete);
    WhaleSayStatus {
        observed_generation: generation,
        completion_time: observed.completion_time,
        conditions,
    }
}
// ANCHOR_END: status

// ANCHOR: tests
#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> WhaleSay {
        from_value(json!({
            "metadata": { "name": "sample", "generation": 2 },
            "spec": { "message": "Hello" },
        }))
        .unwrap()
    }

    #[test]
    fn the_job_says_the_message() {
        let pod = job(&sample()).unwrap().spec.unwrap().template.spec.unwrap();
        assert_eq!(pod.containers[0].args, Some(vec!["Hello".to_owned()]));
    }

    #[test]
    fn status_follows_the_job_and_settles() {
        let mut obj = sample();
        let with = |type_| {
            let condition = json!({ "type": type_, "status": "True" });
            from_value(json!({ "status": { "conditions": [condition] } })).unwrap()
        };
        let reason = |job: &Job| status(&sample(), job).conditions[0].reason.clone();
        assert_eq!(reason(&Job::default()), "Running");
        assert_eq!(reason(&with("Failed")), "Failed");
        assert_eq!(reason(&with("Complete")), "Said");

        let first = status(&obj, &with("Complete"));
        obj.status = Some(first.clone());
        assert_eq!(status(&obj, &with("Complete")), first);
    }
}
// ANCHOR_END: tests
