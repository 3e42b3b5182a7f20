//! Version `v1alpha1` of `example.com`.
mod parts;
mod proxy;
mod unused;
mod web_server;

pub use {parts::Part, proxy::*, web_server::*};

type Names = Vec<String>;
pub(crate) use serde_json::Value as Json;
