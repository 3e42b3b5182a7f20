//! Determines the version of a kind from which opctl copies a new version.

use crate::model::{Key, Project, Resource};

/// Returns the version from which the version `key` is copied: the storage version, or else another version. Returns
/// `None` if `key` is the storage version itself, or if the kind has no other version.
pub fn copied_version<'a>(key: &Key, project: &'a Project) -> Option<&'a Resource> {
    if project.resource(key).is_some_and(|known| known.api && known.storage) {
        return None;
    }
    let others = || {
        project.resources.iter().filter(|other| {
            other.api && other.key.group == key.group && other.key.kind == key.kind && other.key.version != key.version
        })
    };
    others().find(|other| other.storage).or_else(|| others().next())
}
