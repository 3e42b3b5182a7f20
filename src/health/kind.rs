//! A kind whose objects are checked.

use crate::model::{Project, Resource};

/// A kind whose objects Argo CD or Flux checks for health.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedKind {
    /// The API group of the kind.
    pub group: String,
    /// The version in which the API server stores objects of the kind.
    pub version: String,
    /// The name of the kind, such as `WebServer`.
    pub kind: String,
}

impl CheckedKind {
    /// Returns the kinds that the project defines, without duplicates.
    pub fn of(project: &Project) -> Vec<CheckedKind> {
        let mut kinds: Vec<CheckedKind> = Vec::new();
        let stored = |resource: &&Resource| resource.has_types() && resource.storage;
        for resource in project.resources.iter().filter(stored) {
            let kind = CheckedKind {
                group: resource.api_group(&project.domain),
                version: resource.key.version.to_string(),
                kind: resource.key.kind.to_string(),
            };
            if !kinds.iter().any(|known| (&known.group, &known.kind) == (&kind.group, &kind.kind)) {
                kinds.push(kind);
            }
        }
        kinds
    }
}
