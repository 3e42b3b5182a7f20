//! The parts of an operator that kube leaves open: controllers that share a process, caches of the
//! objects that they watch, server-side apply that sends no request if nothing would change, leader
//! election, probes, metrics and logs.
//!
//! Nothing in this crate depends on the kinds of a project: it is the same in every project that
//! opctl makes. Each project has its own copy, so that you can read, debug and change it.
//!
//! An operator is a [`Manager`] with one [`Controller`] for each kind. A controller calls a
//! function, the reconciler, for every object that has changed, with the object and a [`Context`].
//! Such a call is a pass:
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
//!
//! # Why not kube's `Controller`
//!
//! kube's controller does not stop before its first list has ended, and one stored object that does
//! not fit the Rust type stops the list of its whole kind. It has no leader election, no time limit
//! of a pass and no pauses that grow with failures, and cannot tell own writes from those of
//! others. `opctl help controllers` lists the differences from kube's controller, and describes how
//! to replace this crate by it.

mod action;
mod adopt;
mod apply;
mod cache;
mod client;
mod cluster;
pub mod conditions;
mod connections;
mod context;
mod controller;
mod dangling;
mod difference;
mod events;
mod exact;
mod failure;
mod finalizer;
mod health;
mod leader;
mod lists;
mod manager;
mod marks;
mod metrics;
mod name;
mod object;
mod objects;
mod observed;
mod pass;
mod priority;
mod queue;
mod random_text;
mod registry;
pub mod restricted;
mod reviews;
mod rollout;
mod selection;
mod server;
mod settings;
mod shared;
mod signals;
pub mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;
mod tls;
mod trigger;
mod typed;
mod watch;
mod watches;
#[cfg(feature = "webhooks")]
pub mod webhook;
mod worker;

pub use action::Action;
pub use context::Context;
pub use controller::Controller;
pub use failure::{ApplyError, TerminalError};
pub use manager::{Manager, Options};
pub use name::Name;
pub use object::Object;
pub use objects::Objects;
pub use prometheus_client;
pub use random_text::random_text;
pub use rollout::Rollout;
pub use selection::Watch;
pub use signals::stop_on_signal;
pub use tokio_util::sync::CancellationToken;
pub use trigger::Trigger;
