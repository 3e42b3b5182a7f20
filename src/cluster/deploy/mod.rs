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
mod steps;
mod undeploy;

pub use deploy::deploy;
pub(super) use member::{Member, kinds};
pub use objects::{manager_image, rendered_objects};
pub use options::DeployOptions;
pub use undeploy::{UndeployOptions, undeploy};
