//! The one integration test binary.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests say what went wrong by panicking")]

mod envtest;
mod golden; // whole projects, regenerated, built and tested
mod life; // a golden operator on a real API server // the local control plane, against its real servers
