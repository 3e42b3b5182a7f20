use super::Version;
use super::definitions;
use crate::kube_rs::KubeAttributes;
use crate::source::discover::ApiType;
use serde_json::json;

pub(super) fn api_type(version: &str, storage: bool) -> ApiType {
    ApiType {
        path: format!("{version}::Foo"),
        spec: "FooSpec".to_owned(),
        resource: KubeAttributes {
            root: "Foo".to_owned(),
            group: "g.example".to_owned(),
            version: version.to_owned(),
            kind: "Foo".to_owned(),
            storage,
            scale: false,
            status: false,
            no_spec: false,
            lines: std::collections::BTreeMap::new(),
            status_type: None,
            schema: None,
            stated: serde_json::Value::Null,
        },
        file: format!("api/src/{version}.rs").into(),
        line: 7,
        library: String::new(),
    }
}

pub(super) fn version<'a>(api_type: &'a ApiType, plural: &str, short: &str) -> Version<'a> {
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
    let (merged, _) = definitions(vec![version(&old, "foos", "f"), version(&new, "foos", "fo")]);
    let crd = &merged["g.example_foos"].object;
    assert_eq!(crd["spec"]["versions"][0]["name"], "v1");
    assert_eq!(crd["spec"]["versions"][1]["name"], "v1alpha1");
    assert_eq!(crd["spec"]["names"]["shortNames"], json!(["fo", "f"]));
    assert_eq!(crd["spec"]["names"]["listKind"], "FooList");
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(schema["description"], "A foo.");
    assert_eq!(schema["properties"]["metadata"], json!({"type": "object"}));
}

#[test]
fn empty_lists_are_left_out_as_the_server_does() {
    let of = api_type("v1", true);
    let mut one = version(&of, "foos", "f");
    one.crd["spec"]["names"]["categories"] = json!([]);
    one.crd["spec"]["versions"][0]["additionalPrinterColumns"] = json!([]);
    let (merged, _) = definitions(vec![one]);
    let spec = &merged["g.example_foos"].object["spec"];
    assert!(spec["names"].get("categories").is_none(), "{spec}");
    assert!(spec["versions"][0].get("additionalPrinterColumns").is_none(), "{spec}");
}

/// Returns the code, location, reason and hint of the only finding about `versions`.
fn only(versions: Vec<Version>) -> [String; 4] {
    let (_, mut findings) = definitions(versions);
    assert_eq!(findings.len(), 1, "{findings:?}");
    let only = findings.remove(0);
    [only.code.clone(), only.place(), only.reason, only.hint]
}

#[test]
fn versions_that_disagree_are_named() {
    let (one, two) = (api_type("v1", true), api_type("v2", true));
    let [code, place, reason, hint] = only(vec![version(&one, "foos", "f"), version(&two, "foos", "f")]);
    assert_eq!([code.as_str(), place.as_str()], ["OP217", "api/src/v2.rs:7"]);
    let types = "`v1::Foo` (api/src/v1.rs:7), `v2::Foo` (api/src/v2.rs:7)";
    assert_eq!(reason, format!("2 versions of `Foo` are marked as the storage version, but only one can be: {types}"));
    assert!(hint.contains("storage = false"));

    let (one, two) = (api_type("v1", true), api_type("v2", false));
    let [code, _, reason, _] = only(vec![version(&one, "foos", "f"), version(&two, "fooz", "f")]);
    assert_eq!(code, "OP215");
    assert!(reason.starts_with("the versions of `Foo` disagree about the plural, `foos` and `fooz`"), "{reason}");

    let (one, two) = (api_type("v1", true), api_type("v1", false));
    let [code, _, reason, _] = only(vec![version(&one, "foos", "f"), version(&two, "foos", "f")]);
    assert_eq!(code, "OP214");
    assert!(reason.starts_with("`Foo` has two types for the version `v1`: "), "{reason}");

    let one = api_type("v1", false);
    let [code, _, reason, _] = only(vec![version(&one, "foos", "f")]);
    assert_eq!(code, "OP216");
    assert!(reason.starts_with("no version of `Foo` is the storage version"), "{reason}");
}
