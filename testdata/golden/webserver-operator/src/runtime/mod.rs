//! What every controller needs and kube leaves open. Nothing here knows a kind, and all of it is
//! yours to change.
mod apply;
mod children;
mod client;
pub mod conditions;
mod context;
pub mod controller;
mod health;
mod leader;
pub mod manager;
mod metrics;
mod server;
mod settings;
pub mod telemetry;
mod worker;

pub use context::Context;

/// The operator's name in the cluster: in its field managers, labels and events.
pub const NAME: &str = env!("CARGO_PKG_NAME");
