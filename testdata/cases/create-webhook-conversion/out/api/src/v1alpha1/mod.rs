//! Version `v1alpha1` of `example.com`.
mod web_server;
mod web_server_conversion;

pub use web_server::*;
