//! Checks an intent (the arguments of `create api`) against the project, and builds the requested resource.

mod collisions;
mod controllers;
mod fields;
mod image_kind;
mod intent;
mod renamed;
mod resource;
mod runtime;

pub(super) use intent::difference;
pub(super) use renamed::check_renamed;
pub use resource::resource_of;
pub use runtime::{check_runtime, check_webhook_runtime};
