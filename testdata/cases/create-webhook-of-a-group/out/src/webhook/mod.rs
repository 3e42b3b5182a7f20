//! Webhooks, one module per kind.
pub mod apps;
