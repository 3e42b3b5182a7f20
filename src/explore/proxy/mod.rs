//! The proxy between an operator and the API server, which injects the faults.

pub(super) mod decision;
pub(super) mod forward;
pub(super) mod gate;
pub(super) mod listener;
pub(super) mod listing;
pub(super) mod stale_watch;
pub(super) mod stream;
