//! The kind, and its reconciler: the published text of a document is a ConfigMap.

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, ListParams, Patch, PatchParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::events::{Event, EventType, Recorder};
use kube::runtime::watcher::Config;
use kube::{Client, CustomResource, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// A document that is shown or hidden.
#[derive(CustomResource, Deserialize, Serialize, Clone, Debug, JsonSchema)]
#[kube(kind = "Document", group = "docs.example.com", version = "v1", namespaced)]
#[kube(status = "DocumentStatus", shortname = "doc")]
pub struct DocumentSpec {
    pub title: String,
    #[serde(default)]
    pub hide: bool,
    pub content: String,
}

#[derive(Deserialize, Serialize, Clone, Default, Debug, JsonSchema)]
pub struct DocumentStatus {
    pub hidden: bool,
}

pub struct Context {
    client: Client,
    recorder: Recorder,
}

#[derive(Debug)]
pub struct Error(kube::Error);

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

impl std::error::Error for Error {}

pub fn published(document: &Document) -> ConfigMap {
    let owners: Vec<_> = document.controller_owner_ref(&()).into_iter().collect();
    let text = if document.spec.hide { "" } else { &document.spec.content };
    serde_json::from_value(json!({
        "metadata": { "name": document.name_any(), "ownerReferences": owners },
        "data": { "title": document.spec.title, "text": text },
    }))
    .expect("a ConfigMap")
}

async fn reconcile(document: Arc<Document>, context: Arc<Context>) -> Result<Action, Error> {
    let namespace = document.namespace().unwrap_or_default();
    let name = document.name_any();
    let (force, hidden) = (PatchParams::apply("controller").force(), document.spec.hide);
    let maps: Api<ConfigMap> = Api::namespaced(context.client.clone(), &namespace);
    let mut map = json!(published(&document));
    map["apiVersion"] = "v1".into();
    map["kind"] = "ConfigMap".into();
    maps.patch(&name, &force, &Patch::Apply(&map)).await.map_err(Error)?;
    let was_hidden = document.status.as_ref().is_some_and(|status| status.hidden);
    if hidden && !was_hidden {
        let event = Event {
            type_: EventType::Normal,
            reason: "Hide".to_owned(),
            note: None,
            action: "Hiding".to_owned(),
            secondary: None,
        };
        context.recorder.publish(&event, &document.object_ref(&())).await.map_err(Error)?;
    }
    let documents: Api<Document> = Api::namespaced(context.client.clone(), &namespace);
    let status = json!({
        "apiVersion": "docs.example.com/v1", "kind": "Document", "status": { "hidden": hidden },
    });
    documents.patch_status(&name, &force, &Patch::Apply(&status)).await.map_err(Error)?;
    Ok(Action::await_change())
}

fn error_policy(_: Arc<Document>, error: &Error, _: Arc<Context>) -> Action {
    tracing::warn!("{error}");
    Action::requeue(Duration::from_secs(2))
}

pub async fn run(client: Client) {
    let documents = Api::<Document>::all(client.clone());
    if let Err(error) = documents.list(&ListParams::default().limit(1)).await {
        tracing::error!("the definition is not installed: {error}");
        std::process::exit(1);
    }
    let recorder = Recorder::new(client.clone(), "controller".into());
    let context = Arc::new(Context { client: client.clone(), recorder });
    Controller::new(documents, Config::default())
        .owns(Api::<ConfigMap>::all(client), Config::default())
        .run(reconcile, error_policy, context)
        .for_each(|_| std::future::ready(()))
        .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_documents_have_no_text() {
        let spec = DocumentSpec { title: "A".to_owned(), hide: true, content: "text".to_owned() };
        assert_eq!(published(&Document::new("a", spec)).data.unwrap()["text"], "");
    }

    #[tokio::test]
    #[ignore = "uses k8s current-context"]
    async fn the_server_takes_a_document() {
        let client = Client::try_default().await.unwrap();
        let documents: Api<Document> = Api::default_namespaced(client);
        let spec = DocumentSpec { title: "A".to_owned(), hide: false, content: "text".to_owned() };
        let apply = Patch::Apply(Document::new("taken", spec));
        let taken = documents.patch("taken", &PatchParams::apply("test"), &apply).await.unwrap();
        assert_eq!(taken.spec.title, "A");
    }
}
