use super::{Version, definitions};
use crate::manifest::discover::{ApiType, Resource};
use serde_json::json;

fn api_type(version: &str, storage: bool) -> ApiType {
    ApiType {
        path: format!("{version}::Foo"),
        spec: "FooSpec".to_owned(),
        resource: Resource {
            root: "Foo".to_owned(),
            group: "g.example".to_owned(),
            version: version.to_owned(),
            kind: "Foo".to_owned(),
            storage,
            scale: false,
            status: false,
            stated: serde_json::Value::Null,
        },
        file: format!("api/src/{version}.rs").into(),
        line: 7,
    }
}

fn version<'a>(api_type: &'a ApiType, plural: &str, short: &str) -> Version<'a> {
    Version {
        api_type,
        crd: json!({
            "metadata": {"name": format!("{plural}.g.example")},
            "spec": {
                "names": {"kind": "Foo", "plural": plural, "singular": "foo", "shortNames": [short]},
                "scope": "Namespaced",
                "versions": [{"name": api_type.resource.version, "served": true, "storage": api_type.resource.storage}],
            },
        }),
        schema: json!({"type": "object", "description": "Auto-generated derived type for FooSpec via `CustomResource`",
            "properties": {"spec": {"type": "object", "description": "A foo."}}}),
    }
}

#[test]
fn versions_become_one_definition() {
    let (old, new) = (api_type("v1alpha1", false), api_type("v1", true));
    let merged = definitions(vec![version(&old, "foos", "f"), version(&new, "foos", "fo")]).expect("they agree");
    let crd = &merged["g.example_foos"];
    assert_eq!(crd["spec"]["versions"][0]["name"], "v1");
    assert_eq!(crd["spec"]["versions"][1]["name"], "v1alpha1");
    assert_eq!(crd["spec"]["names"]["shortNames"], json!(["fo", "f"]));
    assert_eq!(crd["spec"]["names"]["listKind"], "FooList");
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(schema["description"], "A foo.");
    assert_eq!(schema["properties"]["metadata"], json!({"type": "object"}));
}

#[test]
fn versions_that_disagree_are_named() {
    let (one, two) = (api_type("v1", true), api_type("v2", true));
    let error = definitions(vec![version(&one, "foos", "f"), version(&two, "foos", "f")]).expect_err("two are stored");
    assert_eq!(error.message(), "2 versions of `Foo` are stored, and only one can be");
    assert_eq!(error.causes(), ["`v1::Foo` (api/src/v1.rs:7), `v2::Foo` (api/src/v2.rs:7)"]);
    assert!(error.hint_text().is_some_and(|hint| hint.contains("storage = false")));

    let (one, two) = (api_type("v1", true), api_type("v2", false));
    let error = definitions(vec![version(&one, "foos", "f"), version(&two, "fooz", "f")]).expect_err("plural");
    assert_eq!(error.message(), "the versions of `Foo` disagree about the plural: `foos` and `fooz`");

    let (one, two) = (api_type("v1", true), api_type("v1", false));
    let error = definitions(vec![version(&one, "foos", "f"), version(&two, "foos", "f")]).expect_err("twice");
    assert!(error.message().starts_with("`Foo` has two types for the version `v1`: "), "{error}");

    let one = api_type("v1", false);
    let error = definitions(vec![version(&one, "foos", "f")]).expect_err("none stored");
    assert_eq!(error.message(), "no version of `Foo` is the one that is stored");
}
