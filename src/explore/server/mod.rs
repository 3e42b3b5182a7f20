//! Starts and manages what the runs of an exploration need: the shared API server, the samples, and the processes of
//! the operator.

pub(super) mod door;
pub(super) mod explored_samples;
pub(super) mod needs;
pub(super) mod object_in_run;
pub(super) mod operator;
pub(super) mod shared_server;
