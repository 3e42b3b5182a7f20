//! Triggers passes for changes that no watch reports.

use crate::cache::Event;
use crate::name::Name;
use parking_lot::RwLock;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

/// A trigger that reconciles objects for a reason that no watch reports, such as a message of a
/// queue, a call of another service, or a difference that a task of the operator has found: see
/// [`Controller::triggered_by`](crate::Controller::triggered_by).
///
/// ```
/// use k8s_openapi::api::core::v1::Pod;
/// use runtime::{Action, Context, Controller, Manager, Trigger};
/// use std::sync::Arc;
/// # async fn reconcile(_: Arc<Pod>, _: Arc<Context>) -> anyhow::Result<Action> {
/// #     Ok(Action::done())
/// # }
///
/// fn setup(manager: &mut Manager, mut messages: tokio::sync::mpsc::Receiver<String>) {
///     let trigger = Trigger::new();
///     manager.add(Controller::namespaced("pod", reconcile).triggered_by(&trigger));
///     manager.spawn(async move {
///         while let Some(name) = messages.recv().await {
///             trigger.reconcile(("default", name.as_str()));
///         }
///         Ok(())
///     });
/// }
/// ```
///
/// A trigger can also be used to watch a kind that is known only at run time, such as a kind that
/// the spec of an object names. A pass spawns a task that runs a `watcher` of the crate kube. To
/// end the watch, abort the task.
///
/// ```
/// use futures::StreamExt;
/// use kube::api::{Api, ApiResource, DynamicObject};
/// use kube::runtime::{WatchStreamExt, watcher};
/// use kube::{Client, ResourceExt};
/// use runtime::Trigger;
/// use std::pin::pin;
///
/// /// Watches the objects of `kind` that have the label `mirror`. When one of them changes,
/// /// reconciles the object that the label names.
/// async fn follow(client: Client, kind: ApiResource, trigger: Trigger) {
///     let objects = Api::<DynamicObject>::all_with(client, &kind);
///     let changes = watcher(objects, watcher::Config::default().labels("mirror"));
///     let mut changes = pin!(changes.default_backoff().touched_objects());
///     while let Some(change) = changes.next().await {
///         match change {
///             Ok(object) => {
///                 let namespace = object.namespace().unwrap_or_default();
///                 trigger.reconcile((namespace, object.labels()["mirror"].clone()));
///             }
///             Err(error) => tracing::warn!(kind.kind, "the watch failed: {error}"),
///         }
///     }
/// }
/// ```
#[derive(Clone, Default)]
pub struct Trigger(Arc<RwLock<Option<Target>>>);

/// The channel for events to a controller, and true if its kind is namespaced.
type Target = (UnboundedSender<Event>, bool);

impl Trigger {
    /// Makes a trigger that belongs to no controller yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reconciles the object with this name soon, if it exists. `(namespace, name)` means a
    /// namespaced object, and a name alone means a cluster-scoped object.
    ///
    /// Does nothing while the controller does not run, for example on a replica that does not lead.
    /// When the controller starts, it reconciles all objects.
    pub fn reconcile(&self, name: impl Into<Name>) {
        if let Some((changed, namespaced)) = &*self.0.read() {
            let key = name.into().key(None, *namespaced);
            let _ = changed.send(Event::Due(key)); // fails when the controller stops
        }
    }

    /// Connects the trigger to a running controller.
    pub(crate) fn connect(&self, changed: UnboundedSender<Event>, namespaced: bool) {
        *self.0.write() = Some((changed, namespaced));
    }
}
