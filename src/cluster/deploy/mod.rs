//! `deploy` and `undeploy`: apply the operator to a cluster, and remove it.

mod apply_set;
mod conversions;
mod denied;
mod deploy;
mod member;
mod namespace;
mod objects;
mod options;
mod rehearsal;
mod rollout;
mod samples;
mod steps;
mod undeploy;
mod webhooks;

pub use deploy::deploy;
pub(super) use member::{Member, group_kind, kinds};
pub use objects::{manager_image, rendered_objects};
pub use options::DeployOptions;
pub(super) use samples::samples;
pub use undeploy::{UndeployOptions, undeploy};
pub(super) use webhooks::create_dry;
