//! Template values for the project, and for one resource with its webhooks and policies.

mod file;
mod policy;
mod resource;
mod values;
mod webhook;

pub use file::file_header;
pub(super) use file::file_prefix;
pub(super) use policy::PolicyValues;
pub(super) use values::Values;
pub(super) use webhook::{WebhookCode, WebhookValues};
