//! The one integration test binary.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests say what went wrong by panicking")]

mod envtest; // the local control plane, against its real servers
