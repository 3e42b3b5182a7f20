//! The paths of a bundle.

use crate::model::Project;

/// The folder of the bundle.
pub const BUNDLE: &str = "bundle/";

pub(super) const ANNOTATIONS: &str = "bundle/metadata/annotations.yaml";

/// The folder of the base from which opctl generates the `ClusterServiceVersion`.
const BASES: &str = "config/manifests/bases/";

/// The Dockerfile that builds the image of the bundle.
pub(super) const DOCKERFILE: &str = "bundle.Dockerfile";

/// Returns true if `opctl bundle` writes the file at `path`.
pub fn is_of_bundle(path: &str) -> bool {
    path.starts_with(BUNDLE) || path.starts_with(BASES) || path == DOCKERFILE
}

/// Returns the path of the base from which opctl generates the `ClusterServiceVersion`. The base belongs to the user
/// and describes the operator in a catalog.
pub fn bundle_base(project: &Project) -> String {
    format!("{BASES}{}.clusterserviceversion.yaml", project.name.as_str())
}
