//! A correct operator: a Pipeline gets a Job for each of its steps, one after the other. A step that fails ends it, until its
//! image changes: each image has Jobs of its own, and those of other images are deleted.

#[path = "../kit.rs"]
mod kit;

use futures::StreamExt;
use k8s_openapi::api::batch::v1::Job;
use kit::{api, child, create, has, owns, remove, retry, tell};
use kube::api::ListParams;
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Pipeline", namespaced, status = "Value")]
struct PipelineSpec {
    image: String,
    steps: Vec<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let (client, any) = (kit::begin().await?, watcher::Config::default());
    Controller::new(Api::<Pipeline>::all(client.clone()), any.clone())
        .owns(Api::<Job>::all(client.clone()), any)
        .run(reconcile, retry, Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

async fn reconcile(pipeline: Arc<Pipeline>, client: Arc<Client>) -> kube::Result<Action> {
    if pipeline.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let jobs: Api<Job> = api(&*pipeline, &client);
    // By the owner: labels are taken away by mistake.
    let mut all = jobs.list(&ListParams::default()).await?.items;
    all.retain(|job| owns(&*pipeline, job));
    let wanted: Vec<String> = (0..pipeline.spec.steps.len()).map(|step| name(&pipeline, step)).collect();
    for old in all.iter().map(ResourceExt::name_any).filter(|name| !wanted.contains(name)) {
        remove::<Job>(&*pipeline, &client, &old).await?;
    }
    let find = |name: &String| all.iter().find(|job| job.name_any() == *name);
    for (step, name) in wanted.iter().enumerate() {
        match find(name) {
            Some(job) if has(job, "Complete") => {}
            Some(job) => {
                let phase = if has(job, "Failed") { "Failed" } else { "Running" };
                tell(&*pipeline, &client, json!({ "phase": phase, "step": step }), false).await?;
                return Ok(Action::await_change());
            }
            None => {
                create::<Job>(&*pipeline, &client, job(&pipeline, step)).await?;
                tell(&*pipeline, &client, json!({ "phase": "Running", "step": step }), false).await?;
                return Ok(Action::await_change());
            }
        }
    }
    tell(&*pipeline, &client, json!({ "phase": "Done", "step": wanted.len() }), true).await?;
    Ok(Action::await_change())
}

fn name(pipeline: &Pipeline, step: usize) -> String {
    let image: u32 = pipeline.spec.image.bytes().fold(7, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    format!("{}-{image:x}-{step}", pipeline.name_any())
}

fn job(pipeline: &Pipeline, step: usize) -> Value {
    let command = ["sh", "-c", &pipeline.spec.steps[step]];
    let pod = json!({
        "restartPolicy": "Never",
        "containers": [{ "name": "main", "image": pipeline.spec.image, "command": command }],
    });
    let template = json!({ "spec": pod });
    json!({ "metadata": child(pipeline, &name(pipeline, step)), "spec": { "backoffLimit": 2, "template": template } })
}
