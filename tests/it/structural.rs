//! What a real API server says to the schemas of testdata/manifest/schema.

use crate::life::Plane;
use kube::api::{Api, DynamicObject, Patch, PatchParams, ValidationDirective};
use kube::core::{ApiResource, GroupVersionKind};
use opctl::manifest::schema::{Findings, Raw, structural};
use serde_json::json;
use std::fs;
use std::path::Path;

#[tokio::test]
async fn every_schema_is_accepted() {
    let plane = Plane::start();
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let definitions: Api<DynamicObject> = Api::all_with(plane.client().await, &ApiResource::from_gvk(&kind));
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/schema");
    let mut parameters = PatchParams::apply("opctl").dry_run();
    parameters.field_validation = Some(ValidationDirective::Strict);
    let mut count = 0;
    for (index, case) in fs::read_dir(cases).unwrap().flatten().map(|entry| entry.path()).enumerate() {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let raw = |file: &str| -> Option<Raw> {
            fs::read_to_string(case.join(file)).ok().map(|text| serde_json::from_str(&text).unwrap())
        };
        let read = raw("read.json").unwrap();
        let mut findings = Findings::default();
        let schema = structural(&read, raw("written.json").as_ref().or(Some(&read)), &mut findings);
        if !findings.problems.is_empty() {
            continue;
        }
        let group = format!("case{index}.example");
        let definition: DynamicObject = serde_json::from_value(json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("cases.{group}")},
            "spec": {
                "group": group, "scope": "Cluster", "names": {"kind": "Case", "plural": "cases"},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
            },
        }))
        .unwrap();
        let said = definitions.patch(&format!("cases.{group}"), &parameters, &Patch::Apply(&definition)).await;
        said.unwrap_or_else(|error| panic!("{name}: {error}"));
        count += 1;
    }
    assert!(count > 20, "only {count} cases");
}
