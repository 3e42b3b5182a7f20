//! What every controller needs and kube leaves open. Nothing here knows a kind, and all of it is
//! yours to change.
mod apply;
mod backoff;
mod children;
mod client;
pub mod conditions;
pub mod controller;
pub mod finalizer;
mod health;
mod leader;
pub mod manager;
mod metrics;
mod process;
mod server;
mod settings;
pub mod telemetry;
mod tls;
mod worker;

use children::{Children, Key};
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::{Client, Resource, ResourceExt};
use manager::Shared;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

/// The operator's name in the cluster: in its field managers, labels and events.
pub const NAME: &str = env!("CARGO_PKG_NAME");

/// A kind that can be reconciled: every type that derives `CustomResource`, and every built-in one.
pub trait Object:
    Resource<DynamicType = (), Scope: 'static>
    + Clone
    + Debug
    + DeserializeOwned
    + Send
    + Sync
    + 'static
{
}

impl<K> Object for K where
    K: Resource<DynamicType = (), Scope: 'static>
        + Clone
        + Debug
        + DeserializeOwned
        + Send
        + Sync
        + 'static
{
}

/// What every reconciler is handed: add what yours need.
pub struct Context {
    pub client: Client,
    /// Owns the fields that are applied. Under a new name, the old ones could not be removed.
    field_manager: String,
    recorder: Recorder,
    children: Vec<Children>,
    /// The versions that the operator's own writes made, until its watch has seen them.
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
            recorder: Recorder::new(shared.client.clone(), reporter),
            client: shared.client.clone(),
            field_manager,
            children,
            written: Mutex::default(),
        }
    }

    /// Tells the user what has happened: `kubectl describe` shows it.
    pub async fn note(&self, obj: &impl Resource<DynamicType = ()>, reason: &str, note: &str) {
        self.publish(obj, EventType::Normal, reason, note).await;
    }

    /// Tells the user what is wrong.
    pub async fn warn(&self, obj: &impl Resource<DynamicType = ()>, reason: &str, note: &str) {
        self.publish(obj, EventType::Warning, reason, note).await;
    }

    async fn publish<K>(&self, obj: &K, type_: EventType, reason: &str, note: &str)
    where
        K: Resource<DynamicType = ()>,
    {
        let event = Event {
            type_,
            reason: reason.into(),
            note: Some(note.chars().take(1000).collect()),
            action: "Reconcile".into(),
            secondary: None,
        };
        let regarding = obj.object_ref(&());
        let publish = self.recorder.publish(&event, &regarding);
        if let Ok(Err(error)) = timeout(Duration::from_secs(10), publish).await {
            tracing::warn!(reason, "event cannot be published: {error}");
        }
    }

    /// Whether the store lags behind what the operator itself has written: its watch will catch up.
    fn is_outdated(&self, obj: &impl ResourceExt) -> bool {
        let written = self.written();
        let version = written.get(&children::key(obj));
        version.is_some_and(|version| children::version(obj) < *version)
    }

    /// Whether a change is one of the operator's own, which it need not react to.
    fn is_echo(&self, obj: &impl ResourceExt) -> bool {
        let (key, version) = (children::key(obj), children::version(obj));
        let mut written = self.written();
        match written.get(&key) {
            Some(own) if version >= *own => written.remove(&key) == Some(version),
            _ => false,
        }
    }

    fn wrote(&self, obj: Key, version: u64) {
        self.written().insert(obj, version);
    }

    fn forget(&self, key: &Key) {
        self.written().remove(key);
    }

    fn written(&self) -> MutexGuard<'_, HashMap<Key, u64>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
