//! Applies and deletes the configurations of webhooks that an operator serves on this machine while it runs.

mod admission;
mod configurations;
mod conversions;
mod reach;

pub use admission::{apply_local_webhooks, delete_local_webhooks};
pub use configurations::local_configurations;
pub use conversions::{apply_local_conversions, converted_definitions, end_local_conversions};
pub use reach::unreachable_reason;
