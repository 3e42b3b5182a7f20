//! What a real API server says to the schemas of testdata/manifest/schema, and to custom resources of these types.

use crate::life::Plane;
use kube::api::{Api, DynamicObject, Patch, PatchParams, ValidationDirective};
use kube::core::{ApiResource, GroupVersionKind};
use opctl::manifest::schema::{Findings, Raw, structural};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// What a case says about specs: `objects.yaml` beside its schema.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Objects {
    /// Come back with all that was sent.
    accepted: Vec<Value>,
    /// Are no value of the Rust type, and the server knows.
    refused: Vec<Value>,
}

#[tokio::test]
async fn every_schema_is_accepted_and_keeps_what_the_type_writes() {
    let plane = Plane::start();
    let client = plane.client().await;
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let definitions: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::from_gvk(&kind));
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/schema");
    let mut parameters = PatchParams::apply("opctl");
    parameters.field_validation = Some(ValidationDirective::Strict);
    let mut all = Vec::new();
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
        if let Ok(text) = fs::read_to_string(case.join("objects.yaml")) {
            all.push((name, group, serde_yaml::from_str::<Objects>(&text).unwrap()));
        }
    }
    for (name, group, objects) in all {
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(&group, "v1", "Case"));
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
        for spec in &objects.accepted {
            let made = create(&api, &resource, spec).await.unwrap_or_else(|error| panic!("{name}: {spec}: {error}"));
            assert!(contains(&made, spec), "{name}: sent {spec}, came back {made}");
        }
        for spec in &objects.refused {
            let made = create(&api, &resource, spec).await;
            assert!(made.is_err(), "{name}: {spec} was accepted");
        }
    }
}

/// The spec that the server would keep; a new kind is served after a moment.
async fn create(api: &Api<DynamicObject>, resource: &ApiResource, spec: &Value) -> Result<Value, kube::Error> {
    let mut parameters = PatchParams::apply("opctl").dry_run();
    parameters.field_validation = Some(ValidationDirective::Strict);
    let object = DynamicObject::new("one", resource).data(json!({ "spec": spec }));
    for _ in 0..100 {
        match api.patch("one", &parameters, &Patch::Apply(&object)).await {
            Err(kube::Error::Api(status)) if status.code == 404 => {
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
            said => return said.map(|made| made.data["spec"].clone()),
        }
    }
    panic!("{} is not served", resource.group)
}

/// Whether all that was sent came back; more may, for defaults.
fn contains(made: &Value, sent: &Value) -> bool {
    match (made, sent) {
        (Value::Object(made), Value::Object(sent)) => {
            sent.iter().all(|(key, value)| made.get(key).is_some_and(|made| contains(made, value)))
        }
        (Value::Array(made), Value::Array(sent)) => {
            made.len() == sent.len() && made.iter().zip(sent).all(|(made, sent)| contains(made, sent))
        }
        (made, sent) => made == sent,
    }
}
