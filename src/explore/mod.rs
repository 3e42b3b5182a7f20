//! Finds the bugs of an operator: runs the operator against a real API server through a proxy that injects the faults
//! of real clusters, and compares the results with the results of runs without a fault.
//!
//! - [`World`] is the API server that all runs share. Each run has a separate namespace, proxy and operator process.
//! - Two reference runs without a fault perform all steps ([`plan::step::Step`]), such as the creation and the deletion
//!   of the samples, and are recorded. Fields that differ between these two runs are not compared later.
//! - The planner reads these recordings, and lists the faults that can be injected, each with its step and its target,
//!   such as a request ([`Plan`]).
//! - A run with a fault performs the steps up to the step of its plan. For each request and each watch event, the
//!   module `proxy` decides how to pass it on: unchanged, late, or not at all.
//! - The module `judge` searches the recording of the run for signs of a bug, the suspicions. A suspicion is confirmed
//!   as a [`Finding`] if three runs with the fault show it, and three runs without the fault do not show it.
//!
//! Only faults that Kubernetes permits are injected: events of one watch are never lost, doubled or reordered, a read
//! without a resource version is never stale, and a refused write never reaches the server.

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
