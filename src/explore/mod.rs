//! Finds an operator's bugs: runs it against a real API server through a proxy that injects the faults of real
//! clusters, and compares the results with those of runs without a fault.
//!
//! - [`World`]: the API server that all runs share. Each run has its own namespace, proxy and process of the operator,
//!   and the proxy serves nobody else.
//! - Two undisturbed runs play the scenario ([`plan::Step`]) and are recorded. Fields in which they differ are not compared
//!   later.
//! - The planner derives the points at which a fault may be injected ([`Plan`]) from the recordings alone.
//! - A run plays the scenario up to its plan's step. The gate decides about each request, and each event of a watch, on
//!   its way.
//! - The oracles judge the run ([`Finding`]). A suspicion counts if three runs with the fault show it, and none of
//!   three without.
//!
//! Only faults that Kubernetes permits are injected: events of one watch are never lost, doubled or reordered, a read
//! without a resource version is never stale, and a refused write never reaches the server.

mod call;
mod canonical;
mod cause;
mod change;
mod choice;
mod class;
mod complaints;
mod decision;
mod door;
mod effect;
mod exercise;
mod exploration;
mod explorer;
mod faults;
mod field;
mod fields;
mod finding;
mod gate;
mod held;
mod honest;
mod journal;
mod lease;
mod listener;
mod listing;
mod lock;
mod log;
mod names;
mod needs;
mod operator;
mod options;
mod oracles;
mod page;
mod pairs;
mod past;
mod plan;
mod planner;
mod protobuf;
mod proxy;
mod readiness;
mod reference;
mod report;
mod rest;
mod revival;
mod run;
mod samples;
mod search;
mod site;
mod state;
mod step;
mod stream;
mod suspicion;
mod trial;
mod unanswered;
mod undisturbed;
mod unready;
pub mod upgrade;
mod wellness;
mod workload;
mod world;

pub use call::Call;
pub use door::Serving;
pub use exercise::counted;
pub use exploration::{explore, list, replay};
pub use listener::{Answer, Closed, Proxy};
pub use log::last_lines;
pub use operator::{Launch, Line};
pub use options::{Budget, Options};
pub use page::page;
pub use plan::{Class, Plan};
pub use report::{Finding, Summary, render};
pub use samples::{Samples, is_same_kind};
pub use suspicion::Severity;
pub use wellness::claims;
pub use world::World;
