//! What every controller needs and kube leaves open. Nothing here knows a kind, and all of it is
//! yours to change.
mod apply;
mod children;
pub mod conditions;
pub mod controller;
mod leader;
pub mod manager;
mod metrics;
mod server;
mod settings;
pub mod telemetry;
mod worker;

use children::{Children, Key};
use k8s_openapi::api::core::v1::ObjectReference;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::{Client, Resource, ResourceExt};
use manager::Shared;
use parking_lot::Mutex;
use std::{cmp::Ordering, collections::HashMap, time::Duration};
use tokio::time::timeout;

/// The operator's name in the cluster: in its field managers, labels and events.
pub const NAME: &str = env!("CARGO_PKG_NAME");

/// What every reconciler is handed: add what yours need.
pub struct Context {
    pub client: Client,
    /// Owns the fields that are applied. Under a new name, the old ones could not be removed.
    field_manager: String,
    children: Vec<Children>,
    recorder: Recorder,
    /// The version of an object that the operator's own last write made.
    written: Mutex<HashMap<Key, u64>>,
}

// What events need; `opctl manifests` turns this into config/rbac/role.yaml.
// +opctl:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

impl Context {
    fn new(shared: &Shared, controller: &str, children: Vec<Children>) -> Self {
        let field_manager = format!("{NAME}/{controller}");
        let reporter = Reporter {
            controller: field_manager.clone(),
            instance: Some(shared.identity.clone()),
        };
        Self {
            client: shared.client.clone(),
            field_manager,
            children,
            recorder: Recorder::new(shared.client.clone(), reporter),
            written: Mutex::default(),
        }
    }

    /// Tells the user what has happened: `kubectl describe` shows it.
    pub async fn note(&self, obj: &impl Resource<DynamicType = ()>, reason: &str, note: &str) {
        let about = obj.object_ref(&());
        self.publish(about, EventType::Normal, reason, note).await;
    }

    /// Tells the user what is wrong.
    pub async fn warn(&self, obj: &impl Resource<DynamicType = ()>, reason: &str, note: &str) {
        let about = obj.object_ref(&());
        self.publish(about, EventType::Warning, reason, note).await;
    }

    async fn publish(&self, about: ObjectReference, type_: EventType, reason: &str, note: &str) {
        let event = Event {
            type_,
            reason: reason.into(),
            note: Some(note.chars().take(1000).collect()),
            action: "Reconcile".into(),
            secondary: None,
        };
        let publish = self.recorder.publish(&event, &about);
        if let Ok(Err(error)) = timeout(Duration::from_secs(10), publish).await {
            tracing::warn!(reason, "event cannot be published: {error}");
        }
    }

    /// Less: the store lags behind what the operator itself has written, and its watch will catch
    /// up. Equal: that write, which it need not react to.
    fn compare(&self, obj: &impl ResourceExt) -> Ordering {
        let written = self.written.lock().get(&children::key(obj)).copied();
        children::version(obj).cmp(&written.unwrap_or(0))
    }
}
