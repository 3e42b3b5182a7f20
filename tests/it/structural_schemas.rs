//! The answers of a real API server to the schemas of testdata/manifest/schema, and to schemas that it must refuse.

use crate::support::Plane;
use kube::api::{Api, DynamicObject, Patch, PatchParams, ValidationDirective};
use kube::core::{ApiResource, GroupVersionKind};
use opctl::test_api::manifest::definition::{Version, definitions};
use opctl::test_api::schema::{Findings, Raw, structural};
use opctl::test_api::source::discover::{Features, types};
use serde_json::{Value, json};
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
        if !findings.allow_use() {
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

/// Checks every row of `testdata/manifest/refusals`: the API server refuses the schema of the row with the message of
/// the row. If the row has the key `fixed`, opctl also converts the schema to a structural schema, and the API server
/// accepts the structural schema. `src/manifest/lint/tests.rs` checks the codes of the rows.
#[tokio::test]
async fn every_rule_of_the_server_has_a_schema_that_it_refuses() {
    let plane = Plane::start();
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let api: Api<DynamicObject> = Api::all_with(plane.client().await, &ApiResource::from_gvk(&kind));
    let mut parameters = PatchParams::apply("opctl").dry_run();
    parameters.field_validation = Some(ValidationDirective::Strict);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/refusals");
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
        let rows: Vec<Value> = serde_yaml::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        for row in rows.iter().filter(|row| row.get("never").is_none()) {
            let message = row["message"].as_str().unwrap();
            let raw = row.get("root").cloned().unwrap_or_else(|| {
                json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {"field": row["field"]}}}})
            });
            let send = |schema: &Value, as_it_is: bool| {
                let object: DynamicObject = serde_json::from_value(definition(schema, row, as_it_is)).unwrap();
                let (api, parameters) = (api.clone(), parameters.clone());
                async move { api.patch("foos.g.example", &parameters, &Patch::Apply(&object)).await }
            };
            match send(&raw, true).await.map_err(|error| error.to_string()) {
                Ok(_) => wrong.push(format!("{}: {message}: is accepted", file.display())),
                Err(said) if !said.contains(message) => wrong.push(format!("{}: {message}: {said}", file.display())),
                Err(_) => {}
            }
            if row.get("fixed").is_some() {
                let raw = Raw { schema: raw, ..Raw::default() };
                let fixed = structural(&raw, Some(&raw), &mut Findings::default());
                if let Err(said) = send(&fixed, false).await {
                    wrong.push(format!("{}: {message}: is not fixed: {said}", file.display()));
                }
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "only {count} rows");
}

/// Returns a CRD with this schema. The schema is unchanged if `as_it_is` is true; otherwise, it is converted as opctl
/// converts schemas.
fn definition(schema: &Value, row: &Value, as_it_is: bool) -> Value {
    let status = if row["status"] == true { ", status = \"FooStatus\"" } else { "" };
    let source = format!(
        "#[derive(CustomResource)]\n#[kube(group = \"g.example\", version = \"v1\", kind = \"Foo\"{status})]\npub struct FooSpec {{}}"
    );
    let (found, _) = types(Path::new("types.rs"), &|_| Ok(Some(source.clone())), &Features::default()).unwrap();
    let api_type = &found[0];
    let mut crd = api_type.resource.stated.clone();
    crd["spec"]["names"]["plural"] = "foos".into();
    crd["metadata"]["name"] = "foos.g.example".into();
    let version = Version { api_type, crd, schema: schema.clone() };
    let mut object = definitions(vec![version]).0.into_values().next().unwrap().object;
    if as_it_is {
        object["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema.clone();
    }
    object
}
