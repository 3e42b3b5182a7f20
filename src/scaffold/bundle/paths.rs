//! The paths of a bundle.

use crate::model::Project;

/// The folder of the bundle.
pub const BUNDLE: &str = "bundle/";

pub(super) const ANNOTATIONS: &str = "bundle/metadata/annotations.yaml";

/// The folder of the base for the `ClusterServiceVersion`.
const BASES: &str = "config/manifests/bases/";

/// The Dockerfile that builds an image of the bundle.
pub(super) const DOCKERFILE: &str = "bundle.Dockerfile";

/// Returns true for a file that `opctl bundle` writes.
pub fn is_of_bundle(path: &str) -> bool {
    path.starts_with(BUNDLE) || path.starts_with(BASES) || path == DOCKERFILE
}

/// Returns the path of the base for the `ClusterServiceVersion`, which describes the operator to users; the project's
/// user owns this file.
pub fn bundle_base(project: &Project) -> String {
    format!("{BASES}{}.clusterserviceversion.yaml", project.name.as_str())
}
