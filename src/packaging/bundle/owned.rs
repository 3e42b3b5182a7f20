//! Describes the kinds of the operator and their fields, for the page of the operator in a catalog.

use crate::packaging::read_strings::text;
use serde_json::{Map, Value, json};

/// The number of levels of nested objects whose fields the bundle describes.
const DEPTH: usize = 3;

/// Returns an entry of `customresourcedefinitions.owned` for each served version of the CRDs.
pub(super) fn owned_entries(objects: &[Value]) -> Vec<Value> {
    let definitions = objects.iter().filter(|object| object["kind"] == "CustomResourceDefinition");
    let versions = definitions.flat_map(|definition| {
        let versions = definition["spec"]["versions"].as_array().into_iter().flatten();
        versions.filter(|version| version["served"] == true).map(|version| of_version(definition, version))
    });
    versions.collect()
}

fn of_version(definition: &Value, version: &Value) -> Value {
    let (kind, schema) = (text(definition, "/spec/names/kind"), &version["schema"]["openAPIV3Schema"]);
    let description = text(schema, "/description");
    let description = if description.is_empty() { format!("A {kind}") } else { description.to_owned() };
    let replicas = text(version, "/subresources/scale/specReplicasPath").trim_start_matches(".spec.");
    let described = |part: &str, replicas: &str| {
        let mut found = Vec::new();
        describe(&schema["properties"][part], "", replicas, DEPTH, &mut found);
        found
    };
    let (spec, status) = (described("spec", replicas), described("status", ""));
    let mut entry = json!({
        "name": definition["metadata"]["name"],
        "kind": kind,
        "version": version["name"],
        "displayName": split_into_words(kind),
        "description": description,
    });
    for (key, found) in [("specDescriptors", spec), ("statusDescriptors", status)] {
        if !found.is_empty() {
            entry[key] = found.into();
        }
    }
    entry
}

/// Adds to `found` an entry for each field of the object with the schema `schema`, and for the fields of its nested
/// objects. Leaves out the fields of list items and map values. `within` is the path of the object, `replicas` is the
/// path of the field with the number of replicas, and `depth` is the number of levels to describe.
fn describe(schema: &Value, within: &str, replicas: &str, depth: usize, found: &mut Vec<Value>) {
    let Some(fields) = schema["properties"].as_object() else { return };
    for (name, field) in fields {
        let path = if within.is_empty() { name.clone() } else { format!("{within}.{name}") };
        let mut entry = Map::new();
        entry.insert("path".to_owned(), path.as_str().into());
        entry.insert("displayName".to_owned(), split_into_words(name).into());
        if let Some(description) = field["description"].as_str() {
            entry.insert("description".to_owned(), description.into());
        }
        if let Some(control) = control(&path, field, replicas) {
            entry.insert("x-descriptors".to_owned(), json!([control]));
        }
        found.push(entry.into());
        if depth > 1 {
            describe(field, &path, replicas, depth - 1, found);
        }
    }
}

/// Splits a name into words: `DNSZone` into `DNS Zone`, `clusterIP` into `Cluster IP`.
fn split_into_words(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut words = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let is_lower = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_lowercase);
        if index == 0 {
            words.push(letter.to_ascii_uppercase());
            continue;
        }
        if letter.is_ascii_uppercase() && (is_lower(Some(index - 1)) || is_lower(Some(index + 1))) {
            words.push(' ');
        }
        words.push(*letter);
    }
    words
}

/// Returns the descriptor that tells the `OpenShift` console how to show the field at `path` with the schema `field`;
/// `None` if there is no suitable descriptor (openshift/console, operator-lifecycle-manager, descriptors/types.ts).
/// `replicas` is the path of the field with the number of replicas; empty if there is no such field.
fn control(path: &str, field: &Value, replicas: &str) -> Option<&'static str> {
    if path == replicas && !path.is_empty() {
        return Some("urn:alm:descriptor:com.tectonic.ui:podCount");
    }
    let is_conditions = path == "conditions" && field["items"]["properties"].get("lastTransitionTime").is_some();
    match field["type"].as_str()? {
        "array" if is_conditions => Some("urn:alm:descriptor:io.kubernetes.conditions"),
        "boolean" => Some("urn:alm:descriptor:com.tectonic.ui:booleanSwitch"),
        "integer" | "number" => Some("urn:alm:descriptor:com.tectonic.ui:number"),
        "string" => Some("urn:alm:descriptor:com.tectonic.ui:text"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_for_people() {
        for (name, words) in
            [("DNSZone", "DNS Zone"), ("clusterIP", "Cluster IP"), ("WebServer", "Web Server"), ("x", "X")]
        {
            assert_eq!(split_into_words(name), words);
        }
    }

    #[test]
    fn fields_are_described_with_their_controls() {
        let integer = json!({"type": "integer", "description": "How many"});
        let schema = json!({"properties": {
            "spec": {"properties": {"replicas": integer, "tls": {"type": "object", "properties": {"on": {"type": "boolean"}}}}},
            "status": {"properties": {"conditions": {"type": "array", "items": {"properties": {"lastTransitionTime": {}}}}}},
        }});
        let version = json!({
            "name": "v1", "served": true, "schema": {"openAPIV3Schema": schema},
            "subresources": {"scale": {"specReplicasPath": ".spec.replicas"}},
        });
        let definition = json!({
            "kind": "CustomResourceDefinition", "metadata": {"name": "webs.e.com"},
            "spec": {"names": {"kind": "Web"}, "versions": [version, {"name": "v0", "served": false}]},
        });
        let found = owned_entries(&[definition]);
        assert_eq!((found.len(), &found[0]["description"]), (1, &json!("A Web")));
        let paths = |part: &str| {
            let entries = found[0][part].as_array().unwrap().iter();
            entries.map(|entry| format!("{} {}", entry["path"], entry["x-descriptors"][0])).collect::<Vec<_>>()
        };
        let console = "urn:alm:descriptor:com.tectonic.ui";
        let expected = [
            format!("\"replicas\" \"{console}:podCount\""),
            "\"tls\" null".to_owned(),
            format!("\"tls.on\" \"{console}:booleanSwitch\""),
        ];
        assert_eq!(paths("specDescriptors"), expected);
        assert_eq!(paths("statusDescriptors"), ["\"conditions\" \"urn:alm:descriptor:io.kubernetes.conditions\""]);
    }
}
