//! Replaces each `$ref` by the definition that it refers to: CRDs do not support `$ref`.

use crate::finding::Lint;
use crate::schema::finding::Findings;
use crate::schema::free_form::is_anything;
use crate::schema::marks::{TYPE, rust_type};
use crate::schema::path::{self, FieldPath};
use crate::schema::raw::Raw;
use crate::schema::{known, recursion};
use serde_json::{Map, Value, json};

pub(crate) static UNKNOWN_REFERENCE: Lint = Lint::error(
    "OP108",
    "a `$ref` to a schema definition that does not exist",
    "A hand-written schema refers with `$ref` to a definition that it does not have.",
    "schemars::json_schema!({\"$ref\": \"#/$defs/Gone\"})",
    "generator.subschema_for::<Port>()",
);

pub(crate) static TOO_LARGE: Lint = Lint::error(
    "OP117",
    "a CRD that is too large for etcd",
    "etcd accepts at most 1.5 MiB in one request. The server reports `etcdserver: request is too large`.",
    "first: PodTemplateSpec,\nsecond: PodTemplateSpec,\n// and more of them",
    "image: String,\nresources: ResourceRequirements,",
);

pub(crate) static TOO_DEEP: Lint = Lint::error(
    "OP121",
    "a type that is nested too deeply",
    "A schema with more than 100 nested levels describes an object that users cannot reasonably write, and is too \
     deep to read.",
    "struct Level1 { next: Level2 } // and so on, a hundred times",
    "struct Level1 {\n    #[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]\n    next: serde_json::Value,\n}",
);

/// Replaces all references by their definitions; marks each node from a definition with the definition's name.
pub(super) fn flatten(raw: &Raw, findings: &mut Findings) -> Value {
    let mut schema = raw.schema.clone();
    let mut walk = Walk { definitions: &raw.definitions, findings, open: Vec::new(), depth: 0, nodes: 0 };
    walk.node(&mut schema, &FieldPath::root());
    schema
}

struct Walk<'a> {
    definitions: &'a Map<String, Value>,
    findings: &'a mut Findings,
    /// The definitions that contain the current node, each with the path at which the definition begins.
    open: Vec<(String, FieldPath)>,
    depth: usize,
    nodes: usize,
}

/// The maximum nesting of schemas, greater than in any usual object.
const DEEPEST: usize = 100;

/// The maximum number of schemas in one type; a CRD with more schemas is too large for etcd.
const MOST: usize = 100_000;

pub(super) static LINTS: &[&Lint] = &[&UNKNOWN_REFERENCE, &TOO_LARGE, &TOO_DEEP];

/// The lints that end the conversion of a schema: no further step runs after a finding of these lints.
pub(super) static TOO_MUCH: [&Lint; 2] = [&TOO_LARGE, &TOO_DEEP];

impl Walk<'_> {
    fn node(&mut self, node: &mut Value, path: &FieldPath) {
        self.nodes += 1;
        if self.depth > DEEPEST || self.nodes > MOST {
            self.too_much(path);
            *node = json!({});
            return;
        }
        let opened = self.resolve(node, path);
        self.depth += 1;
        path::for_each_child(node, path, &mut |child, path| self.node(child, path));
        self.depth -= 1;
        self.open.truncate(self.open.len() - opened);
    }

    fn too_much(&mut self, path: &FieldPath) {
        let (lint, reason) = if self.nodes > MOST {
            (&TOO_LARGE, format!("is one of more than {MOST} fields, so the definition is too large for etcd"))
        } else {
            (&TOO_DEEP, format!("is nested more than {DEEPEST} levels deep"))
        };
        // Reported once, not for every field beyond the limit.
        if !self.findings.all().any(|finding| finding.lint == lint) {
            let rust = self.open.last().map(|(name, _)| last_name(name).to_owned());
            let hint = "allow any JSON from some level on: \
                 `#[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]` on a `serde_json::Value`";
            self.findings.add(lint, path, rust, reason, hint);
        }
    }

    /// Replaces `$ref` by its definition until no `$ref` is left. Returns the number of inserted definitions.
    fn resolve(&mut self, node: &mut Value, path: &FieldPath) -> usize {
        let mut opened = 0;
        while let Some(reference) = node.as_object_mut().and_then(|map| map.remove("$ref")) {
            let pointer = reference.as_str().unwrap_or_default();
            let name = pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
            if let Some(start) = self.open.iter().position(|(open, _)| *open == name) {
                let cycle = self.open.split_off(start);
                self.cycle(&cycle, path);
                self.open.extend(cycle);
                *node = json!({});
                return opened;
            }
            let Some(definition) = self.definition(&name) else {
                self.findings.add(
                    &UNKNOWN_REFERENCE,
                    path,
                    rust_type(node),
                    format!("refers to `{pointer}`, which does not exist"),
                    "#[schemars(with = \"..\")], or a hand-written schema without `$ref`",
                );
                return opened;
            };
            // A variant of an internally tagged enum may have any JSON as its content, under a definition of its own.
            if let Some(map) = node.as_object_mut()
                && map.contains_key("properties")
                && is_anything(&definition)
            {
                map.entry("additionalProperties").or_insert(true.into());
            }
            self.open.push((name, path.clone()));
            opened += 1;
            merge(node, definition);
        }
        opened
    }

    fn definition(&self, name: &str) -> Option<Value> {
        let mut schema = known::replacement(name).or_else(|| self.definitions.get(name).cloned())?;
        known::complete_definition(name, &mut schema, self.definitions);
        if let Value::Bool(_) = schema {
            schema = json!({});
        }
        if let Some(map) = schema.as_object_mut() {
            map.insert(TYPE.to_owned(), last_name(name).into());
        }
        Some(schema)
    }

    fn cycle(&mut self, cycle: &[(String, FieldPath)], path: &FieldPath) {
        let ends = cycle.iter().skip(1).map(|(_, start)| start).chain([path]);
        let round: Vec<(String, String)> = cycle
            .iter()
            .zip(ends)
            .map(|((name, start), end)| (last_name(name).to_owned(), end.path_below(start)))
            .collect();
        self.findings.push(recursion(path.to_string(), &round));
    }
}

/// Returns the last part of a definition's name, which is the Rust type's name, such as `PodSpec` of
/// `io.k8s.api.core.v1.PodSpec`.
fn last_name(definition: &str) -> &str {
    definition.rsplit('.').next().unwrap_or(definition)
}

/// Merges `definition`, such as the schema to which a `$ref` in `node` referred, into the schema `node`. Keywords that
/// `node` already has, such as a field's description, take precedence; `properties` and `required` are combined.
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
