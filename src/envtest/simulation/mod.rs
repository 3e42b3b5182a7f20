//! A simulated node without a container runtime: pods become scheduled, Running and Ready, pods of Jobs become
//! Succeeded, claims become Bound, and deleted pods and volumes are removed. Together with kube-controller-manager,
//! Deployments become Available and Jobs Complete.
//!
//! The simulated node is an ordinary client of the API server. The node has permissions for its own requests only, so
//! that an operator cannot use the node to get around the limits of the operator's permissions.

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
