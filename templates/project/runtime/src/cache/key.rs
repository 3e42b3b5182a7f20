//! The keys of objects in caches.

use kube::ResourceExt;
use std::sync::Arc;

/// The namespace of an object, if its kind is namespaced, and its name. Clones share their text: an
/// object's key is in several maps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<str>); // `namespace/name`, or `/name`

impl Key {
    pub fn new(namespace: Option<&str>, name: &str) -> Self {
        Self([namespace.unwrap_or_default(), name].join("/").into())
    }

    pub fn of(object: &impl ResourceExt) -> Self {
        Self::new(object.meta().namespace.as_deref(), &object.name_any())
    }

    pub fn namespace(&self) -> Option<&str> {
        Some(self.parts().0).filter(|namespace| !namespace.is_empty())
    }

    pub fn name(&self) -> &str {
        self.parts().1
    }

    fn parts(&self) -> (&str, &str) {
        self.0.split_once('/').unwrap_or_default()
    }
}
