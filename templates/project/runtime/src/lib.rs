//! What every operator needs and kube leaves open: controllers that share a process, caches of what
//! they own, server-side apply that sends nothing where nothing changes, leader election, probes,
//! metrics and logs.
//!
//! Nothing here knows a kind. The crate is the same in every project that opctl makes; a project
//! has a copy of it, so that it can be read, debugged and changed.
//!
//! An operator is a [`Manager`] with one [`Controller`] for each kind. A controller calls a
//! function for every object that has changed, with the object and a [`Context`]:
//!
//! ```no_run
//! use k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap};
//! use kube::ResourceExt;
//! use runtime::{Action, Context, Controller, Manager};
//! use std::sync::Arc;
//!
//! /// Gives every Deployment a ConfigMap of its name.
//! async fn reconcile(obj: Arc<Deployment>, ctx: Arc<Context>) -> anyhow::Result<Action> {
//!     let mut desired = ConfigMap::default();
//!     desired.metadata.name = Some(obj.name_any());
//!     ctx.apply(&*obj, desired).await?;
//!     Ok(Action::done())
//! }
//!
//! pub fn setup(manager: &mut Manager) {
//!     manager.add(Controller::namespaced("deployment", reconcile).owns::<ConfigMap>());
//! }
//! ```

mod action;
mod adopt;
mod apply;
mod cache;
mod client;
mod cluster;
pub mod conditions;
mod context;
mod controller;
mod difference;
mod events;
mod finalizer;
mod leader;
mod manager;
mod metrics;
mod observed;
mod queue;
pub mod restricted;
mod reviews;
mod rollout;
mod server;
mod settings;
pub mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;
mod tls;
mod typed;
mod watch;
mod watches;
#[cfg(feature = "webhooks")]
pub mod webhook;
mod worker;

pub use action::Action;
pub use context::{Context, Name};
pub use controller::{Controller, Object};
pub use manager::{Manager, Options, stop_on_signal};
pub use rollout::Rollout;
pub use tokio_util::sync::CancellationToken;
pub use watches::Watch;
