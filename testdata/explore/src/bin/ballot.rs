//! A correct operator without a Deployment: a Ballot gets pods, takes those over that have its label and no owner, replaces those
//! that have ended, and labels one that is ready as the leader.

#[path = "../kit.rs"]
mod kit;

use futures::StreamExt;
use k8s_openapi::api::core::v1::Pod;
use kit::{api, child, create, has, owns, remove, retry, tell};
use kube::api::{ListParams, Patch, PatchParams};
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Ballot", namespaced, status = "Value")]
struct BallotSpec {
    members: usize,
    image: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let (client, any) = (kit::begin().await?, watcher::Config::default());
    Controller::new(Api::<Ballot>::all(client.clone()), any.clone())
        .owns(Api::<Pod>::all(client.clone()), any)
        .run(reconcile, retry, Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

async fn reconcile(ballot: Arc<Ballot>, client: Arc<Client>) -> kube::Result<Action> {
    if ballot.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let pods: Api<Pod> = api(&*ballot, &client);
    adopt(&ballot, &pods).await?;
    let wanted: Vec<String> =
        (0..ballot.spec.members).map(|member| format!("{}-{member}", ballot.name_any())).collect();
    for (name, pod) in members(&ballot, &pods).await?.iter().map(|pod| (pod.name_any(), pod)) {
        let image = pod.spec.as_ref().and_then(|spec| spec.containers.first()?.image.clone());
        let ended = pod.status.as_ref().and_then(|status| status.phase.as_deref()) == Some("Failed");
        let leaves = pod.metadata.deletion_timestamp.is_some();
        if !leaves && (ended || !wanted.contains(&name) || image.as_ref() != Some(&ballot.spec.image)) {
            remove::<Pod>(&*ballot, &client, &name).await?;
        }
    }
    for name in &wanted {
        create::<Pod>(&*ballot, &client, pod(&ballot, name)).await?;
    }
    elect(&ballot, &client, &pods).await?;
    Ok(Action::requeue(Duration::from_secs(600)))
}

fn pod(ballot: &Ballot, name: &str) -> Value {
    json!({
        "metadata": child(ballot, name),
        "spec": { "containers": [{ "name": "main", "image": ballot.spec.image }], "terminationGracePeriodSeconds": 1 },
    })
}

/// Returns the pods that belong to the ballot, with its label or without.
async fn members(ballot: &Ballot, pods: &Api<Pod>) -> kube::Result<Vec<Pod>> {
    let all = pods.list(&ListParams::default()).await?;
    Ok(all.into_iter().filter(|pod| owns(ballot, pod)).collect())
}

/// Takes pods over that have the label and no owner.
async fn adopt(ballot: &Ballot, pods: &Api<Pod>) -> kube::Result<()> {
    let ours = ListParams::default().labels(&format!("of={}", ballot.name_any()));
    for orphan in pods.list(&ours).await?.iter().filter(|pod| pod.owner_references().is_empty()) {
        let owners = json!([ballot.controller_owner_ref(&())]);
        let patch = json!({ "metadata": { "uid": orphan.uid(), "ownerReferences": owners } });
        pods.patch(&orphan.name_any(), &PatchParams::default(), &Patch::Merge(patch)).await?;
    }
    Ok(())
}

/// Labels the first ready pod as the leader, unless a ready one is; takes the label from others.
async fn elect(ballot: &Ballot, client: &Client, pods: &Api<Pod>) -> kube::Result<()> {
    let all = members(ballot, pods).await?;
    let ready: Vec<&Pod> =
        all.iter().filter(|pod| has(pod, "Ready") && pod.metadata.deletion_timestamp.is_none()).collect();
    let leads = |pod: &&&Pod| pod.labels().get("role").is_some_and(|role| role == "leader");
    let leader = ready.iter().find(leads).or(ready.first()).map(|pod| pod.name_any());
    for pod in &all {
        let (is, should) = (leads(&&pod), Some(pod.name_any()) == leader);
        if is != should {
            let role = should.then_some("leader");
            let patch = Patch::Merge(json!({ "metadata": { "labels": { "role": role } } }));
            pods.patch(&pod.name_any(), &PatchParams::default(), &patch).await?;
        }
    }
    let is_whole = ready.len() == ballot.spec.members;
    tell(ballot, client, json!({ "leads": leader.is_some() }), is_whole && leader.is_some()).await
}
