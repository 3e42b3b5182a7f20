//! A simulated node without a container runtime: pods become scheduled, Running and Ready, pods of Jobs become
//! Succeeded, claims become Bound, and deleted pods and volumes are removed. With kube-controller-manager beside it,
//! Deployments become Available and Jobs Complete.
//!
//! The node is a client of the API server like any other, with the rights for its own writes only, so that it does
//! nothing for an operator that the operator itself may not do.

mod access;
mod claims;
mod containers;
mod identity;
mod life;
mod log;
mod node;
mod pod;
mod pods;
mod simulated_node;
mod time;
mod troubles;

pub(super) use access::USER;
pub(super) use simulated_node::{Beginning, Simulation};
