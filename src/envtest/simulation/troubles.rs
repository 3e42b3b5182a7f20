//! The simulated failures of objects in each namespace, which are read from an annotation of the namespace.

use crate::trouble::{self, Trouble};
use kube::ResourceExt;
use kube::api::{ApiResource, DynamicObject};
use kube::core::{GroupVersionKind, PartialObjectMeta};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The simulated failures in namespaces. The key of the map is the name of a namespace. The value contains a kind, such
/// as `ReplicaSet`, and the failure of all objects of this kind in the namespace.
#[derive(Debug, Default)]
pub(super) struct Troubles(Mutex<HashMap<String, (String, Trouble)>>);

/// Returns the API resource of namespaces.
pub(super) fn namespaces() -> ApiResource {
    ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "Namespace"))
}

impl Troubles {
    fn inner(&self) -> MutexGuard<'_, HashMap<String, (String, Trouble)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the simulated failure from the annotation of a namespace, and records it. Returns true if the simulated
    /// failure has changed.
    pub(super) fn note(&self, namespace: &PartialObjectMeta<DynamicObject>) -> bool {
        let value = namespace.annotations().get(trouble::ANNOTATION);
        let now =
            value.filter(|_| namespace.metadata.deletion_timestamp.is_none()).and_then(|value| trouble::read(value));
        let (mut inner, name) = (self.inner(), namespace.name_any());
        let changed = inner.get(&name) != now.as_ref();
        match now {
            Some(now) => drop(inner.insert(name, now)),
            None => drop(inner.remove(&name)),
        }
        changed
    }

    /// Returns the simulated failure of the objects of `kind` in a namespace; `None` if no failure is simulated for
    /// them.
    pub(super) fn of(&self, namespace: &str, kind: &str) -> Option<Trouble> {
        self.inner().get(namespace).filter(|(known, _)| known == kind).map(|(_, trouble)| *trouble)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_trouble_ends_with_its_annotation() {
        let troubles = Troubles::default();
        let namespace = |annotations: serde_json::Value| -> PartialObjectMeta<DynamicObject> {
            serde_json::from_value(json!({"metadata": {"name": "a", "annotations": annotations}})).unwrap()
        };
        assert!(!troubles.note(&namespace(json!({}))));
        assert!(troubles.note(&namespace(json!({trouble::ANNOTATION: "Job=crash"}))));
        assert!(!troubles.note(&namespace(json!({trouble::ANNOTATION: "Job=crash"}))));
        assert_eq!(troubles.of("a", "Job"), Some(Trouble::Crash));
        assert_eq!((troubles.of("a", "ReplicaSet"), troubles.of("b", "Job")), (None, None));
        assert!(troubles.note(&namespace(json!({trouble::ANNOTATION: "Job=flu"}))));
        assert_eq!(troubles.of("a", "Job"), None);
    }
}
