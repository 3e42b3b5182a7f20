//! The one integration test binary.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests say what went wrong by panicking")]

/// The demo, from its beginning to an early end.
#[cfg(target_os = "linux")]
mod demo;
/// The local control plane, against its real servers.
mod envtest;
/// Whole projects: regenerated, built and tested.
mod golden;
/// A golden operator on a real API server.
mod life;
/// Manifests of a real api crate.
mod manifest;
/// What a real API server refuses, and what cannot be reached.
mod refused;
