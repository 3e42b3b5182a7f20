//! Finds default values that the schema of their field does not allow.

use super::formats;
use regex::Regex;
use serde_json::Value;

/// Returns the reason why `schema` does not allow `value`. Accepts values that only an API server can check.
pub(super) fn fault(value: &Value, schema: &Value) -> Option<String> {
    if value.is_null() {
        return None;
    }
    let says = |key: &str| schema.get(key) == Some(&Value::Bool(true));
    if says("x-kubernetes-int-or-string") {
        let fits = value.is_string() || value.is_i64();
        return (!fits)
            .then(|| format!("{value} is neither an integer nor a string"))
            .or_else(|| bounds(value, schema))
            .or_else(|| branches(value, schema));
    }
    let name = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let fits = match name {
        "string" => value.is_string(),
        // The server's integers end at 2^63 - 1.
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    };
    if !fits {
        return Some(format!("{value} is not of the type {name}"));
    }
    if let Some(Value::Array(values)) = schema.get("enum")
        && !values.contains(value)
    {
        return Some(format!("{value} is none of {}", Value::Array(values.clone())));
    }
    bounds(value, schema)
        .or_else(|| text(value, schema))
        .or_else(|| items(value, schema))
        .or_else(|| fields(value, schema, says("x-kubernetes-preserve-unknown-fields")))
        .or_else(|| branches(value, schema))
}

/// Returns the reason why a string does not match the schema's `pattern` or `format`, if any.
fn text(value: &Value, schema: &Value) -> Option<String> {
    let text = value.as_str()?;
    let word = |key: &str| schema.get(key).and_then(Value::as_str);
    if let Some(pattern) = word("pattern")
        && Regex::new(pattern).is_ok_and(|pattern| !pattern.is_match(text))
    {
        return Some(format!("{value} does not match `pattern: {pattern}`"));
    }
    let format = word("format")?;
    (!formats::can_have_format(format, text)).then(|| format!("{value} is not of `format: {format}`"))
}

/// Returns the reason why a value other than null violates `allOf`, `anyOf`, `oneOf` or `not`, if any.
fn branches(value: &Value, schema: &Value) -> Option<String> {
    let all = |key: &str| schema.get(key).and_then(Value::as_array).filter(|branches| !branches.is_empty());
    let fits = |branch: &Value| restriction(value, branch).is_none();
    if let Some(fault) = all("allOf").and_then(|branches| branches.iter().find_map(|branch| restriction(value, branch)))
    {
        return Some(fault);
    }
    if all("anyOf").is_some_and(|branches| !branches.iter().any(fits)) {
        return Some(format!("{value} fits none of `anyOf`"));
    }
    if let Some(branches) = all("oneOf") {
        let count = branches.iter().filter(|branch| fits(branch)).count();
        if count != 1 {
            return Some(format!("{value} fits {count} schemas of `oneOf`, but must fit exactly one"));
        }
    }
    schema.get("not").filter(|branch| fits(branch)).map(|_| format!("{value} fits `not`"))
}

/// Returns the reason why a branch, such as an element of `oneOf`, does not allow a value, if any. Allows fields
/// that the branch does not name.
fn restriction(value: &Value, branch: &Value) -> Option<String> {
    let mut open = branch.clone();
    if let Some(map) = open.as_object_mut() {
        map.insert("x-kubernetes-preserve-unknown-fields".to_owned(), true.into());
        for field in
            map.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten().map(|(_, field)| field)
        {
            if let Some(field) = field.as_object_mut() {
                field.insert("x-kubernetes-preserve-unknown-fields".to_owned(), true.into());
            }
        }
    }
    fault(value, &open)
}

fn bounds(value: &Value, schema: &Value) -> Option<String> {
    let int32 = schema.get("format").is_some_and(|format| format == "int32");
    if int32 && value.as_i64().is_some_and(|value| i32::try_from(value).is_err()) {
        return Some(format!("{value} is too large for `format: int32`"));
    }
    if let (Some(number), Some(factor)) = (value.as_i64(), schema.get("multipleOf").and_then(Value::as_i64)) {
        if factor > 0 && number % factor != 0 {
            return Some(format!("{value} breaks `multipleOf: {factor}`"));
        }
    } else if let (Some(number), Some(factor)) = (value.as_f64(), schema.get("multipleOf").and_then(Value::as_f64)) {
        let times = number / factor;
        // The tolerance is far greater than the server's.
        if factor > 0.0 && (times - times.round()).abs() > 1e-6 {
            return Some(format!("{value} breaks `multipleOf: {factor}`"));
        }
    }
    let number = |key: &str| schema.get(key).and_then(Value::as_f64);
    let exclusive = |key: &str| schema.get(key) == Some(&Value::Bool(true));
    let size = |value: usize| f64::from(u32::try_from(value).unwrap_or(u32::MAX));
    let (measured, least, most) = match value {
        Value::Number(value) => (value.as_f64()?, "minimum", "maximum"),
        Value::String(text) => (size(text.chars().count()), "minLength", "maxLength"),
        Value::Array(items) => (size(items.len()), "minItems", "maxItems"),
        Value::Object(map) => (size(map.len()), "minProperties", "maxProperties"),
        _ => return None,
    };
    let numeric = value.is_number();
    if let Some(bound) = number(least)
        && (measured < bound || numeric && exclusive("exclusiveMinimum") && measured <= bound)
    {
        return Some(format!("{value} breaks `{least}: {bound}`"));
    }
    if let Some(bound) = number(most)
        && (measured > bound || numeric && exclusive("exclusiveMaximum") && measured >= bound)
    {
        return Some(format!("{value} breaks `{most}: {bound}`"));
    }
    None
}

fn items(value: &Value, schema: &Value) -> Option<String> {
    let items = schema.get("items")?;
    let nullable = items.get("nullable").is_some() || items.get("type").is_none();
    value.as_array()?.iter().find_map(|item| match item {
        Value::Null if !nullable => Some("null is not allowed as an item of the list".to_owned()),
        item => fault(item, items),
    })
}

fn fields(value: &Value, schema: &Value, open: bool) -> Option<String> {
    let map = value.as_object()?;
    let known = schema.get("properties").and_then(Value::as_object);
    let others = schema.get("additionalProperties");
    let embedded = schema.get("x-kubernetes-embedded-resource") == Some(&Value::Bool(true));
    if let Some(name) = ["apiVersion", "kind"].into_iter().find(|name| embedded && !map.contains_key(*name)) {
        return Some(format!("the field `{name}` of an embedded resource is missing"));
    }
    for (name, value) in map {
        match (known.and_then(|known| known.get(name)), others) {
            (Some(field), _) | (None, Some(field)) => {
                if let Some(fault) = fault(value, field) {
                    return Some(format!("`{name}`: {fault}"));
                }
            }
            (None, None) if open || embedded && ["apiVersion", "kind", "metadata"].contains(&name.as_str()) => {}
            (None, None) => return Some(format!("the field `{name}` is unknown")),
        }
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    // This includes a field with a default of its own: the server does not fill in defaults within defaults.
    let missing = required.into_iter().find(|name| !map.contains_key(*name));
    missing.map(|name| format!("the required field `{name}` is missing"))
}

#[cfg(test)]
mod tests {
    use super::fault;
    use serde_json::json;

    #[test]
    fn defaults_are_values_of_their_schema() {
        let object = json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}});
        for (value, schema, fine) in [
            (json!("x"), json!({"type": "string"}), true),
            (json!("x"), json!({"type": "integer"}), false),
            (json!(1), json!({"type": "number"}), true),
            (json!(1.5), json!({"type": "integer"}), false),
            (json!("b"), json!({"type": "string", "enum": ["a"]}), false),
            (json!("a"), json!({"type": "string", "enum": ["a"]}), true),
            (json!(0), json!({"type": "integer", "minimum": 1}), false),
            (json!(1), json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true}), false),
            (json!(""), json!({"type": "string", "minLength": 1}), false),
            (json!([1]), json!({"type": "array", "items": {"type": "string"}}), false),
            (json!({"a": "x"}), object.clone(), true),
            (json!({}), object.clone(), false),
            (json!({"a": "x", "b": 1}), object, false),
            (json!({}), json!({"required": ["a"], "properties": {"a": {"default": 1}}}), false),
            (json!(i64::MAX), json!({"type": "integer", "format": "int32"}), false),
            (json!(3), json!({"type": "integer", "multipleOf": 2}), false),
            (json!({"b": 1}), json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}), true),
            (json!({"b": 1}), json!({"type": "object", "additionalProperties": {"type": "string"}}), false),
            (json!("50%"), json!({"x-kubernetes-int-or-string": true}), true),
            (json!("50"), json!({"x-kubernetes-int-or-string": true, "pattern": "%$"}), true),
            (json!("ab"), json!({"type": "string", "pattern": "^b"}), false),
            (json!("ab"), json!({"type": "string", "pattern": "b"}), true),
            (json!("ab"), json!({"type": "string", "allOf": [{"minLength": 1}, {"minLength": 3}]}), false),
            (json!("ab"), json!({"type": "string", "anyOf": [{"minLength": 1}, {"minLength": 3}]}), true),
            (json!("ab"), json!({"type": "string", "oneOf": [{"minLength": 1}, {"minLength": 2}]}), false),
            (
                json!({"a": {"b": 1}}),
                json!({"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}}},
                "oneOf": [{"required": ["a"], "properties": {"a": {"required": ["b"]}}}, {"required": ["c"]}]}),
                true,
            ),
            (json!(0.3), json!({"type": "number", "multipleOf": 0.1}), true),
            (
                json!({"apiVersion": "v1", "kind": "A"}),
                json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"spec": {"type": "object"}}}),
                true,
            ),
            (json!(true), json!({"x-kubernetes-int-or-string": true}), false),
        ] {
            assert_eq!(fault(&value, &schema).is_none(), fine, "{value} {schema}");
        }
    }
}
