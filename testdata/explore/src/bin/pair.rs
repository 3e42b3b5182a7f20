//! A correct operator of two kinds that refer to each other: a Worker names a Queue, whose length its ConfigMap has; a Queue
//! counts its Workers, and is not deleted while there are any.

#[path = "../kit.rs"]
mod kit;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kit::{api, apply, child, retry, tell};
use kube::api::ListParams;
use kube::runtime::controller::Action;
use kube::runtime::finalizer::{Error, Event, finalizer};
use kube::runtime::reflector::ObjectRef;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Queue", namespaced, status = "Value")]
struct QueueSpec {
    length: i32,
}

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Worker", namespaced, status = "Value")]
struct WorkerSpec {
    queue: String,
    threads: i32,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let (client, any) = (kit::begin().await?, watcher::Config::default());
    let (queues, workers) = (Api::<Queue>::all(client.clone()), Api::<Worker>::all(client.clone()));
    let of_workers = Controller::new(workers.clone(), any.clone());
    let store = of_workers.store();
    let users = move |queue: Queue| {
        let name = queue.name_any();
        let users = store.state().into_iter().filter(move |worker| worker.spec.queue == name);
        users.map(|worker| ObjectRef::from_obj(&*worker)).collect::<Vec<_>>()
    };
    let of_workers = of_workers
        .owns(Api::<ConfigMap>::all(client.clone()), any.clone())
        .watches(queues.clone(), any.clone(), users)
        .run(work, retry, Arc::new(client.clone()))
        .for_each(|_| std::future::ready(()));
    let used = |worker: Worker| Some(ObjectRef::<Queue>::new(&worker.spec.queue).within(&worker.namespace()?));
    let of_queues = Controller::new(queues, any.clone())
        .watches(workers, any, used)
        .run(line_up, retry, Arc::new(client))
        .for_each(|_| std::future::ready(()));
    tokio::join!(of_workers, of_queues);
    Ok(())
}

async fn work(worker: Arc<Worker>, client: Arc<Client>) -> kube::Result<Action> {
    if worker.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let queues: Api<Queue> = api(&*worker, &client);
    let Some(queue) = queues.get_opt(&worker.spec.queue).await? else {
        tell(&*worker, &client, json!({ "message": "the queue is missing" }), false).await?;
        return Ok(Action::await_change());
    };
    let data = json!({ "length": queue.spec.length.to_string(), "threads": worker.spec.threads.to_string() });
    let map = json!({ "metadata": child(&*worker, &worker.name_any()), "data": data });
    apply::<ConfigMap>(&*worker, &client, map).await?;
    tell(&*worker, &client, json!({ "message": "" }), true).await?;
    Ok(Action::requeue(Duration::from_secs(600)))
}

async fn line_up(queue: Arc<Queue>, client: Arc<Client>) -> Result<Action, Error<kube::Error>> {
    let queues: Api<Queue> = api(&*queue, &client);
    finalizer(&queues, "example.com/queue", queue, |event| async {
        match event {
            Event::Apply(queue) => {
                let workers = workers(&queue, &client).await?;
                tell(&*queue, &client, json!({ "workers": workers }), true).await?;
                Ok(Action::await_change())
            }
            Event::Cleanup(queue) => {
                while workers(&queue, &client).await? > 0 {
                    tokio::time::sleep(Duration::from_millis(300)).await;
                }
                Ok(Action::await_change())
            }
        }
    })
    .await
}

async fn workers(queue: &Queue, client: &Client) -> kube::Result<usize> {
    let workers = api::<Worker>(queue, client).list(&ListParams::default()).await?;
    Ok(workers.iter().filter(|worker| worker.spec.queue == queue.name_any()).count())
}
