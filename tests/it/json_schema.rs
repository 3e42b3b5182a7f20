//! The JSON schemas of the projects in `testdata/golden` accept the samples of these projects, and refuse objects
//! with a mistake.

use crate::support::{GOLDEN, project};
use opctl::test_api::api_reference::json_schemas;
use opctl::test_api::manifest::DEFINITIONS;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Returns the YAML documents in a folder.
fn documents(folder: &Path) -> Vec<Value> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "yaml") {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
    texts.iter().flat_map(|text| serde_yaml::from_multiple::<Value>(text).unwrap()).collect()
}

/// Returns the schemas of a project by path.
fn schemas(name: &str) -> BTreeMap<String, Value> {
    let definitions = documents(&project(name).join(DEFINITIONS));
    let files = definitions.iter().flat_map(json_schemas);
    files.map(|(path, text)| (path, serde_json::from_str(&text).unwrap())).collect()
}

#[test]
fn every_golden_sample_is_valid_and_one_with_a_slip_is_not() {
    let mut tried = 0;
    for name in GOLDEN {
        let schemas = schemas(name);
        for sample in documents(&project(name).join("config/samples")) {
            // The kustomization in this folder has neither.
            let (Some(api_version), Some(kind)) = (sample["apiVersion"].as_str(), sample["kind"].as_str()) else {
                continue;
            };
            let (group, version) = api_version.split_once('/').unwrap();
            let path = format!("{group}/{}_{version}.json", kind.to_lowercase());
            let schema = &schemas[&path];
            assert!(jsonschema::meta::is_valid(schema), "{name}: {path}");
            let validator = jsonschema::draft7::new(schema).unwrap();
            let faults: Vec<String> = validator.iter_errors(&sample).map(|fault| fault.to_string()).collect();
            assert_eq!(faults, [""; 0], "{name}: {sample:#}");
            for (pointer, key, value) in [
                ("", "speck", json!({})),
                ("/metadata", "nmae", json!("x")),
                ("/spec", "unknownField", json!(1)),
                ("", "kind", json!("Other")),
                ("", "spec", json!("no object")),
                ("/metadata", "labels", json!({"a": 1})),
            ] {
                let mut wrong = sample.clone();
                wrong.pointer_mut(pointer).unwrap()[key] = value;
                assert!(!validator.is_valid(&wrong), "{name}: {wrong:#}");
            }
            let fields = sample["spec"].as_object().unwrap();
            for (field, value) in fields {
                let mut wrong = sample.clone();
                wrong["spec"][field] = if value.is_array() { json!({"a": 1}) } else { json!([[]]) };
                assert!(!validator.is_valid(&wrong), "{name}: {field} is {}", wrong["spec"][field]);
            }
            tried += 1;
        }
    }
    assert!(tried > 10, "only {tried} samples");
}

#[test]
fn each_schema_stands_alone() {
    let schemas = schemas("platform-operator");
    let paths: Vec<&str> = schemas.keys().map(String::as_str).collect();
    assert_eq!(
        paths,
        [
            "apps.example.org/database_v1alpha1.json",
            "cache.example.org/database_v1.json",
            "core.example.org/config_v1alpha1.json",
            "dns.example.org/dnszone_v1beta1.json",
            "example.org/tenant_v1.json",
            "example.org/tenant_v1alpha1.json",
        ]
    );
    for (path, schema) in schemas {
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
        assert!(!schema.to_string().contains("$ref"), "{path}");
        let namespaced = schema.pointer("/properties/metadata/properties/namespace").is_some();
        assert_eq!(namespaced, !path.contains("tenant"), "{path}");
    }
}
