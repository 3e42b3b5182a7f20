//! Places in a schema.

use crate::model::singular;

/// The keyword of a schema whose values keep fields that it does not name.
pub(super) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

/// A place in a schema: for messages, and for the names of types.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The path, such as `spec.ports[]`; empty at the root of an object.
    pub(super) path: String,
    /// The fields that lead to the place below the spec or the status. For an item of a list, the last one is in the
    /// singular.
    pub(super) parts: Vec<String>,
    /// The name of the field.
    pub(super) name: String,
    /// The keys of the list that has the object as an item; empty elsewhere.
    pub(super) keys: Vec<String>,
}

impl Place {
    pub(super) fn root(name: &str) -> Self {
        Place { path: name.to_owned(), ..Place::default() }
    }

    pub(super) fn field(&self, name: &str) -> Self {
        let mut parts = self.parts.clone();
        parts.push(name.to_owned());
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Place { path, parts, name: name.to_owned(), keys: Vec::new() }
    }

    /// Returns the place of an item or a value: `mark` is `[]` or `{}`.
    pub(super) fn inner(&self, mark: &str) -> Self {
        let mut inner = self.clone();
        inner.path.push_str(mark);
        if let Some(last) = inner.parts.last_mut() {
            *last = singular(last);
        }
        inner
    }
}
