//! A correct operator: a Cellar gets a Service and a StatefulSet with claims. A finalizer deletes the StatefulSet, waits until
//! its pods are gone, and then deletes the claims, which would be left otherwise.

#[path = "../kit.rs"]
mod kit;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::{PersistentVolumeClaim, Pod, Service};
use kit::{Object, api, apply, child, remove, retry, tell};
use kube::api::ListParams;
use kube::runtime::controller::Action;
use kube::runtime::finalizer::{Error, Event, finalizer};
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, CustomResource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Cellar", namespaced, status = "Value")]
struct CellarSpec {
    replicas: i32,
    image: String,
    size: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let (client, any) = (kit::begin().await?, watcher::Config::default());
    Controller::new(Api::<Cellar>::all(client.clone()), any.clone())
        .owns(Api::<StatefulSet>::all(client.clone()), any.clone())
        .owns(Api::<Service>::all(client.clone()), any)
        .run(reconcile, retry, Arc::new(client))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

async fn reconcile(cellar: Arc<Cellar>, client: Arc<Client>) -> Result<Action, Error<kube::Error>> {
    let cellars: Api<Cellar> = api(&*cellar, &client);
    finalizer(&cellars, "example.com/cellar", cellar, |event| async {
        match event {
            Event::Apply(cellar) => keep(&cellar, &client).await,
            Event::Cleanup(cellar) => clear(&cellar, &client).await,
        }
    })
    .await
}

async fn keep(cellar: &Cellar, client: &Client) -> kube::Result<Action> {
    let name = cellar.name_any();
    let service = json!({
        "metadata": child(cellar, &name),
        "spec": { "clusterIP": "None", "selector": { "of": name }, "ports": [{ "port": 80 }] },
    });
    apply::<Service>(cellar, client, service).await?;
    let set = apply::<StatefulSet>(cellar, client, stateful_set(cellar)).await?;
    let ready = set.status.and_then(|status| status.ready_replicas).unwrap_or(0);
    tell(cellar, client, json!({ "ready": ready }), ready == cellar.spec.replicas).await?;
    Ok(Action::requeue(Duration::from_secs(600)))
}

fn stateful_set(cellar: &Cellar) -> Value {
    let name = cellar.name_any();
    let container = json!({
        "name": "main", "image": cellar.spec.image, "volumeMounts": [{ "name": "data", "mountPath": "/data" }],
    });
    json!({
        "metadata": child(cellar, &name),
        "spec": {
            "serviceName": name,
            "replicas": cellar.spec.replicas,
            "selector": { "matchLabels": { "of": name } },
            "template": { "metadata": { "labels": { "of": name } }, "spec": { "containers": [container] } },
            "volumeClaimTemplates": [{
                "metadata": { "name": "data", "labels": { "of": name } },
                "spec": {
                    "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": cellar.spec.size } },
                },
            }],
        },
    })
}

async fn clear(cellar: &Cellar, client: &Client) -> kube::Result<Action> {
    let ours = ListParams::default().labels(&format!("of={}", cellar.name_any()));
    remove::<StatefulSet>(cellar, client, &cellar.name_any()).await?;
    while !names::<Pod>(cellar, client, &ours).await?.is_empty() {
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    for claim in names::<PersistentVolumeClaim>(cellar, client, &ours).await? {
        remove::<PersistentVolumeClaim>(cellar, client, &claim).await?;
    }
    Ok(Action::await_change())
}

async fn names<K: Object>(cellar: &Cellar, client: &Client, which: &ListParams) -> kube::Result<Vec<String>> {
    Ok(api::<K>(cellar, client).list(which).await?.iter().map(ResourceExt::name_any).collect())
}
