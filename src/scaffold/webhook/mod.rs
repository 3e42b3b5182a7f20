//! The operations of `create webhook`.

mod check;
mod code;
mod config;
mod foreign;
mod intent;
mod operations;
mod webhook_names;

pub use check::with_webhooks;
pub use config::{
    WEBHOOK_ENTRY, WEBHOOK_KUSTOMIZATION, WEBHOOK_LINE, conversion_right, webhook_entries, webhook_folder,
    without_webhook_entries,
};
pub use intent::WebhookIntent;
pub use operations::create_webhook;
pub(super) use operations::{modules, registration_operations};
pub(super) use webhook_names::webhook_names;
