//! Version `v1alpha1` of `example.com`.
mod web_server;

pub use web_server::*;
