//! One version of a kind is the one that is stored: another one takes that over.

use crate::model::{Key, Project, Resource};
use crate::plan::{Edit, Operation};

/// Returns the file in which opctl makes the type of a version.
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

/// Makes `resource` the stored version of its kind in the project, and every other version one that is not. `file` gives
/// the file of a version's type, which may have been moved.
pub fn move_storage(project: &mut Project, resource: &Resource, file: &dyn Fn(&Key) -> String) -> Vec<Operation> {
    let edit = |key: &Key, stored: bool| {
        let (kind, version) = (key.kind.to_string(), key.version.to_string());
        Operation::edit(file(key), Edit::Storage { kind, version, stored })
    };
    let mut operations = Vec::new();
    let versions = project.resources.iter_mut().filter(|other| other.api && other.is_of_kind_of(resource));
    for other in versions {
        other.storage = other.key == resource.key;
        operations.push(edit(&other.key, other.storage));
    }
    operations
}
