//! Objects that a version may have stored: samples with one field changed.

use super::apply_crds::definition_of;
use crate::explore::plan::change::merge;
use serde_json::{Map, Value, json};

/// An object that a version may have stored: a sample with one changed field.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// The changed field, such as `spec.replicas`; empty for the sample itself.
    pub(super) path: String,
    pub(super) object: Value,
}

/// The maximum number of variants of a sample; [`WORDS`] is the maximum number of values that opctl uses from one enum.
const MOST: usize = 160;
const WORDS: usize = 24;
/// The maximum depth of a field below `spec`.
const DEPTH: usize = 4;
/// The maximum number of values, including all nested values, that opctl generates for one field that the sample does
/// not set.
const ROOM: usize = 200;
/// The length of a generated long text if the schema has no `maxLength`; [`LONGEST`] is the maximum length of any
/// generated text.
const LONG: u64 = 300;
const LONGEST: u64 = 4096;

/// Returns the sample, and one variant of the sample for each boundary value of the schema.
pub(super) fn variants(definitions: &[Value], sample: &Value) -> Vec<Variant> {
    let mut found = vec![Variant { path: String::new(), object: sample.clone() }];
    if let Some(schema) = schema(definitions, sample) {
        let mut patches = Vec::new();
        collect(&schema["properties"]["spec"], &sample["spec"], "spec", DEPTH, &mut patches);
        found.extend(patches.into_iter().take(MOST).map(|(path, value)| {
            let mut object = sample.clone();
            merge(&mut object, &path.rsplit('.').fold(value, |value, key| json!({ key: value })));
            Variant { path, object }
        }));
    }
    found
}

fn schema<'d>(definitions: &'d [Value], sample: &Value) -> Option<&'d Value> {
    let (definition, version) = definition_of(definitions, sample)?;
    let versions = definition["spec"]["versions"].as_array()?;
    versions.iter().find(|one| one["name"] == version)?.pointer("/schema/openAPIV3Schema")
}

fn collect(schema: &Value, value: &Value, path: &str, depth: usize, found: &mut Vec<(String, Value)>) {
    let required = required_fields(schema);
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if name.contains('.') || depth == 0 {
            continue;
        }
        let (path, now) = (format!("{path}.{name}"), &value[name]);
        let mut values = borders(field);
        let is_array = field["type"] == "array";
        if is_array || (now.is_null() && field["type"] == "object") {
            values.extend(filled_value(field, depth, &mut { ROOM }));
        }
        if !required.contains(&name.as_str()) && !now.is_null() {
            values.push(Value::Null);
        }
        values.retain(|value| value != now);
        found.extend(values.into_iter().map(|value| (path.clone(), value)));
        if now.is_object() {
            collect(field, now, &path, depth - 1, found);
        }
    }
}

/// Returns the boundary values of a schema.
fn borders(schema: &Value) -> Vec<Value> {
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().filter(|word| !word.is_null()).take(WORDS).cloned().collect();
    }
    let bound = |name: &str| schema[name].as_u64();
    match schema["type"].as_str() {
        Some("boolean") => vec![true.into(), false.into()],
        Some("integer") => {
            let (least, most) = (schema["minimum"].as_i64(), schema["maximum"].as_i64());
            let near = [-1, 0, 1, 2, 10, 100, 1000].map(|near| near + least.unwrap_or_default());
            least.into_iter().chain(most).chain(near).map(Value::from).collect()
        }
        Some("string") if schema.get("format").is_none() && schema.get("pattern").is_none() => {
            let shortest = "x".repeat(usize::try_from(bound("minLength").unwrap_or(0).min(LONGEST)).unwrap_or(0));
            let most = bound("maxLength").unwrap_or(LONG).min(LONGEST);
            vec![shortest.into(), "x".repeat(usize::try_from(most).unwrap_or(0)).into()]
        }
        Some("array") if bound("minItems").unwrap_or(0) == 0 => vec![json!([])],
        _ => Vec::new(),
    }
}

/// Returns a generated value for the schema. Fills in optional fields down to `depth` levels. `room` is the number of
/// values that may still be generated, and decreases with each value. Returns `None` if `room` is 0, or if a necessary
/// value cannot be generated, such as a text that must match a pattern.
fn filled_value(schema: &Value, depth: usize, room: &mut usize) -> Option<Value> {
    *room = room.checked_sub(1)?;
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().find(|word| !word.is_null()).cloned();
    }
    if schema["x-kubernetes-int-or-string"] == true {
        return Some(1.into());
    }
    let has = |key: &str| schema.get(key).is_some();
    match schema["type"].as_str()? {
        "object" => filled_object(schema, depth, room),
        "array" => Some(json!([filled_value(&schema["items"], depth.checked_sub(1)?, room)?])),
        "boolean" => Some(true.into()),
        "integer" | "number" => Some(schema["minimum"].as_i64().unwrap_or(1).max(1).into()),
        // A text of a certain form is not guessed.
        "string" if has("pattern") || has("format") => schema.get("default").cloned(),
        "string" => {
            let length = schema["minLength"].as_u64().unwrap_or(1).clamp(1, LONGEST);
            Some("x".repeat(usize::try_from(length).ok()?).into())
        }
        _ => None,
    }
}

fn filled_object(schema: &Value, depth: usize, room: &mut usize) -> Option<Value> {
    let (required, mut fields) = (required_fields(schema), Map::new());
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let is_required = required.contains(&name.as_str());
        if depth == 0 && !is_required {
            continue;
        }
        match filled_value(field, depth.saturating_sub(1), room) {
            Some(value) => drop(fields.insert(name.clone(), value)),
            None if is_required => return None,
            None => {}
        }
    }
    let others = &schema["additionalProperties"];
    if others.is_object() && depth > 0 {
        fields.extend(filled_value(others, depth - 1, room).map(|value| ("key".to_owned(), value)));
    }
    Some(fields.into())
}

fn required_fields(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_below_one_that_is_not_set_are_filled() {
        let tls = json!({"type": "object", "required": ["secret"], "properties": {
            "secret": {"type": "string", "minLength": 2},
            "modes": {"type": "array", "items": {"enum": ["strict", "lax"]}},
            "until": {"type": "string", "format": "date-time"},
            "limits": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 3}},
        }});
        let expected = json!({"secret": "xx", "modes": ["strict"], "limits": {"key": 3}});
        assert_eq!(filled_value(&tls, DEPTH, &mut { ROOM }), Some(expected));
        let mut without_end = json!({"type": "string", "pattern": "^a+$"});
        assert_eq!(
            filled_value(
                &json!({"type": "object", "required": ["a"], "properties": {"a": &without_end}}),
                DEPTH,
                &mut 9
            ),
            None
        );
        for _ in 0..50 {
            without_end = json!({"type": "object", "properties": {"a": &without_end, "b": {"type": "integer"}}});
        }
        let text = filled_value(&without_end, DEPTH, &mut { ROOM }).unwrap().to_string();
        assert_eq!(text, r#"{"a":{"a":{"a":{"a":{},"b":1},"b":1},"b":1},"b":1}"#);

        let mut found = Vec::new();
        let schema = json!({"properties": {"tls": tls}});
        collect(&schema, &json!({}), "spec", DEPTH, &mut found);
        assert!(found.iter().any(|(path, value)| path == "spec.tls" && value["secret"] == "xx"), "{found:?}");
    }

    #[test]
    fn variants_lie_at_the_border() {
        let definition = serde_json::json!({"spec": {"group": "e.com", "names": {"kind": "Web"}, "versions": [{"name": "v1", "schema": {
            "openAPIV3Schema": {"properties": {"spec": {"required": ["size"], "properties": {
                "size": {"type": "integer", "minimum": 1, "maximum": 50},
                "mode": {"enum": ["a", "b"]},
                "text": {"type": "string", "maxLength": 3},
            }}}},
        }}]}});
        let sample = json!({"apiVersion": "e.com/v1", "kind": "Web", "spec": {"size": 2, "mode": "a"}});
        let found = variants(&[definition], &sample);
        let shown: Vec<String> = found.iter().map(|one| format!("{}: {}", one.path, one.object["spec"])).collect();
        assert_eq!(found[0].object, sample);
        for part in [
            r#"spec.size: {"mode":"a","size":50}"#,
            r#"spec.mode: {"mode":"b","size":2}"#,
            r#"spec.mode: {"size":2}"#,
            r#"spec.text: {"mode":"a","size":2,"text":"xxx"}"#,
        ] {
            assert!(shown.iter().any(|one| one == part), "{part}\n{shown:#?}");
        }
        assert!(!shown.contains(&r#"spec.size: {"mode":"a"}"#.to_owned()));
    }
}
