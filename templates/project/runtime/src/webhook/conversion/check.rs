//! Checks values against a structural schema, as the API server does.

use serde_json::Value;

/// The keywords of schemas that only the API server can check: CEL rules, regular expressions,
/// embedded objects, multiples, and combined schemas such as `allOf`.
const RULES: [&str; 8] = [
    "x-kubernetes-validations",
    "x-kubernetes-embedded-resource",
    "pattern",
    "multipleOf",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
];
/// The values of `format` that serde has already checked.
const FORMATS: [&str; 6] = ["int32", "int64", "uint32", "uint64", "float", "double"];

/// Checks the values in which `after` differs from `before`. Returns, as an error, the path of a
/// value that the schema does not allow, or that only the API server can check, and the reason.
pub fn changes(before: Option<&Value>, after: &Value, schema: &Value) -> Result<(), String> {
    if before == Some(after) {
        return Ok(());
    }
    let is_int_or_string = schema["x-kubernetes-int-or-string"] == true;
    let has = |keyword: &&&str| schema.get(**keyword).is_some();
    let rule = RULES
        .iter()
        .filter(|keyword| !is_int_or_string || **keyword != "anyOf");
    let format = schema["format"].as_str();
    if let Some(keyword) = rule.clone().find(has) {
        return Err(format!(
            " has `{keyword}`, which only the API server can check"
        ));
    }
    if let Some(format) = format.filter(|format| !FORMATS.contains(format)) {
        return Err(format!(
            " has `format: {format}`, which only the API server can check"
        ));
    }
    let listed = schema["enum"].as_array();
    if listed.is_some_and(|values| !values.contains(after)) {
        return Err(format!(" must not be {after}"));
    }
    if !is_of_type(after, schema, is_int_or_string) {
        return Err(format!(" must not be {}", kind(after)));
    }
    match after {
        Value::Object(_) => members(before, after, schema),
        Value::Array(_) => items(before, after, schema),
        Value::String(text) => limits(schema, "Length", text.chars().count()),
        Value::Number(_) => number(after, schema),
        _ => Ok(()),
    }
}

fn is_of_type(value: &Value, schema: &Value, is_int_or_string: bool) -> bool {
    let is_integer = || value.as_f64().is_some_and(|number| number.fract() == 0.0);
    match schema["type"].as_str() {
        _ if value.is_null() => schema["nullable"] == true,
        _ if is_int_or_string => value.is_string() || is_integer(),
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => is_integer(),
        Some("number") => value.is_number(),
        _ => schema["x-kubernetes-preserve-unknown-fields"] == true,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn members(before: Option<&Value>, after: &Value, schema: &Value) -> Result<(), String> {
    let Some(fields) = after.as_object() else {
        return Ok(());
    };
    let required = schema["required"].as_array().into_iter().flatten();
    let mut required = required.filter_map(Value::as_str);
    if let Some(missing) = required.find(|name| !fields.contains_key(*name)) {
        return Err(format!(".{missing} is required"));
    }
    limits(schema, "Properties", fields.len())?;
    for (name, value) in fields {
        let before = before.and_then(|before| before.get(name));
        let others = &schema["additionalProperties"];
        let keeps = *others == true || schema["x-kubernetes-preserve-unknown-fields"] == true;
        let checked = match schema["properties"].get(name) {
            Some(schema) => changes(before, value, schema),
            None if others.is_object() => changes(before, value, others),
            None if keeps || before == Some(value) => Ok(()),
            // The CRD may be newer than the operator.
            None => Err(" is unknown to the operator".to_owned()),
        };
        checked.map_err(|error| format!(".{name}{error}"))?;
    }
    Ok(())
}

fn items(before: Option<&Value>, after: &Value, schema: &Value) -> Result<(), String> {
    let items = after.as_array().map_or(&[][..], Vec::as_slice);
    limits(schema, "Items", items.len())?;
    let keys = schema["x-kubernetes-list-map-keys"].as_array();
    let key = |item: &Value| -> Vec<Value> {
        let keys = keys.into_iter().flatten().filter_map(Value::as_str);
        keys.map(|key| item[key].clone()).collect()
    };
    let is_twice = |at: usize| match schema["x-kubernetes-list-type"].as_str() {
        Some("set") => items[..at].contains(&items[at]),
        Some("map") => items[..at]
            .iter()
            .any(|other| key(other) == key(&items[at])),
        _ => schema["uniqueItems"] == true && items[..at].contains(&items[at]),
    };
    for (at, item) in items.iter().enumerate() {
        if is_twice(at) {
            return Err(format!("[{at}] is there twice"));
        }
        let before = before.and_then(|before| before.get(at));
        changes(before, item, &schema["items"]).map_err(|error| format!("[{at}]{error}"))?;
    }
    Ok(())
}

/// Checks a length against keywords such as `minItems` and `maxItems`.
fn limits(schema: &Value, of: &str, length: usize) -> Result<(), String> {
    let limit = |which: &str| schema[format!("{which}{of}")].as_u64();
    let length = length as u64;
    if limit("min").is_some_and(|least| length < least)
        || limit("max").is_some_and(|most| length > most)
    {
        return Err(format!(" has a length that is not allowed ({length})"));
    }
    Ok(())
}

fn number(value: &Value, schema: &Value) -> Result<(), String> {
    let less = |one: &Value, other: &Value| match (one.as_i64(), other.as_i64()) {
        (Some(one), Some(other)) => one < other,
        _ => one.as_f64() < other.as_f64(),
    };
    let (least, most) = (&schema["minimum"], &schema["maximum"]);
    let excludes = |keyword: &str, limit: &Value| {
        schema[keyword] == true && !less(value, limit) && !less(limit, value)
    };
    let is_low = !least.is_null() && (less(value, least) || excludes("exclusiveMinimum", least));
    let is_high = !most.is_null() && (less(most, value) || excludes("exclusiveMaximum", most));
    if is_low || is_high {
        return Err(format!(" must not be {value}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn changed_values_must_fit_the_schema_and_unchanged_ones_need_not() {
        let number = json!({"type": "integer", "format": "int32", "minimum": 1, "maximum": 9, "exclusiveMaximum": true});
        let schema = json!({"type": "object", "required": ["a"], "properties": {
            "a": number,
            "mode": {"type": "string", "enum": ["on", "off"]},
            "name": {"type": "string", "maxLength": 3, "nullable": true},
            "ruled": {"type": "object", "properties": {"x": {"type": "string"}}, "x-kubernetes-validations": []},
            "address": {"type": "string", "pattern": "^a"},
            "time": {"type": "string", "format": "date-time"},
            "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set", "maxItems": 2},
            "map": {"type": "array", "items": {"type": "object", "properties": {"k": number, "v": number}},
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 1},
            "port": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]},
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        }});
        let base = json!({"a": 1, "address": "b", "ruled": {"x": "1"}});
        for (field, value, refused) in [
            ("a", json!(8), None),
            ("a", json!(9), Some(".a must not be 9")),
            ("a", json!(0), Some(".a must not be 0")),
            ("a", json!(1.5), Some(".a must not be a number")),
            ("mode", json!("on"), None),
            ("mode", json!("of"), Some(".mode must not be \"of\"")),
            ("name", json!("äöü"), None),
            ("name", json!(null), None),
            (
                "name",
                json!("long"),
                Some(".name has a length that is not allowed (4)"),
            ),
            ("mode", json!(null), Some(".mode must not be null")),
            ("ruled", json!({"x": "1"}), None),
            (
                "ruled",
                json!({"x": "2"}),
                Some(".ruled has `x-kubernetes-validations`, which only the API server can check"),
            ),
            ("address", json!("b"), None),
            (
                "address",
                json!("a"),
                Some(".address has `pattern`, which only the API server can check"),
            ),
            (
                "time",
                json!("a"),
                Some(".time has `format: date-time`, which only the API server can check"),
            ),
            ("set", json!(["a", "b"]), None),
            ("set", json!(["a", "a"]), Some(".set[1] is there twice")),
            (
                "set",
                json!(["a", "b", "c"]),
                Some(".set has a length that is not allowed (3)"),
            ),
            ("map", json!([{"k": 1, "v": 1}, {"k": 2, "v": 1}]), None),
            (
                "map",
                json!([{"k": 1}, {"k": 1, "v": 2}]),
                Some(".map[1] is there twice"),
            ),
            (
                "map",
                json!([{"k": 1, "v": 0}]),
                Some(".map[0].v must not be 0"),
            ),
            ("labels", json!({"a": "b"}), None),
            (
                "labels",
                json!({"a": 1}),
                Some(".labels.a must not be a number"),
            ),
            (
                "labels",
                json!({"a": "b", "c": "d"}),
                Some(".labels has a length that is not allowed (2)"),
            ),
            ("port", json!("http"), None),
            ("port", json!([]), Some(".port must not be a list")),
            ("free", json!({"anything": [1]}), None),
            ("newer", json!(1), Some(".newer is unknown to the operator")),
        ] {
            let mut after = base.clone();
            after[field] = value;
            assert_eq!(
                changes(Some(&base), &after, &schema).err().as_deref(),
                refused,
                "{after}"
            );
        }
        assert_eq!(
            changes(None, &json!({}), &schema).err().as_deref(),
            Some(".a is required")
        );
    }
}
