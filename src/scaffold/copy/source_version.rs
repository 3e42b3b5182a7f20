//! The version that a further one is copied from.

use crate::model::{Key, Project, Resource};

/// The version that one of this key begins as a copy of: the stored one, unless that is itself the one.
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
