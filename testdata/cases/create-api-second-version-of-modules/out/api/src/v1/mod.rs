//! Version `v1` of `example.com`.
mod parts;
mod web_server;

pub use parts::Part;
pub use web_server::*;
