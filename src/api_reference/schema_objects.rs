//! The objects in all schemas, each with all paths at which the object occurs.

use super::field_type::has_fields;
use super::kubernetes::kubernetes_type;
use super::path::Path;
use crate::schema::{Step, children};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// An occurrence of an object in a schema.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// The CRD version with the occurrence, as an index into the list of the versions of all kinds.
    pub(super) version: usize,
    pub(super) path: Path,
    pub(super) anchor: String,
    /// The description of the object in this occurrence.
    pub(super) description: String,
}

/// An object with named fields, and all occurrences of the object.
#[derive(Debug)]
pub(super) struct Object<'a> {
    pub(super) schema: &'a Value,
    /// The occurrences of the object, at least one, in the order of the schemas.
    pub(super) uses: Vec<Use>,
}

impl Object<'_> {
    /// Returns the index of the version, if the object occurs in a single version; otherwise `None`.
    pub(super) fn version(&self) -> Option<usize> {
        let first = self.uses[0].version;
        self.uses.iter().all(|one| one.version == first).then_some(first)
    }
}

/// All objects with fields in schemas, in order of occurrence.
#[derive(Debug, Default)]
pub(super) struct Objects<'a> {
    /// True if the objects of Kubernetes' own types, such as `PodSpec`, are also added.
    expand: bool,
    pub(super) all: Vec<Object<'a>>,
    by_content: BTreeMap<String, usize>,
    anchors: BTreeSet<String>,
    by_place: BTreeMap<(usize, String), String>,
}

impl<'a> Objects<'a> {
    pub(super) fn new(expand: bool) -> Self {
        Objects { expand, ..Objects::default() }
    }

    /// Adds the objects in the schema of a version. The anchors of the objects begin with `base`.
    pub(super) fn add(&mut self, version: usize, base: &str, schema: &'a Value) {
        self.walk(version, base, &Path::default(), schema);
    }

    /// Returns the anchor of the object at `path` in a version, or `None` if no object with fields is at this path.
    /// `version` is the index of the version.
    pub(super) fn anchor(&self, version: usize, path: &Path) -> Option<&str> {
        self.by_place.get(&(version, path.to_string())).map(String::as_str)
    }

    fn walk(&mut self, version: usize, base: &str, path: &Path, schema: &'a Value) {
        if !self.expand && path.depth() > 1 && kubernetes_type(schema).is_some() {
            return;
        }
        if has_fields(schema) {
            self.record_object(version, base, path, schema);
        }
        for (step, child) in children(schema) {
            // The metadata is the same in every kind.
            if path.depth() > 0 || step != Step::Field("metadata") {
                self.walk(version, base, &path.step(step), child);
            }
        }
    }

    fn record_object(&mut self, version: usize, base: &str, path: &Path, schema: &'a Value) {
        let anchor = self.unique_anchor(&path.anchor(base));
        self.by_place.insert((version, path.to_string()), anchor.clone());
        let description = schema["description"].as_str().unwrap_or_default().to_owned();
        let here = Use { version, path: path.clone(), anchor, description };
        // The resource itself, its spec and its status have sections of their own, even if they equal other objects.
        let content = if path.depth() < 2 { format!("{version} {path}") } else { content(schema) };
        match self.by_content.get(&content) {
            Some(index) => self.all[*index].uses.push(here),
            None => {
                self.by_content.insert(content, self.all.len());
                self.all.push(Object { schema, uses: vec![here] });
            }
        }
    }

    /// Returns a unique anchor: `anchor`, with a number at the end if `anchor` is already used.
    fn unique_anchor(&mut self, anchor: &str) -> String {
        let mut unique = anchor.to_owned();
        let mut number = 1;
        while !self.anchors.insert(unique.clone()) {
            number += 1;
            unique = format!("{anchor}-{number}");
        }
        unique
    }
}

/// Returns the schema as text, without the keywords that may differ between fields of the same type, such as
/// `description`. The text is equal for objects of the same type, so that these objects share one section of the page.
fn content(schema: &Value) -> String {
    let mut schema = schema.clone();
    if let Some(map) = schema.as_object_mut() {
        for key in ["description", "default", "nullable"] {
            map.remove(key);
        }
    }
    schema.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_is_one_wherever_it_stands() {
        let secret = |description: &str| json!({"type": "object", "description": description, "properties": {"key": {"type": "string"}}});
        let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
            "a": secret("One."), "b": {"type": "array", "items": secret("Two.")}, "a_": secret("Three."), "a ": secret("Four."),
        }}}});
        let mut objects = Objects::default();
        objects.add(0, "Kind", &schema);
        objects.add(1, "Other", &json!(null));
        let found: Vec<(Vec<String>, Option<usize>)> = objects
            .all
            .iter()
            .map(|object| (object.uses.iter().map(|one| one.anchor.clone()).collect(), object.version()))
            .collect();
        let secrets = ["Kind-spec.a", "Kind-spec.a_", "Kind-spec.a_-2", "Kind-spec.b"].map(str::to_owned).to_vec();
        assert_eq!(
            found,
            [(vec!["Kind".to_owned()], Some(0)), (vec!["Kind-spec".to_owned()], Some(0)), (secrets, Some(0))]
        );
        let path = Path::default().step(Step::Field("spec")).step(Step::Field("b")).step(Step::Item);
        assert_eq!(objects.anchor(0, &path), Some("Kind-spec.b"));
        let again = schema.clone();
        let mut objects = Objects::default();
        objects.add(0, "Kind", &schema);
        objects.add(1, "Other", &again);
        assert_eq!(objects.all.len(), 5);
        assert_eq!(objects.all[2].version(), None);
    }
}
