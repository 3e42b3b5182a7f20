//! Evaluates the `#[cfg(..)]` attributes of modules and types, as far as features and `test` determine the result.

use crate::attributes::{attributes, nested_items, text};
use std::collections::BTreeSet;
use syn::{Attribute, Meta};

/// The enabled features of the api crate.
#[derive(Clone, Debug, Default)]
pub struct Features(BTreeSet<String>);

impl Features {
    /// Returns a `Cargo.toml`'s default features, and all features that the default features enable.
    pub fn default_of(manifest: &toml_edit::DocumentMut) -> Self {
        Self::of(manifest, &[])
    }

    /// Returns a `Cargo.toml`'s default features, the features in `further`, and all features that these enable.
    pub fn of(manifest: &toml_edit::DocumentMut, further: &[String]) -> Self {
        let mut on = BTreeSet::new();
        let mut next: Vec<String> = further.iter().cloned().chain(["default".to_owned()]).collect();
        let table = manifest.get("features").and_then(toml_edit::Item::as_table_like);
        while let Some(feature) = next.pop() {
            if !on.insert(feature.clone()) {
                continue;
            }
            let enabled = table.and_then(|table| table.get(&feature)).and_then(toml_edit::Item::as_array);
            next.extend(enabled.into_iter().flatten().filter_map(|value| value.as_str().map(str::to_owned)));
        }
        Features(on)
    }

    /// Returns true if an item with these attributes is compiled. Conditions that opctl does not know, such as the
    /// target, count as true: if opctl wrongly includes a type, the compiler reports the missing type, but a type that
    /// opctl wrongly omits would go unnoticed.
    pub(super) fn allow(&self, attrs: &[Attribute]) -> bool {
        attributes(attrs, "cfg").all(|attribute| {
            attribute
                .parse_args::<Meta>()
                .ok()
                .and_then(|predicate| self.evaluate_predicate(&predicate))
                .unwrap_or(true)
        })
    }

    /// Returns the attributes, including attributes inside of a `cfg_attr` whose condition is true.
    pub(super) fn expand(&self, attributes: &[Attribute]) -> Vec<Meta> {
        attributes.iter().flat_map(|attribute| self.expand_one(&attribute.meta)).collect()
    }

    fn expand_one(&self, meta: &Meta) -> Vec<Meta> {
        if !meta.path().is_ident("cfg_attr") {
            return vec![meta.clone()];
        }
        let mut parts = nested_items(meta).into_iter();
        let holds = parts.next().and_then(|predicate| self.evaluate_predicate(&predicate)).unwrap_or(true);
        if holds { parts.flat_map(|part| self.expand_one(&part)).collect() } else { Vec::new() }
    }

    fn evaluate_predicate(&self, predicate: &Meta) -> Option<bool> {
        let name = predicate.path().get_ident()?.to_string();
        let of_all = |metas: &[Meta]| metas.iter().map(|meta| self.evaluate_predicate(meta)).collect::<Vec<_>>();
        match (name.as_str(), predicate) {
            ("test" | "doc" | "doctest" | "miri", Meta::Path(_)) => Some(false),
            ("feature", _) => text(predicate).map(|feature| self.0.contains(&feature)),
            ("not", _) => {
                nested_items(predicate).first().and_then(|meta| self.evaluate_predicate(meta)).map(|holds| !holds)
            }
            ("all", _) => match of_all(&nested_items(predicate)) {
                parts if parts.contains(&Some(false)) => Some(false),
                parts if parts.contains(&None) => None,
                _ => Some(true),
            },
            ("any", _) => match of_all(&nested_items(predicate)) {
                parts if parts.contains(&Some(true)) => Some(true),
                parts if parts.contains(&None) => None,
                _ => Some(false),
            },
            _ => None,
        }
    }
}
