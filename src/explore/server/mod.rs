//! The API server that all runs share, the samples, and the process of the operator.

pub(super) mod door;
pub(super) mod explored_samples;
pub(super) mod needs;
pub(super) mod operator;
pub(super) mod shared_server;
