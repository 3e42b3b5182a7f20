//! The values that templates are rendered with: of the project, and of one resource with its webhooks and policies.

mod file;
mod policy;
mod resource;
mod values;
mod webhook;

pub(super) use file::{file_header, file_prefix};
pub(super) use policy::PolicyValues;
pub(super) use values::Values;
pub(super) use webhook::{WebhookCode, WebhookValues};
