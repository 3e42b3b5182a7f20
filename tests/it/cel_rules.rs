//! The answers of a real API server to the CEL rules of testdata/manifest/rules, recorded in `server.txt`.

use crate::support::Plane;
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use kube::core::{ApiResource, GroupVersionKind};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// Adds a rule to the schema node at a path such as `spec.list[]`.
fn add(schema: &mut Value, path: &str, rule: &str) {
    let node = path.split('.').filter(|part| !part.is_empty()).fold(schema, |node, part| {
        let name = part.trim_end_matches(['[', ']', '{', '}']);
        let node = &mut node["properties"][name];
        match &part[name.len()..] {
            "[]" => &mut node["items"],
            "{}" => &mut node["additionalProperties"],
            _ => node,
        }
    });
    let whole = serde_json::from_str::<Value>(rule).ok().filter(Value::is_object);
    node["x-kubernetes-validations"] = json!([whole.unwrap_or_else(|| json!({"rule": rule}))]);
}

/// Returns the server's error message without the rule that the server repeats in the message, and without the
/// numbers in generated type names, which differ in each run.
fn words(message: &str) -> String {
    let start = message.find("compilation failed").or(message.rfind("cel expression")).unwrap_or(0);
    let first = message[start..].lines().next().unwrap_or_default();
    let mut parts = first.split("selfType");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("selfType");
        text.push_str(part.trim_start_matches(|one: char| one.is_ascii_digit()));
    }
    text
}

#[tokio::test]
async fn the_server_judges_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/rules");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let plane = Plane::start();
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let definitions: Api<DynamicObject> = Api::all_with(plane.client().await, &ApiResource::from_gvk(&kind));
    let mut parameters = PatchParams::apply("opctl").dry_run();
    parameters.field_validation = Some(kube::api::ValidationDirective::Strict);
    let crd: Value = serde_yaml::from_str(&text("crd.yaml")).unwrap();
    let mut said = String::new();
    for line in text("rules.txt").lines() {
        let (path, rule) = line.split_once(" | ").unwrap();
        let mut crd = crd.clone();
        add(&mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"], path, rule);
        match definitions.patch("samples.rules.example", &parameters, &Patch::Apply(&crd)).await {
            Ok(_) => {}
            Err(kube::Error::Api(status)) => {
                writeln!(said, "{line}").unwrap();
                let causes = status.details.iter().flat_map(|details| &details.causes);
                for cause in causes.filter(|cause| !cause.field.is_empty()) {
                    writeln!(said, "    {}", words(&cause.message)).unwrap();
                }
            }
            Err(error) => panic!("{line}: {error}"),
        }
    }
    if crate::support::records() {
        std::fs::write(folder.join("server.txt"), &said).unwrap();
    }
    assert_eq!(said, text("server.txt"));
}
