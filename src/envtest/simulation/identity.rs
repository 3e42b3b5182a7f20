//! The simulated node's name and address.

/// The node's name.
pub(super) const NODE: &str = "simulated-node";

/// The address of the node. It is reserved for documentation (RFC 5737), so nothing answers there.
pub(super) const NODE_ADDRESS: &str = "192.0.2.1";
