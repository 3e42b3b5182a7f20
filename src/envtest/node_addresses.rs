//! The addresses of a real node. All are of one range, so that one route of this machine leads to the node, its pods and
//! its Services.

use std::net::Ipv4Addr;

/// The address of this machine for the node and its pods, at which the API server answers.
pub(super) const HOST: Ipv4Addr = Ipv4Addr::new(10, 251, 0, 1);
/// The address of the node.
pub(super) const NODE: Ipv4Addr = Ipv4Addr::new(10, 251, 0, 2);
/// The addresses of pods.
pub(super) const PODS: &str = "10.251.1.0/24";
/// The addresses of Services.
pub(super) const SERVICES: &str = "10.251.128.0/17";
/// The names and addresses at which the node and its pods find the API server: the first address of [`SERVICES`] is that
/// of the Service `kubernetes`.
pub(super) const SERVER_NAMES: [&str; 5] =
    ["10.251.0.1", "10.251.128.1", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
/// The range of all of them.
pub(super) const ALL: &str = "10.251.0.0/16";
