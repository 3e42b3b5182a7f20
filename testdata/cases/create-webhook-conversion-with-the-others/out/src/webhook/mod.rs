//! Webhooks, one module per kind.
pub mod web_server;
pub mod web_server_conversion;
