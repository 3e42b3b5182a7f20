//! Commands.

pub mod envtest;
