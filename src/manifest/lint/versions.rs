//! What would be lost between the versions of a kind that have no conversion webhook.
//!
//! Without one the API server changes nothing but `apiVersion`, and drops what the schema of the version that is asked
//! for does not know (Kubernetes documentation, "Versions in `CustomResourceDefinitions`").

use super::{Places, at};
use crate::error::Finding;
use crate::manifest::discover::ApiType;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// A version, by its type and schema.
struct Side<'a> {
    api_type: &'a ApiType,
    schema: &'a Value,
}

/// Compares the versions of a definition that are served with the one that is stored, unless a webhook converts them;
/// `types` are theirs, in their order.
pub(in crate::manifest) fn check(
    definition: &Value,
    types: &[&ApiType],
    sources: &[(PathBuf, String)],
    converted: bool,
) -> Vec<Finding> {
    let versions = definition["spec"]["versions"].as_array().into_iter().flatten().zip(types);
    let served: Vec<(&Value, Side)> = versions
        .filter(|(version, _)| version["served"] == true)
        .map(|(version, api_type)| (version, Side { api_type, schema: &version["schema"]["openAPIV3Schema"] }))
        .collect();
    let mut findings = Vec::new();
    let Some((base, (_, one))) = served
        .iter()
        .enumerate()
        .find(|(_, (version, _))| version["storage"] == true)
        .or_else(|| served.iter().enumerate().next())
    else {
        if let Some(first) = types.first() {
            findings.push(unserved(first, types.len()));
        }
        return findings;
    };
    if converted || served.len() == 1 {
        return findings;
    }
    let places = Places::read(sources);
    for (_, (_, other)) in served.iter().enumerate().filter(|(index, _)| *index != base) {
        let mut found = Vec::new();
        compare(one.schema, other.schema, "", &mut found);
        findings.extend(found.into_iter().map(|found| finding(&found, one, other, &places)));
    }
    findings
}

fn unserved(first: &ApiType, count: usize) -> Finding {
    let kind = &first.resource.kind;
    let which =
        if count == 1 { "its only version is not".to_owned() } else { format!("none of its {count} versions is") };
    let reason = format!("`{kind}` cannot be used: {which} served");
    super::of(first, ("served", 0), "OP511", reason, "remove `served = false` from the version that clients are to use")
}

/// One difference, at a path from the root.
enum Difference {
    /// Only one side has the field; whether it is the other one.
    Missing { path: String, in_other: bool },
    /// Both have it, as something else.
    Unlike { path: String, one: String, other: String },
}

fn compare(one: &Value, other: &Value, path: &str, found: &mut Vec<Difference>) {
    let (kind, other_kind) = (kind(one), kind(other));
    if kind != other_kind {
        found.push(Difference::Unlike { path: path.to_owned(), one: kind, other: other_kind });
        return;
    }
    let fields = |schema: &Value| schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let (own, others) = (fields(one), fields(other));
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (name, field) in &own {
        match others.get(name) {
            Some(same) => compare(field, same, &below(name), found),
            None if keeps(other) => {}
            None => found.push(Difference::Missing { path: below(name), in_other: true }),
        }
    }
    let only = |fields: &Map<String, Value>| {
        fields.keys().filter(|name| !own.contains_key(*name)).cloned().collect::<Vec<String>>()
    };
    for name in only(&others).into_iter().filter(|_| !keeps(one)) {
        found.push(Difference::Missing { path: below(&name), in_other: false });
    }
    for (key, mark) in [("items", "[]"), ("additionalProperties", "{}")] {
        if let (Some(one), Some(other)) = (one.get(key), other.get(key)) {
            compare(one, other, &format!("{path}{mark}"), found);
        }
    }
}

/// What a value of the schema is, for whoever reads it.
fn kind(schema: &Value) -> String {
    if schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) {
        return "integer or string".to_owned();
    }
    match schema.get("type").and_then(Value::as_str) {
        None => "anything".to_owned(),
        Some("object") if schema.get("additionalProperties").is_some_and(Value::is_object) => "map".to_owned(),
        Some(kind) => kind.to_owned(),
    }
}

fn keeps(schema: &Value) -> bool {
    schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true))
}

fn finding(difference: &Difference, one: &Side, other: &Side, places: &Places) -> Finding {
    let place = |side: &Side, path: &str| {
        let (file, line) = places.field(side.api_type, path).unwrap_or((&side.api_type.file, side.api_type.line));
        (file.to_owned(), line)
    };
    let named = |side: &Side, path: &str| {
        let (file, line) = place(side, path);
        format!("`{}` ({}:{line})", side.api_type.path, file.display())
    };
    let conversion = "or a conversion webhook between the two";
    match difference {
        Difference::Missing { path, in_other } => {
            let (has, lacks) = if *in_other { (one, other) } else { (other, one) };
            let (file, line) = place(has, path);
            let reason = format!(
                "the field `{path}` of {} is not in {}: it is lost in what is read or written through the other version",
                named(has, path),
                named(lacks, path),
            );
            let mend =
                format!("the field in `{}`, too; `served = false` on one of them; {conversion}", lacks.api_type.path);
            about(at("OP552", &file, line, reason, mend), has, path)
        }
        Difference::Unlike { path, one: kind, other: other_kind } => {
            let (file, line) = place(other, path);
            let reason = format!(
                "the field `{path}` is of the type {kind} in {}, and of the type {other_kind} in {}: what is stored through \
                 one is refused, or cannot be read, through the other",
                named(one, path),
                named(other, path),
            );
            let mend = format!("one type for both; another name for the new field; {conversion}");
            about(at("OP513", &file, line, reason, mend), other, path)
        }
    }
}

fn about(mut finding: Finding, side: &Side, path: &str) -> Finding {
    finding.resource = Some(side.api_type.path.clone());
    finding.path = Some(format!(".{path}"));
    finding
}

#[cfg(test)]
mod tests {
    use super::{Difference, compare};
    use serde_json::{Value, json};

    fn said(one: &Value, other: &Value) -> Vec<String> {
        let mut found = Vec::new();
        compare(one, other, "", &mut found);
        let text = |one: &Difference| match one {
            Difference::Missing { path, in_other: true } => format!("- {path}"),
            Difference::Missing { path, in_other: false } => format!("+ {path}"),
            Difference::Unlike { path, one, other } => format!("~ {path}: {one}, {other}"),
        };
        found.iter().map(text).collect()
    }

    #[test]
    fn what_is_lost_between_versions() {
        let object = |fields: Value| json!({"type": "object", "properties": fields});
        let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
        let list = |items: &Value| json!({"type": "array", "items": items});
        let map = |values: &Value| json!({"type": "object", "additionalProperties": values});
        let open = |fields: Value| json!({"type": "object", "properties": fields, "x-kubernetes-preserve-unknown-fields": true});
        for (one, other, expected) in [
            (object(json!({"a": text})), object(json!({"a": text})), vec![]),
            (object(json!({"a": text})), object(json!({"b": text})), vec!["- a", "+ b"]),
            (object(json!({"a": text})), object(json!({"a": number})), vec!["~ a: string, integer"]),
            (object(json!({"a": list(&text)})), object(json!({"a": list(&number)})), vec!["~ a[]: string, integer"]),
            (object(json!({"a": list(&text)})), object(json!({"a": text})), vec!["~ a: array, string"]),
            (map(&object(json!({"a": text}))), map(&object(json!({}))), vec!["- {}.a"]),
            (map(&text), object(json!({"a": text})), vec!["~ : map, object"]),
            (object(json!({"a": text})), open(json!({})), vec![]),
            (open(json!({})), object(json!({"a": text})), vec![]),
            (json!({"x-kubernetes-int-or-string": true}), text.clone(), vec!["~ : integer or string, string"]),
            (json!({"type": "string", "maxLength": 1}), text.clone(), vec![]),
        ] {
            assert_eq!(said(&one, &other), expected, "{one} {other}");
        }
    }
}
