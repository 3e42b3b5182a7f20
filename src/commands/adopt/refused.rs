//! The error for a folder that cannot be adopted.

use crate::Error;
use crate::model::Project;

/// Returns the error for a folder that already contains a project of `opctl init`.
pub(super) fn is_project(known: &Project) -> Error {
    Error::conflict(format!("`{}` is already a project of `opctl init`", known.name))
        .caused_by("there is nothing to adopt: opctl created the project")
        .hint("opctl list")
}
