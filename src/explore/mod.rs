//! Finds an operator's bugs: it runs against a real API server through a proxy that brings about the faults of real clusters, and what
//! comes of each is compared with runs without a fault.
//!
//! - [`World`]: the API server that all runs share. Each run has a namespace, a proxy and a process of the operator of its own.
//! - Two undisturbed runs play the scenario ([`plan::Step`]) and are recorded. What differs between them is not compared later.
//! - The planner names the points at which a fault may come ([`Plan`]): a function of what was recorded.
//! - A run plays the scenario up to its point. The gate decides about each request, and each event of a watch, on its way.
//! - The oracles judge the run ([`Finding`]). A suspicion counts if three runs show it, and none of three without the fault.
//!
//! Faults are only those that Kubernetes permits: events of one watch are never lost, doubled or reordered, a read without
//! a version is never stale, a refused write never reaches the server.

mod call;
mod canonical;
mod change;
mod decision;
mod effect;
mod exploration;
mod faults;
mod field;
mod fields;
mod gate;
mod honest;
mod journal;
mod lease;
mod listing;
mod names;
mod operator;
mod oracles;
mod page;
mod plan;
mod planner;
mod protobuf;
mod proxy;
mod reference;
mod report;
mod rest;
mod revival;
mod run;
mod site;
mod state;
mod stream;
mod suspicion;
mod world;

pub use exploration::{Options, explore, list, replay};
pub use operator::Launch;
pub use page::page;
pub use plan::Plan;
pub use report::{Finding, Summary, render};
pub use suspicion::Severity;
pub use world::World;
