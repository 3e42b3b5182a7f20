//! The one integration test binary.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests say what went wrong by panicking")]

mod cases; // testdata/cases: what every command line says and leaves
mod envtest; // the local control plane, against its real servers
mod faults; // the k-th write fails, for every k
mod processes; // the real binary, killed, in parallel, and on disks that refuse
mod support; // a hermetic place to run opctl in
