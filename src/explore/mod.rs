//! Finds the bugs of an operator: runs the operator against a real API server through a proxy that injects the
//! faults of real clusters, and compares the results with the results of runs without a fault.
//!
//! - [`World`]: the API server that all runs share. Each run has its own namespace, proxy and process of the
//!   operator, and its proxy serves no other process.
//! - Two undisturbed runs play the scenario ([`plan::step::Step`]) and are recorded. Fields in which they differ are not
//!   compared later.
//! - The planner derives the points at which a fault may be injected ([`Plan`]) from the recordings alone.
//! - A run plays the scenario up to its plan's step. The gate decides how each request and each event of a watch is
//!   passed on.
//! - The oracles judge the run ([`Finding`]). A suspicion is confirmed if three runs with the fault show it, and
//!   three runs without the fault do not show it.
//!
//! Only faults that Kubernetes permits are injected: events of one watch are never lost, doubled or reordered, a
//! read without a resource version is never stale, and a refused write never reaches the server.

mod judge;
mod options;
mod plan;
mod proxy;
mod record;
mod report;
mod run;
mod search;
mod server;
pub mod upgrade;

pub use judge::suspicion::Severity;
pub use options::{Budget, Options};
pub use plan::fault_plan::{Class, Plan};
pub use proxy::listener::{Answer, Closed, Proxy};
pub use record::call::Call;
pub use record::wellness::claims;
pub use report::page::page;
pub use report::text::{Finding, Summary, render};
pub use run::exercise::counted;
pub use run::log::last_lines;
pub use search::exploration::{explore, list, replay};
pub use server::door::Serving;
pub use server::explored_samples::{Samples, is_same_kind};
pub use server::operator::{Launch, Line};
pub use server::shared_server::World;
