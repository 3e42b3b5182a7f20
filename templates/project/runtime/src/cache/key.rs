//! The keys of objects in caches.

use kube::api::{ApiResource, DynamicObject};
use kube::{Resource, ResourceExt, core::Request};
use serde_json::Value;
use std::sync::Arc;

/// The namespace of an object, if its kind is namespaced, and its name. Clones share their text,
/// because several maps contain the key of the same object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<str>); // `namespace/name`, or `/name`

impl Key {
    pub fn new(namespace: Option<&str>, name: &str) -> Self {
        Self([namespace.unwrap_or_default(), name].join("/").into())
    }

    pub fn of(object: &impl ResourceExt) -> Self {
        Self::new(object.meta().namespace.as_deref(), &object.name_any())
    }

    /// Returns the key of an object, given its metadata as JSON.
    pub fn of_json(metadata: &Value) -> Self {
        let name = metadata["name"].as_str().unwrap_or_default();
        Self::new(metadata["namespace"].as_str(), name)
    }

    /// Returns a builder for requests about objects of `kind` in the key's namespace.
    pub fn place(&self, kind: &ApiResource) -> Request {
        Request::new(DynamicObject::url_path(kind, self.namespace()))
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
