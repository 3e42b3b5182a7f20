//! The operations of `create webhook`.

mod check;
mod code;
mod config;
mod foreign;
mod intent;
mod names;
mod operations;

pub use check::with_webhooks;
pub use config::{
    WEBHOOK_ENTRY, WEBHOOK_KUSTOMIZATION, WEBHOOK_LINE, conversion_right, webhook_entries, webhook_folder,
    without_webhook_entries,
};
pub use intent::WebhookIntent;
pub(super) use names::webhook_names;
pub use operations::create_webhook;
pub(super) use operations::{modules, registered};
