//! Puts each definition where it is referred to: CRDs know no `$ref`.

use super::{FieldPath, Findings, Raw, TYPE, known, path, rust_type};
use serde_json::{Map, Value, json};

/// The schema without references; each node that came from a definition carries its name.
pub(super) fn flatten(raw: &Raw, findings: &mut Findings) -> Value {
    let mut schema = raw.schema.clone();
    let mut walk = Walk { definitions: &raw.definitions, findings, open: Vec::new() };
    walk.node(&mut schema, &FieldPath::root());
    schema
}

struct Walk<'a> {
    definitions: &'a Map<String, Value>,
    findings: &'a mut Findings,
    /// The definitions that the current node is part of.
    open: Vec<String>,
}

impl Walk<'_> {
    fn node(&mut self, node: &mut Value, path: &FieldPath) {
        let opened = self.resolve(node, path);
        path::for_each_child(node, path, &mut |child, path| self.node(child, path));
        self.open.truncate(self.open.len() - opened);
    }

    /// Replaces `$ref`, which may lead to another one; how many definitions that opened.
    fn resolve(&mut self, node: &mut Value, path: &FieldPath) -> usize {
        let mut opened = 0;
        while let Some(reference) = node.as_object_mut().and_then(|map| map.remove("$ref")) {
            let pointer = reference.as_str().unwrap_or_default();
            let name = pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
            if let Some(start) = self.open.iter().position(|open| *open == name) {
                let cycle = self.open.split_off(start);
                self.cycle(&cycle, &name, path);
                self.open.extend(cycle);
                *node = json!({});
                return opened;
            }
            let Some(definition) = self.definition(&name) else {
                self.findings.problem(
                    "OP108",
                    path,
                    rust_type(node),
                    format!("refers to `{pointer}`, which is not there"),
                    "#[schemars(with = \"..\")], or a hand-written schema without `$ref`",
                );
                return opened;
            };
            self.open.push(name);
            opened += 1;
            merge(node, definition);
        }
        opened
    }

    fn definition(&self, name: &str) -> Option<Value> {
        let mut schema = known::replacement(name).or_else(|| self.definitions.get(name).cloned())?;
        known::complete(name, &mut schema, self.definitions);
        if let Value::Bool(_) = schema {
            schema = json!({});
        }
        if let Some(map) = schema.as_object_mut() {
            // `io.k8s.api.core.v1.PodSpec` is `PodSpec` to a Rust programmer.
            map.insert(TYPE.to_owned(), name.rsplit('.').next().unwrap_or(name).into());
        }
        Some(schema)
    }

    fn cycle(&mut self, cycle: &[String], name: &str, path: &FieldPath) {
        let names: Vec<&str> = cycle.iter().map(|name| name.rsplit('.').next().unwrap_or(name)).collect();
        let round = format!("{} → {}", names.join(" → "), name.rsplit('.').next().unwrap_or(name));
        self.findings.problem(
            "OP101",
            path,
            names.last().map(|name| (*name).to_owned()),
            format!("is recursive ({round}), which a CRD cannot describe"),
            "#[schemars(schema_with = \"any_object\")] on the field that closes the circle, with\n\
             fn any_object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {\n    \
                 schemars::json_schema!({\"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true})\n}",
        );
    }
}

/// Adds what `definition` says to what stands beside the reference. The field's own words win, its documentation above
/// all; properties and required names add up.
pub(super) fn merge(node: &mut Value, definition: Value) {
    let (Some(own), Value::Object(definition)) = (node.as_object_mut(), definition) else { return };
    for (key, value) in definition {
        match (own.get_mut(&key), value) {
            (None, value) => drop(own.insert(key, value)),
            (Some(Value::Object(mine)), Value::Object(theirs)) if key == "properties" => {
                for (name, schema) in theirs {
                    mine.entry(name).or_insert(schema);
                }
            }
            (Some(Value::Array(mine)), Value::Array(theirs)) if key == "required" => {
                let new: Vec<Value> = theirs.into_iter().filter(|name| !mine.contains(name)).collect();
                mine.extend(new);
            }
            _ => {}
        }
    }
}
