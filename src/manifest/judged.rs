//! Records the CRDs whose CEL rules a real API server has accepted. opctl reports OP551, the warning about unchecked
//! CEL rules, only for CRDs without a record.
//!
//! The record is a file below cargo's target folder, in the folder where opctl compiles the program that prints the
//! schemas. If the record is lost, opctl reports OP551 again.

use super::lint::UNVERIFIED;
use super::manifests::GeneratedDefinition;
use crate::Result;
use crate::error::file_error;
use crate::finding::Finding;
use crate::reading::{self, Limit};
use crate::system;
use crate::{exec, type_program};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const FILE: &str = "judged.json";

/// Returns the folder in which opctl keeps, between runs, the schemas of the compiled types and the record of CRDs that
/// an API server accepted. The folder is below cargo's target folder; `root` is the absolute path of the project.
/// Without the folder, opctl has to compile the types and to ask the API server again.
pub fn memory(root: &Path) -> PathBuf {
    type_program::folder(root, &exec::target_folder(root))
}

/// Returns true if the finding is the warning that no API server has checked the CEL rules of a CRD.
pub fn is_unjudged(finding: &Finding) -> bool {
    finding.code == UNVERIFIED.code
}

/// Records that an API server has accepted these CRDs of the project at `root`.
///
/// # Errors
/// Fails if the record cannot be written.
pub fn remember_judged(root: &Path, definitions: &[Value]) -> Result<()> {
    let root = std::path::absolute(root).map_err(|error| file_error("find", root, &error))?;
    remember(&memory(&root), definitions)
}

/// Adds CRDs to the record of accepted CRDs in the folder `memory`.
pub(super) fn remember<'a>(memory: &Path, definitions: impl IntoIterator<Item = &'a Value>) -> Result<()> {
    let before = read(memory);
    let mut known = before.clone();
    known.extend(definitions.into_iter().map(|definition| (name(definition), hash(definition))));
    // Without the folder, the types were never compiled here, and nothing asks for the record.
    if known == before || !memory.is_dir() {
        return Ok(());
    }
    let path = memory.join(FILE);
    let text = serde_json::to_vec(&known).unwrap_or_default();
    system::write_file(&path, text).map_err(|error| file_error("write", &path, &error))
}

/// Removes the finding OP551 for each CRD in `definitions` whose current rules an API server has checked. The folder
/// `memory` has the record of these CRDs.
pub(super) fn without_judged(
    mut findings: Vec<Finding>,
    memory: &Path,
    definitions: &[GeneratedDefinition],
) -> Vec<Finding> {
    let known = read(memory);
    let is_judged = |of: &String| {
        let mut made = definitions.iter().map(|made| &made.object).filter(|object| name(object) == *of);
        made.any(|object| known.get(of) == Some(&hash(object)))
    };
    findings.retain(|finding| !(is_unjudged(finding) && finding.definition.as_ref().is_some_and(is_judged)));
    findings
}

/// Returns the name of a CRD.
pub(super) fn name(definition: &Value) -> String {
    definition["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}

/// Reads the hashes of the CRDs that an API server has accepted, by the CRD's name.
fn read(memory: &Path) -> BTreeMap<String, String> {
    let text = reading::bytes(memory.join(FILE), Limit::Bundle).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Returns the hash of the schemas of all versions of a CRD, without descriptions. The types and the cost of CEL rules
/// depend only on these schemas.
fn hash(definition: &Value) -> String {
    let versions = definition["spec"]["versions"].as_array().into_iter().flatten();
    let schemas = versions.map(|version| without_descriptions(&version["schema"]["openAPIV3Schema"]));
    type_program::digest(schemas.collect::<Value>().to_string().as_bytes())
}

fn without_descriptions(schema: &Value) -> Value {
    let within = |(key, value): (&String, &Value)| {
        let value = match (key.as_str(), value) {
            // The keys are names of fields.
            ("properties", Value::Object(fields)) => {
                fields.iter().map(|(name, schema)| (name.clone(), without_descriptions(schema))).collect()
            }
            ("default" | "enum", value) => value.clone(),
            (_, value) => without_descriptions(value),
        };
        (key.clone(), value)
    };
    match schema {
        Value::Object(map) => map.iter().filter(|(key, _)| *key != "description").map(within).collect(),
        Value::Array(items) => items.iter().map(without_descriptions).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::hash;
    use serde_json::json;

    #[test]
    fn rules_are_known_again_by_their_schemas() {
        let of = |field: serde_json::Value| {
            let schema = json!({ "properties": { "spec": field }, "type": "object" });
            hash(&json!({ "spec": { "versions": [{ "schema": { "openAPIV3Schema": schema } }] } }))
        };
        let rule = json!([{ "rule": "self.size() > 1" }]);
        let one = of(json!({ "type": "string", "description": "One.", "x-kubernetes-validations": rule }));
        assert_eq!(one, of(json!({ "type": "string", "x-kubernetes-validations": rule })));
        assert_eq!(one, of(json!({ "x-kubernetes-validations": rule, "type": "string", "description": "Two." })));
        for other in [
            json!({ "type": "string", "x-kubernetes-validations": [{ "rule": "self.size() > 2" }] }),
            json!({ "type": "string", "maxLength": 3, "x-kubernetes-validations": rule }),
            json!({ "type": "string", "default": "a", "x-kubernetes-validations": rule }),
            json!({ "type": "object", "properties": { "description": { "type": "string" } } }),
            json!({ "type": "object", "properties": {} }),
            json!({ "type": "object", "default": { "description": "a" } }),
            json!({ "type": "object", "default": {} }),
        ] {
            assert_ne!(one, of(other.clone()), "{other}");
        }
        let object = |value: serde_json::Value| of(json!({ "type": "object", "properties": value }));
        assert_ne!(object(json!({ "description": { "type": "string" } })), object(json!({})));
        let default = |value: serde_json::Value| of(json!({ "type": "object", "default": value }));
        assert_ne!(default(json!({ "description": "a" })), default(json!({})));
    }
}
