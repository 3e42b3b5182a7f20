//! Defines the path of the base, the file from which opctl generates a bundle's `ClusterServiceVersion`.

use crate::model::Project;

/// The folder of the base from which opctl generates the `ClusterServiceVersion`.
pub const BUNDLE_BASES: &str = "config/manifests/bases/";

/// Returns the path of the base from which opctl generates the `ClusterServiceVersion`. The base belongs to the user
/// and describes the operator in a catalog.
pub fn bundle_base(project: &Project) -> String {
    format!("{BUNDLE_BASES}{}.clusterserviceversion.yaml", project.name.as_str())
}
