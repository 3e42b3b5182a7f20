//! Every CRD in testdata that opctl accepts, sent to a real API server.

use crate::support::{Plane, tree};
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use kube::core::{ApiResource, GroupVersionKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Returns the CRDs in testdata that opctl accepts, by their file. A CRD is left out if the file `findings` next to it
/// contains an error. For the CRDs that are left out, `tests/it/lint.rs` checks the server's answers.
fn definitions() -> BTreeMap<String, Value> {
    let tree = tree(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata"));
    let passed = |path: &str| {
        let beside = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let findings = tree.get(&format!("{beside}/findings")).map(|text| String::from_utf8_lossy(text).into_owned());
        !findings.unwrap_or_default().lines().any(|line| line.starts_with("error"))
    };
    let mut found = BTreeMap::new();
    for (path, bytes) in
        tree.iter().filter(|(path, _)| Path::new(path).extension().is_some_and(|extension| extension == "yaml"))
    {
        let text = String::from_utf8_lossy(bytes).replace("[VERSION]", "\"0\"");
        for (number, document) in text.split("\n---\n").enumerate() {
            // Files of other kinds may mention this kind in a longer line.
            let definition = document.lines().any(|line| line == "kind: CustomResourceDefinition");
            if definition && passed(path) {
                let value = serde_yaml::from_str(document).unwrap_or_else(|error| panic!("{path}: {error}"));
                found.insert(format!("{path} ({number})"), value);
            }
        }
        // A file with a schema alone exists only for cases that opctl accepts.
        if path.ends_with("/schema.yaml") {
            let schema = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
            found.insert(path.clone(), around(&schema));
        }
    }
    found
}

fn around(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "schemas.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Schema", "plural": "schemas"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

#[tokio::test]
async fn crds_that_opctl_accepts_are_accepted_by_a_real_server() {
    let definitions = definitions();
    let plane = Plane::start();
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let api: Api<DynamicObject> = Api::all_with(plane.client().await, &ApiResource::from_gvk(&kind));
    let mut parameters = PatchParams::apply("opctl").dry_run();
    parameters.field_validation = Some(kube::api::ValidationDirective::Strict);
    let mut refused = Vec::new();
    for (path, definition) in &definitions {
        let name = definition["metadata"]["name"].as_str().unwrap();
        if let Err(error) = api.patch(name, &parameters, &Patch::Apply(definition)).await {
            refused.push(format!("{path}: {error}"));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    for from in
        ["golden/webserver-operator/", "golden/platform-operator/", "corpus/", "manifest/lint/", "manifest/schema/"]
    {
        assert!(definitions.keys().any(|path| path.starts_with(from)), "nothing below {from}");
    }
}
