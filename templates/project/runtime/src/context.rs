//! The second argument of every reconciler.

use crate::cache::{Cache, Key};
use crate::events::Events;
use crate::manager::Shared;
use kube::runtime::events::EventType;
use kube::{Client, Resource};
use tokio::sync::mpsc::UnboundedSender;

/// What a reconciler works with: a client, and calls that know what the controller has seen.
pub struct Context {
    /// Reads whatever the role of the operator allows. While another replica leads, it writes
    /// nothing.
    pub client: Client,
    /// The operator's name in the cluster: the label of all children.
    pub(crate) operator: &'static str,
    /// Owns the fields that are applied. Under a new name, the old ones could not be removed.
    pub(crate) field_manager: String,
    pub(crate) objects: Cache,
    pub(crate) children: Vec<Cache>,
    pub(crate) changed: UnboundedSender<Key>,
    pub(crate) events: Events,
}

impl Context {
    pub(crate) fn new(
        shared: &Shared,
        controller: &str,
        objects: Cache,
        children: Vec<Cache>,
        changed: UnboundedSender<Key>,
    ) -> Self {
        let field_manager = format!("{}/{controller}", shared.operator);
        let (client, identity) = (shared.client.clone(), shared.identity.clone());
        Self {
            events: Events::new(client.clone(), field_manager.clone(), identity),
            client,
            operator: shared.operator,
            field_manager,
            objects,
            children,
            changed,
        }
    }

    /// Publishes an event: `kubectl describe` shows it. `reason` is one CamelCase word for
    /// programs, `note` is for people.
    pub async fn note(&self, obj: &impl Resource<DynamicType = ()>, reason: &str, note: &str) {
        let about = obj.object_ref(&());
        self.events
            .publish(about, EventType::Normal, reason, note)
            .await;
    }

    /// Publishes a warning: see [`Context::note`].
    pub async fn warn(&self, obj: &impl Resource<DynamicType = ()>, reason: &str, note: &str) {
        let about = obj.object_ref(&());
        self.events
            .publish(about, EventType::Warning, reason, note)
            .await;
    }
}
