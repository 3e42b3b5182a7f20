use super::*;

/// Returns the JSON schema of a custom resource whose spec has one field, `f`, with the schema `field`.
fn schema(field: &Value) -> Value {
    let spec = json!({"type": "object", "properties": {"f": field}});
    let root = json!({"type": "object", "required": ["spec"], "properties": {"spec": spec, "kind": {"type": "string", "description": "Kind."}}});
    let definition = json!({"spec": {"group": "a.Example", "scope": "Cluster", "names": {"kind": "MyKind"},
        "versions": [{"name": "v1", "schema": {"openAPIV3Schema": root}}]}});
    let files = json_schemas(&definition);
    assert_eq!(files[0].0, "a.example/mykind_v1.json");
    serde_json::from_str(&files[0].1).unwrap()
}

fn resource_with(field: &Value) -> Value {
    json!({"apiVersion": "a.Example/v1", "kind": "MyKind", "metadata": {"name": "x"}, "spec": {"f": field}})
}

#[test]
fn every_keyword_allows_and_refuses_what_the_server_does() {
    let text = json!({"type": "string"});
    for (field, good, bad) in [
        (
            json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true}),
            vec![json!(2)],
            vec![json!(1), json!("2"), json!(null)],
        ),
        (json!({"type": "string", "nullable": true, "enum": ["a"]}), vec![json!("a"), json!(null)], vec![json!("b")]),
        (
            json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": "^[0-9]+%$"}),
            vec![json!(1), json!("1%")],
            vec![json!("x"), json!(1.5), json!(true)],
        ),
        (json!({"x-kubernetes-preserve-unknown-fields": true}), vec![json!({"any": [1]}), json!(1)], vec![]),
        (
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
            vec![json!({"any": 1})],
            vec![json!(1)],
        ),
        (json!({"type": "object", "additionalProperties": text}), vec![json!({"a": "b"})], vec![json!({"a": 1})]),
        (
            json!({"type": "object", "properties": {"a": text}}),
            vec![json!({"a": "b"}), json!({})],
            vec![json!({"b": "b"})],
        ),
        (json!({"type": "object"}), vec![json!({})], vec![json!({"pruned": 1})]),
        (
            json!({"type": "object", "properties": {"a": text, "b": text}, "oneOf": [{"required": ["a"]}, {"required": ["b"], "properties": {"b": {"minLength": 1}}}]}),
            vec![json!({"a": ""}), json!({"b": "x"})],
            vec![json!({}), json!({"a": "", "b": "x"}), json!({"b": ""})],
        ),
        (
            json!({"type": "array", "items": text, "x-kubernetes-list-type": "set"}),
            vec![json!(["a"])],
            vec![json!(["a", "a"]), json!([1])],
        ),
        (
            json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}),
            vec![json!({"apiVersion": "v1", "kind": "Pod", "spec": {}})],
            vec![json!({"kind": "Pod"})],
        ),
        (json!({"type": "string", "format": "duration"}), vec![json!("1h30m")], vec![json!(90)]),
        // A pattern in the server's own syntax, which editors cannot read.
        (json!({"type": "string", "pattern": "(?i)^a\\z"}), vec![json!("A")], vec![json!(1)]),
        (json!({"type": "string", "pattern": "^(?:a|b)$"}), vec![json!("a")], vec![json!("A")]),
    ] {
        let schema = schema(&field);
        let validator = jsonschema::draft7::new(&schema).unwrap();
        for value in good {
            assert!(validator.is_valid(&resource_with(&value)), "{field} refuses {value}\n{schema:#}");
        }
        for value in bad {
            assert!(!validator.is_valid(&resource_with(&value)), "{field} allows {value}\n{schema:#}");
        }
    }
}

#[test]
fn a_resource_is_known_by_its_kind_and_its_metadata_is_described() {
    let schema = schema(&json!({"type": "integer"}));
    let validator = jsonschema::draft7::new(&schema).unwrap();
    let good = resource_with(&json!(1));
    assert!(validator.is_valid(&good));
    for (pointer, value) in [
        ("/kind", json!("Other")),
        ("/apiVersion", json!("a.Example/v2")),
        ("/metadata", json!({"nam": "x"})),
        ("/metadata", json!({"name": "x", "namespace": "of no namespace"})),
        ("/metadata/name", json!(1)),
        ("/spec", json!(null)),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        assert!(!validator.is_valid(&bad), "{bad}");
    }
    let mut unknown = good.clone();
    unknown["other"] = json!(1);
    assert!(!validator.is_valid(&unknown));
    assert_eq!(schema["properties"]["kind"]["description"], "Kind.");
    assert_eq!(schema["required"], json!(["apiVersion", "kind", "metadata", "spec"]));
}

#[test]
fn restrictions_of_a_crd_on_object_names_hold_in_the_json_schema() {
    let root = json!({"type": "object", "properties": {"metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 3}}}}});
    let definition = json!({"spec": {"group": "a", "scope": "Namespaced", "names": {"kind": "K"},
        "versions": [{"name": "v1", "schema": {"openAPIV3Schema": root}}]}});
    let schema: Value = serde_json::from_str(&json_schemas(&definition)[0].1).unwrap();
    let validator = jsonschema::draft7::new(&schema).unwrap();
    let named = |name: &str| json!({"apiVersion": "a/v1", "kind": "K", "metadata": {"name": name, "namespace": "n"}});
    assert!(validator.is_valid(&named("abc")) && !validator.is_valid(&named("abcd")));
    assert!(schema["properties"]["metadata"]["properties"]["name"]["description"].is_string());
}
