//! The simulated node's name and address.

/// The node's name.
pub(super) const NODE: &str = "simulated-node";

/// The address of the node, from a range for documentation (RFC 5737). A machine may use it all the same, but no program
/// connects to it: the API server reaches a node by its name, and no host has this one.
pub(super) const NODE_ADDRESS: &str = "192.0.2.1";
