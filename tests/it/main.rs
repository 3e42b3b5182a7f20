//! The one integration test binary.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests say what went wrong by panicking")]

mod cases; // testdata/cases: what every command line says and leaves
mod envtest; // the local control plane, against its real servers
mod faults; // the k-th write fails, for every k
mod processes; // the real binary, killed, in parallel, and on disks that refuse
mod properties; // what holds for random projects and odd names
mod schema; // the JSON report and its published schema
mod support; // a hermetic place to run opctl in
mod tidy; // layers, purity, sizes and words
