//! A field, and the names that its type and default have in Rust.

use super::path::Parent;
use super::shape::{Scalar, Shape};
use crate::model::singular;
use serde_json::{Value, json};

/// A field of a spec.
#[derive(Clone, Debug)]
pub struct Field {
    pub(super) text: String,
    /// The objects that contain the field, outermost first.
    pub parents: Vec<Parent>,
    /// The name in JSON.
    pub name: String,
    /// The name in Rust.
    pub rust_name: String,
    /// True if the name of the generated `enum` contains the singular of the field's name, such as `Mode` for `modes`.
    pub(super) singular: bool,
    /// The type of the field's value.
    pub shape: Shape,
    /// True if users may leave out the field and the field has no default.
    pub optional: bool,
    /// The default that the API server fills in.
    pub default: Option<Value>,
}

/// Compares fields by the text that the user wrote.
impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl std::fmt::Display for Field {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl Field {
    /// Returns the field's default, or a value that fits the field's type.
    pub fn sample(&self) -> Value {
        self.default.clone().unwrap_or_else(|| match &self.shape {
            Shape::One(scalar) => scalar.sample(),
            Shape::List(scalar, bounds) => (0..bounds.sample_length()).map(|_| scalar.sample()).collect(),
            Shape::Map => json!({ "key": "value" }),
        })
    }

    /// Returns true if users must set the field.
    pub fn is_required(&self) -> bool {
        !self.optional && self.default.is_none()
    }

    /// Returns the field's path in JSON: the names of the objects that contain the field, then the field's name.
    pub fn path(&self) -> String {
        let parents = self.parents.iter().map(|parent| parent.name.as_str());
        parents.chain([self.name.as_str()]).collect::<Vec<_>>().join(".")
    }

    /// Returns the name of the generated `enum`, if the field is an enumeration.
    pub fn enum_name(&self, kind: &str) -> Option<String> {
        let (Shape::One(scalar) | Shape::List(scalar, _)) = &self.shape else { return None };
        matches!(scalar, Scalar::Enum(_)).then(|| type_name(kind, &self.parents, Some((&self.name, self.singular))))
    }

    /// Returns the field with the old naming of item types: the generated type for a list's items has the name of the
    /// list, such as `Ports`, not the singular. Earlier versions of opctl named the types this way, and existing code
    /// keeps its type names.
    #[must_use]
    pub fn with_types_named_as_lists(mut self) -> Self {
        self.singular = false;
        self.parents.iter_mut().for_each(|parent| parent.singular = false);
        self
    }

    /// Returns true if at least one type that is generated for list items has a different name from its list, because
    /// the type is named after the singular, such as `Port` for `ports`. Checks the field and the objects in its path.
    pub fn names_items(&self) -> bool {
        let is_other = |name: &str, singular: bool| part(name, singular) != name;
        let is_enum = self.enum_name("").is_some();
        is_enum && is_other(&self.name, self.singular)
            || self.parents.iter().any(|parent| is_other(&parent.name, parent.singular))
    }

    /// Returns the name of the generated function that returns the field's default.
    pub fn default_function(&self) -> String {
        default_function(&self.parents, &self.rust_name)
    }
}

/// Returns the name of a generated Rust type: `kind`, followed by the names on the path to a field. If `last` is
/// `None`, the type is the struct for the object at the path `parents`. If `last` is `Some`, the type is the enum for a
/// field of this object: `last` has the field's name, and true if the type's name contains the singular of the field's
/// name.
pub(super) fn type_name(kind: &str, parents: &[Parent], last: Option<(&str, bool)>) -> String {
    use heck::ToUpperCamelCase;
    let parents = parents.iter().map(|parent| (parent.name.as_str(), parent.singular));
    parents.chain(last).fold(kind.to_owned(), |all, (name, singular)| all + &part(name, singular).to_upper_camel_case())
}

fn part(name: &str, is_singular: bool) -> String {
    if is_singular { singular(name) } else { name.to_owned() }
}

pub(super) fn default_function(parents: &[Parent], rust_name: &str) -> String {
    // The lint `non_snake_case` warns about `__` in a name.
    let parents = parents.iter().map(|parent| parent.rust_name.trim_end_matches('_'));
    format!("default_{}", parents.chain([rust_name]).collect::<Vec<_>>().join("_"))
}
