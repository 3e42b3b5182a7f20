//! The simulated node's name and address.

/// The name of the simulated node.
pub(super) const NODE: &str = "simulated-node";

/// The address of the node, from a range reserved for documentation (RFC 5737). Even if a machine uses this address, no
/// program connects to it: the API server connects to a node by its name, and no host has the name [`NODE`].
pub(super) const NODE_ADDRESS: &str = "192.0.2.1";
