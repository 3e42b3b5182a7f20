//! The paths of the files of a bundle.

use crate::scaffold::BUNDLE_BASES;

/// The folder of the bundle.
pub const BUNDLE: &str = "bundle/";

pub(super) const ANNOTATIONS: &str = "bundle/metadata/annotations.yaml";

/// The Dockerfile that builds the image of the bundle.
pub(super) const DOCKERFILE: &str = "bundle.Dockerfile";

/// Returns true if `opctl bundle` writes the file at `path`.
pub fn is_of_bundle(path: &str) -> bool {
    path.starts_with(BUNDLE) || path.starts_with(BUNDLE_BASES) || path == DOCKERFILE
}
