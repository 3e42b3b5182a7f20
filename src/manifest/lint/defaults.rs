//! Defaults that their own schema would refuse.

use serde_json::Value;

/// What is wrong with `value` as a value of `schema`, if anything is; what only the server can tell is let pass.
pub(super) fn fault(value: &Value, schema: &Value) -> Option<String> {
    if value.is_null() {
        return None;
    }
    let says = |key: &str| schema.get(key) == Some(&Value::Bool(true));
    if says("x-kubernetes-int-or-string") {
        let fits = value.is_string() || value.is_i64();
        return (!fits)
            .then(|| format!("{value} is neither an integer nor a string"))
            .or_else(|| bounds(value, schema));
    }
    let name = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let fits = match name {
        "string" => value.is_string(),
        // The server counts to 2^63 - 1.
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
        .or_else(|| items(value, schema))
        .or_else(|| fields(value, schema, says("x-kubernetes-preserve-unknown-fields")))
}

fn bounds(value: &Value, schema: &Value) -> Option<String> {
    let int32 = schema.get("format").is_some_and(|format| format == "int32");
    if int32 && value.as_i64().is_some_and(|value| i32::try_from(value).is_err()) {
        return Some(format!("{value} is too large for `format: int32`"));
    }
    if let (Some(number), Some(factor)) = (value.as_i64(), schema.get("multipleOf").and_then(Value::as_i64))
        && factor > 0
        && number % factor != 0
    {
        return Some(format!("{value} breaks `multipleOf: {factor}`"));
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
        Value::Null if !nullable => Some("null is no item of it".to_owned()),
        item => fault(item, items),
    })
}

fn fields(value: &Value, schema: &Value, open: bool) -> Option<String> {
    let map = value.as_object()?;
    let known = schema.get("properties").and_then(Value::as_object);
    let others = schema.get("additionalProperties");
    for (name, value) in map {
        match (known.and_then(|known| known.get(name)), others) {
            (Some(field), _) | (None, Some(field)) => {
                if let Some(fault) = fault(value, field) {
                    return Some(format!("`{name}`: {fault}"));
                }
            }
            (None, None) if open => {}
            (None, None) => return Some(format!("the field `{name}` is unknown")),
        }
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    // Even one that has a default of its own: the server does not fill in defaults within defaults.
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
            (json!(true), json!({"x-kubernetes-int-or-string": true}), false),
        ] {
            assert_eq!(fault(&value, &schema).is_none(), fine, "{value} {schema}");
        }
    }
}
