//! `deploy` and `undeploy`: apply the operator to a cluster, and remove it.

mod apply_set;
mod await_webhooks;
mod conversions;
mod denied;
mod deploy;
mod member;
mod namespace;
mod options;
mod read_samples;
mod rehearsal;
mod rendered_objects;
mod rollout;
mod steps;
mod undeploy;

pub(super) use await_webhooks::create_dry;
pub use deploy::deploy;
pub(super) use member::{Member, group_kind, kinds};
pub use options::DeployOptions;
pub(super) use read_samples::samples;
pub use rendered_objects::{manager_image, rendered_objects};
pub use undeploy::{UndeployOptions, undeploy};
