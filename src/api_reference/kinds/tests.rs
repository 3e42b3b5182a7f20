use super::*;
use serde_json::json;

fn definition(group: &str, kind: &str, versions: &[(&str, Value)]) -> Value {
    let version = |(name, spec): &(&str, Value)| {
        let condition = json!({"type": "object", "description": "One aspect.", "properties": {"type": {"type": "string"}}, "required": ["type"]});
        let status = json!({"type": "object", "properties": {"conditions": {"type": "array", "items": condition}}});
        let properties = json!({"kind": {"type": "string"}, "apiVersion": {"type": "string"}, "metadata": {"type": "object"},
            "status": status, "spec": spec});
        json!({"name": name, "served": true, "storage": *name == "v1", "deprecated": *name != "v1",
            "schema": {"openAPIV3Schema": {"type": "object", "properties": properties, "required": ["spec"]}}})
    };
    json!({"spec": {"group": group, "scope": "Namespaced", "names": {"kind": kind, "plural": format!("{}s", kind.to_lowercase())},
        "versions": versions.iter().map(version).collect::<Vec<_>>()}})
}

fn titles(sections: &[Section]) -> Vec<&str> {
    sections.iter().map(|section| section.title.as_str()).collect()
}

#[test]
fn each_object_has_one_section_and_what_several_hold_stands_at_the_end() {
    let secret = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let spec =
        json!({"type": "object", "properties": {"b": secret, "a": {"type": "object", "additionalProperties": secret}}});
    let other = json!({"type": "object", "properties": {"size": {"type": "integer"}}});
    let definitions = [
        definition("b.example", "Two", &[("v1", other.clone())]),
        definition("a.example", "One", &[("v1", spec), ("v2", other)]),
    ];
    let page = page("project", &definitions, &[], false);
    assert_eq!(page.kinds(), 2);
    assert_eq!(page.groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(), ["a.example", "b.example"]);
    let [one, two] = page.groups[0].kinds[0].versions.as_slice() else { panic!("{page:#?}") };
    assert_eq!(titles(&one.sections), ["", "spec", "spec.a{}", "status"]);
    assert_eq!(titles(&two.sections), ["", "spec", "status"]);
    assert_eq!(titles(&page.shared), ["status.conditions[]"]);
    let anchors =
        ["a.example-v1-One", "a.example-v2-One", "b.example-v1-Two"].map(|base| format!("{base}-status.conditions"));
    assert_eq!(page.shared[0].anchors, anchors);
    assert_eq!(page.shared[0].uses.len(), 3);
    let secrets = &one.sections[2];
    assert_eq!(secrets.anchors, ["a.example-v1-One-spec.a", "a.example-v1-One-spec.b"]);
    let fields: Vec<_> = one.sections[0].fields.iter().map(|field| (field.name.as_str(), field.required)).collect();
    assert_eq!(fields, [("apiVersion", true), ("kind", true), ("metadata", true), ("spec", true), ("status", false)]);
    // Every link leads to an anchor.
    let sections = page.groups.iter().flat_map(|group| &group.kinds).flat_map(|kind| &kind.versions);
    let sections: Vec<&Section> = sections.flat_map(|version| &version.sections).chain(&page.shared).collect();
    let links = sections.iter().flat_map(|section| &section.fields).flat_map(|field| &field.of_type);
    let linked: Vec<&String> =
        links.filter_map(|part| if let Part::Section { anchor, .. } = part { Some(anchor) } else { None }).collect();
    assert_eq!(linked.len(), 11);
    for anchor in linked {
        assert!(sections.iter().any(|section| section.anchors.contains(anchor)), "{anchor}");
    }
}

#[test]
fn the_order_of_definitions_does_not_matter_and_samples_find_their_version() {
    let spec = json!({"type": "object", "properties": {"size": {"type": "integer"}}});
    let mut definitions =
        vec![definition("a.example", "B", &[("v1", spec.clone())]), definition("a.example", "A", &[("v1", spec)])];
    let samples = Sample::read("s.yaml", "apiVersion: a.example/v1\nkind: B\n---\napiVersion: a.example/v2\nkind: B\n");
    let one = page("project", &definitions, &samples, false);
    definitions.reverse();
    assert_eq!(one, page("project", &definitions, &samples, false));
    let number: Vec<usize> = one.groups[0].kinds.iter().map(|kind| kind.versions[0].samples.len()).collect();
    assert_eq!(number, [0, 1]);
}

#[test]
fn a_resource_without_a_schema_is_named_all_the_same() {
    let bare = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [{"name": "v1"}]}});
    let page = page("project", &[bare], &[], false);
    assert_eq!(page.kinds(), 1);
    assert!(page.groups[0].kinds[0].versions[0].sections.is_empty());
}
