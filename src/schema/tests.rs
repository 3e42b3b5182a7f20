use super::{Findings, Raw, structural};
use crate::yaml;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// Checks the generated schema and the findings for each folder of testdata/manifest/schema. The inputs are `read.json`
/// and, if present, `written.json`, in the format that opctl's generated program prints for the user's types. The
/// expected results are in `schema.yaml` and `findings`.
#[test]
fn cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/schema");
    let mut count = 0;
    for case in std::fs::read_dir(cases).expect("the cases").flatten().map(|entry| entry.path()) {
        let read = |name: &str| std::fs::read_to_string(case.join(name)).ok();
        let raw = |text: String| {
            serde_json::from_str::<Raw>(&text).unwrap_or_else(|error| panic!("{}: {error}", case.display()))
        };
        let input = raw(read("read.json").expect("read.json"));
        let written = read("written.json").map_or_else(|| input.clone(), raw);
        let mut findings = Findings::default();
        let schema = structural(&input, Some(&written), &mut findings);
        let mut said = String::new();
        for one in findings.all() {
            let _ = writeln!(said, "{}: {one}\nhint: {}", one.lint.severity.name(), one.hint);
        }
        // A case with an output of controller-gen needs no other copy.
        let usable = findings.allow_use() && !case.join("controller-gen.json").exists();
        for (name, made) in
            [("schema.yaml", usable.then(|| yaml::document(&schema))), ("findings", (!said.is_empty()).then_some(said))]
        {
            if let (Some(made), Some("overwrite")) = (&made, std::env::var("SNAPSHOTS").ok().as_deref()) {
                std::fs::write(case.join(name), made).expect("writable");
            }
            assert_eq!(made, read(name), "{}", case.display());
        }
        count += 1;
    }
    assert!(count > 20, "only {count} cases");
}

/// For Kubernetes types, opctl generates the same schema as controller-gen with
/// `crd:generateEmbeddedObjectMeta=true,maxDescLen=0`, but keeps the fields of embedded metadata.
#[test]
fn kubernetes_types_are_what_controller_gen_makes_of_them() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/schema/kubernetes-types");
    let read = |name: &str| std::fs::read_to_string(case.join(name)).expect("readable");
    let raw: Raw = serde_json::from_str(&read("read.json")).expect("a schema");
    let mut findings = Findings::default();
    let mut ours = structural(&raw, Some(&raw), &mut findings);
    assert_eq!(findings.all().count(), 0);
    // The only difference: controller-gen prunes fields of an embedded `metadata`, and opctl keeps them.
    let metadata = [
        "metadata",
        "claim/properties/metadata",
        "template/properties/metadata",
        "template/properties/spec/properties/volumes/items/properties/ephemeral/properties/volumeClaimTemplate/properties/metadata",
    ];
    for path in metadata {
        let metadata = ours.pointer_mut(&format!("/properties/spec/properties/{path}"));
        let kept =
            metadata.and_then(Value::as_object_mut).and_then(|map| map.remove("x-kubernetes-preserve-unknown-fields"));
        assert_eq!(kept, Some(true.into()), "{path}");
    }
    let mut theirs: Value = serde_json::from_str(&read("controller-gen.json")).expect("JSON");
    for schema in [&mut ours, &mut theirs] {
        sort_required(schema);
    }
    assert!(ours["properties"]["spec"] == theirs, "compare what `structural` makes with controller-gen.json");
}

fn sort_required(node: &mut Value) {
    if let Some(Value::Array(names)) = node.get_mut("required") {
        names.sort_by(|one, other| one.as_str().cmp(&other.as_str()));
    }
    super::path::for_each_child(node, &super::FieldPath::root(), &mut |child, _| sort_required(child));
}

/// Returns the codes of the errors that opctl reports for a chain of types. The chain has `types` object types, and
/// each of them has `fields` fields of the next type.
fn chain(types: usize, fields: usize) -> Vec<&'static str> {
    let mut definitions = serde_json::Map::new();
    for index in 0..types {
        let next = json!({"$ref": format!("#/components/schemas/T{}", index + 1)});
        let properties: serde_json::Map<String, Value> =
            (0..fields).map(|field| (format!("f{field}"), next.clone())).collect();
        definitions.insert(format!("T{index}"), json!({"type": "object", "properties": properties}));
    }
    definitions.insert(format!("T{types}"), json!({"type": "string"}));
    let raw = Raw { schema: json!({"$ref": "#/components/schemas/T0"}), definitions };
    let mut findings = Findings::default();
    structural(&raw, Some(&raw), &mut findings);
    findings.errors().map(|finding| finding.lint.code).collect()
}

#[test]
fn schemas_too_deep_or_too_large_are_errors() {
    assert_eq!(chain(90, 1), [""; 0]);
    assert_eq!(chain(5000, 1), ["OP121"]);
    assert_eq!(chain(40, 2), ["OP117"]);
}

/// No step of the schema conversion panics on a schema that is valid JSON.
#[test]
fn odd_schemas_are_no_reason_to_panic() {
    let pieces = [
        json!(null),
        json!(true),
        json!(false),
        json!([]),
        json!({}),
        json!("x"),
        json!(1.5),
        json!([null]),
        json!({"$ref": "#/components/schemas/Loop"}),
        json!({"type": []}),
        json!({"type": ["null"]}),
        json!({"oneOf": []}),
        json!({"anyOf": [{"type": "null"}]}),
        json!({"type": "object", "properties": {"a": true}}),
        json!({"enum": [null]}),
    ];
    let keys = [
        "schema",
        "type",
        "enum",
        "oneOf",
        "anyOf",
        "allOf",
        "properties",
        "items",
        "required",
        "const",
        "default",
        "additionalProperties",
        "patternProperties",
        "prefixItems",
        "format",
        "minimum",
        "$ref",
        "not",
        "examples",
    ];
    let definitions =
        json!({"Loop": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Loop"}}}});
    let definitions = definitions.as_object().cloned().unwrap_or_default();
    for key in keys {
        for one in &pieces {
            for other in &pieces {
                let lists = [json!([one, other]), one.clone(), json!({"a": one, "b": other})];
                for value in lists {
                    let schema: Value = json!({"type": "object", "properties": {"x": {key: value, "oneOf": [one, other]}, "y": {key: value}}, key: other});
                    let raw = Raw { schema, definitions: definitions.clone() };
                    let _ = structural(&raw, Some(&raw), &mut Findings::default());
                }
            }
        }
    }
}
