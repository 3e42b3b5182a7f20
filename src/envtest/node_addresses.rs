//! The addresses of a real node. All addresses are in one range, so that a single route on this machine leads to
//! the node, its pods and its Services.

use std::net::Ipv4Addr;

/// The address at which the node and its pods reach this machine and the API server.
pub(super) const HOST: Ipv4Addr = Ipv4Addr::new(10, 251, 0, 1);
/// The address of the node.
pub(super) const NODE: Ipv4Addr = Ipv4Addr::new(10, 251, 0, 2);
/// The address range of pods.
pub(super) const PODS: &str = "10.251.1.0/24";
/// The address range of Services.
pub(super) const SERVICES: &str = "10.251.128.0/17";
/// The names and addresses at which the node and its pods reach the API server. They are the address [`HOST`], the
/// address of the Service `kubernetes`, which is the first address in [`SERVICES`], and the DNS names of this Service.
pub(super) const SERVER_NAMES: [&str; 5] =
    ["10.251.0.1", "10.251.128.1", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
/// The address range that contains [`HOST`], [`NODE`], [`PODS`] and [`SERVICES`].
pub(super) const ALL: &str = "10.251.0.0/16";
