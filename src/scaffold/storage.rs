//! Makes another version of a kind the storage version.

use crate::Result;
use crate::model::{Key, Project, ProjectPath, Resource};
use crate::plan::{Edit, Operation};

/// Returns the path of the file in which opctl generates the type of a version.
pub fn type_file(key: &Key) -> String {
    format!("{}/{}.rs", type_folder(key), key.kind_module())
}

/// Returns the folder of a version's types.
pub fn type_folder(key: &Key) -> String {
    match key.group_module() {
        Some(group) => format!("api/src/{group}/{}", key.version),
        None => format!("api/src/{}", key.version),
    }
}

/// Makes `resource` the only storage version of its kind in `project`, and returns the operations that edit the types
/// of all versions. `file` returns the path of the file with a version's type, which the user may have moved.
///
/// # Errors
/// Returns the first error of `file`.
pub fn move_storage(
    project: &mut Project,
    resource: &Resource,
    file: &dyn Fn(&Key) -> Result<ProjectPath>,
) -> Result<Vec<Operation>> {
    let edit = |key: &Key, stored: bool| {
        let (kind, version) = (key.kind.to_string(), key.version.to_string());
        Ok::<_, crate::Error>(Operation::edit(file(key)?, Edit::Storage { kind, version, stored }))
    };
    let mut operations = Vec::new();
    let versions = project.resources.iter_mut().filter(|other| other.api && other.is_of_kind_of(resource));
    for other in versions {
        other.storage = other.key == resource.key;
        operations.push(edit(&other.key, other.storage)?);
    }
    Ok(operations)
}
