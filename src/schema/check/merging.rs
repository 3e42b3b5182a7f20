//! Checks `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`, which control how
//! server-side apply merges lists and maps.

use crate::finding::Lint;
use crate::schema::extensions::is_true;
use crate::schema::finding::Findings;
use crate::schema::marks::rust_type;
use crate::schema::path::FieldPath;
use serde_json::Value;

pub(crate) static MERGE_TYPE: Lint = Lint::error(
    "OP122",
    "a list type or map type that does not fit the field",
    "`x-kubernetes-list-type` and `x-kubernetes-map-type` control how server-side apply merges a field. A list of the \
     type `map` needs objects as items and the names of their keys; a `set` needs items that are replaced as a whole. \
     The server reports, for example, `must be array if x-kubernetes-list-type is specified`, or `must be atomic as \
     item of a list with x-kubernetes-list-type=set`.",
    "#[x_kube(merge_strategy = ListMerge::Set)]\nports: Vec<Port>, // struct Port { name: String, number: u16 }",
    "#[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))]\nports: Vec<Port>,",
);

pub(crate) static LIST_KEY: Lint = Lint::error(
    "OP123",
    "a list key that can be missing in an item or is not a scalar",
    "Server-side apply identifies the items of such a list by their keys, so each item must have all keys. The server \
     reports `this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`, \
     or `cannot be nullable`.",
    "#[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))]\nports: Vec<Port>,\n\
     // with\nstruct Port { name: Option<String>, number: u16 }",
    "struct Port { name: String, number: u16 }",
);

const LIST: &str = "x-kubernetes-list-type";
const KEYS: &str = "x-kubernetes-list-map-keys";
const MAP: &str = "x-kubernetes-map-type";

const LISTS: &str = "on a list: #[x_kube(merge_strategy = ListMerge::Atomic)], `ListMerge::Set`, or for a list of structs\n\
    #[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))]";

/// Checks the list type, the list keys and the map type in one schema.
pub(super) fn check(node: &Value, path: &FieldPath, findings: &mut Findings) {
    let text = |node: &Value, key: &str| node.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let rust = rust_type(node);
    let mut wrong = |reason: String, hint: &str| findings.add(&MERGE_TYPE, path, rust.clone(), reason, hint);
    let own = text(node, "type");
    if node.get(MAP).is_some() {
        let name = text(node, MAP);
        if own != "object" {
            let hint = "on a struct or a map: #[schemars(extend(\"x-kubernetes-map-type\" = \"atomic\"))]";
            wrong(format!("has `{MAP}: {name}`, and is not an object"), hint);
        } else if !["atomic", "granular"].contains(&name.as_str()) {
            wrong(format!("has `{MAP}: {name}`, which is neither `atomic` nor `granular`"), "`atomic`, or nothing");
        }
    }
    let kind = text(node, LIST);
    let keys: Vec<&str> =
        node.get(KEYS).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    if !keys.is_empty() && kind != "map" {
        wrong(format!("has `{KEYS}`, and its list type is not `map`"), LISTS);
    }
    if node.get(LIST).is_none() {
        return;
    }
    if own != "array" {
        return wrong(format!("has `{LIST}: {kind}`, and is not a list"), LISTS);
    }
    let Some(items) = node.get("items") else { return };
    let inner = text(items, "type");
    let atomic = match inner.as_str() {
        "array" => items.get(LIST).is_none_or(|inner| inner == "atomic"),
        "object" => items.get(MAP).is_some_and(|inner| inner == "atomic"),
        _ => true,
    };
    match kind.as_str() {
        "set" if !atomic => {
            let hint = "use `ListMerge::Atomic`; or, for structs with a key, `ListMerge::Map`; or, if the whole item \
                 is its own key,\n#[schemars(extend(\"x-kubernetes-map-type\" = \"atomic\"))] on the struct";
            wrong("is a set, but its items are not atomic, which a set requires".to_owned(), hint);
        }
        "atomic" | "set" => {}
        "map" if keys.is_empty() => wrong(format!("has `{LIST}: map` without `{KEYS}`"), LISTS),
        "map" if inner != "object" => wrong(format!("has `{LIST}: map`, and its items are not objects"), LISTS),
        "map" => check_list_keys(items, &keys, path, findings),
        other => wrong(format!("has `{LIST}: {other}`, which is none of `atomic`, `set` and `map`"), LISTS),
    }
    if ["set", "map"].contains(&kind.as_str()) && is_true(items, "nullable") {
        let reason = format!("can be null, but a list of the type `{kind}` does not allow null items");
        findings.add(&MERGE_TYPE, &path.item(), rust, reason, "items without `Option`, or `ListMerge::Atomic`");
    }
}

/// Checks the keys of a list of the type `map`: each key must be a scalar field that every item of the list has.
fn check_list_keys(items: &Value, keys: &[&str], list: &FieldPath, findings: &mut Findings) {
    let required = |key: &str| {
        let mut names = items.get("required").and_then(Value::as_array).into_iter().flatten();
        names.any(|name| name == key)
    };
    for (index, key) in keys.iter().enumerate() {
        let Some(field) = items.get("properties").and_then(|fields| fields.get(key)) else {
            let known: Vec<&String> = items
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(|fields| fields.keys())
                .collect();
            let reason = format!("has the list key `{key}`, which is not a field of its items");
            let hint = known.first().map_or_else(
                || "use a struct with named fields as the item".to_owned(),
                |name| format!("#[x_kube(merge_strategy = ListMerge::Map(vec![\"{name}\".into()]))]"),
            );
            findings.add(&MERGE_TYPE, list, rust_type(items), reason, &hint);
            continue;
        };
        if keys[..index].contains(key) {
            findings.add(
                &MERGE_TYPE,
                list,
                rust_type(items),
                format!("has the list key `{key}` twice"),
                "name each key once",
            );
            continue;
        }
        let path = list.item().field(key);
        let mut wrong = |reason: String, hint: &str| findings.add(&LIST_KEY, &path, rust_type(items), reason, hint);
        if matches!(field.get("type").and_then(Value::as_str), Some("array" | "object")) {
            wrong(
                format!("is a key of the list `{list}`, and is not a scalar"),
                "use a string, a number or a boolean as the key",
            );
        }
        if is_true(field, "nullable") {
            wrong(format!("is a key of the list `{list}`, and may be null"), "the field without `Option`");
        }
        if !required(key) && field.get("default").is_none() {
            wrong(
                format!("is a key of the list `{list}`, but is not required and has no default"),
                "define the field without `Option` and `skip_serializing_if`, or give it a default:\n#[serde(default \
                 = \"..\")]",
            );
        }
    }
}
