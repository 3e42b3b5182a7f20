//! Locations in a schema.

use crate::model::singular;

/// The keyword of a schema whose values keep fields that the schema does not describe.
pub(super) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

/// A location in a schema, used in messages and for the names of types.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The path, such as `spec.ports[]`; empty at the root of an object.
    pub(super) path: String,
    /// The names of the fields that lead from the spec or the status to the location. For an item of a list or a
    /// value of a map, the last name is in the singular.
    pub(super) parts: Vec<String>,
    /// The name of the field at the location.
    pub(super) name: String,
    /// The list-map keys of the list if the location is an item of a list; empty for any other location.
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

    /// Returns the location of a list's items (`mark` is `[]`) or of a map's values (`mark` is `{}`).
    pub(super) fn inner_location(&self, mark: &str) -> Self {
        let mut inner = self.clone();
        inner.path.push_str(mark);
        if let Some(last) = inner.parts.last_mut() {
            *last = singular(last);
        }
        inner
    }
}
