//! Finds other possible values for the fields of a sample, based on the schema of its kind. The API server decides
//! later if it accepts the values.

use serde_json::{Value, json};

/// A field below `spec`, and a value that differs from the sample's value; null removes the field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldValue {
    /// The path of the field, such as `spec.pods.replicas`.
    pub path: String,
    pub value: Value,
}

/// The maximum depth of a field below `spec`, because a schema may contain the whole schema of a pod.
const DEPTH: usize = 3;
/// The limit for increasing an integer: an integer below this limit is increased by 1, any other integer is decreased
/// by 1. A greater number could create too many objects.
const MOST: i64 = 3;

impl FieldValue {
    /// Returns the value that the field has in `object`; null if `object` does not contain the field.
    pub fn of<'a>(&self, object: &'a Value) -> &'a Value {
        object.pointer(&format!("/{}", self.path.replace('.', "/"))).unwrap_or(&Value::Null)
    }

    /// Returns a merge patch that sets the field to `value`.
    pub fn patch(&self, value: &Value) -> Value {
        self.path.rsplit('.').fold(value.clone(), |value, key| json!({ key: value }))
    }

    /// Returns the field and its value as written in a plan, such as `spec.port=0`.
    pub fn text(&self) -> String {
        format!("{}={}", self.path, self.value)
    }

    /// Parses a field and its value as written in a plan.
    pub fn parse(text: &str) -> Option<FieldValue> {
        let (path, value) = text.split_once('=')?;
        let is_path = path.starts_with("spec.") && path.split('.').all(|part| !part.is_empty());
        let value = serde_json::from_str(value).ok().filter(|_| is_path)?;
        Some(FieldValue { path: path.to_owned(), value })
    }
}

/// Returns other possible values for the fields of `sample`, according to `schema`.
pub fn other_values(schema: &Value, sample: &Value) -> Vec<FieldValue> {
    let mut found = Vec::new();
    walk(&schema["properties"]["spec"], &sample["spec"], "spec", DEPTH, &mut found);
    found
}

fn walk(schema: &Value, value: &Value, path: &str, depth: usize, found: &mut Vec<FieldValue>) {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        // These characters in a name would be taken for separators in a plan.
        if name.contains(['.', '/', '=']) || depth == 0 {
            continue;
        }
        let (path, now) = (format!("{path}.{name}"), &value[name]);
        let mut values = values(field, now);
        if !required.contains(&name.as_str()) && !now.is_null() {
            values.push(Value::Null);
        }
        values.retain(|value| value != now);
        found.extend(values.into_iter().map(|value| FieldValue { path: path.clone(), value }));
        if now.is_object() {
            walk(field, now, &path, depth - 1, found);
        }
    }
}

fn values(schema: &Value, now: &Value) -> Vec<Value> {
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().filter(|word| !word.is_null()).take(3).cloned().collect();
    }
    match schema["type"].as_str() {
        Some("boolean") => vec![true.into(), false.into()],
        Some("integer") => {
            let least = schema["minimum"].as_i64().unwrap_or(0);
            let near = now.as_i64().map(|now| if now < MOST { now + 1 } else { now - 1 });
            [near, Some(least)].into_iter().flatten().map(Value::from).collect()
        }
        Some("string") => {
            let text = now.as_str().unwrap_or_default();
            vec![if text.is_empty() { "x".into() } else { format!("{text}x").into() }]
        }
        Some("array") if now.as_array().is_some_and(|items| !items.is_empty()) => vec![json!([])],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_from_the_schema_and_the_sample() {
        let pods = json!({"type": "object", "properties": {"image": {"type": "string"}}});
        let schema = json!({"properties": {"spec": {"type": "object", "required": ["replicas"], "properties": {
            "replicas": {"type": "integer", "minimum": 1}, "mode": {"type": "string", "enum": ["a", "b"]},
            "on": {"type": "boolean"}, "pods": pods, "hosts": {"type": "array"}, "a.b": {"type": "string"},
        }}}});
        let sample = json!({"spec": {"replicas": 2, "mode": "a", "pods": {"image": "i"}, "hosts": ["h"]}});
        let found: Vec<String> = other_values(&schema, &sample).iter().map(FieldValue::text).collect();
        assert_eq!(
            found,
            [
                "spec.hosts=[]",
                "spec.hosts=null",
                "spec.mode=\"b\"",
                "spec.mode=null",
                "spec.on=true",
                "spec.on=false",
                "spec.pods=null",
                "spec.pods.image=\"ix\"",
                "spec.pods.image=null",
                "spec.replicas=3",
                "spec.replicas=1",
            ]
        );
        let image = FieldValue::parse("spec.pods.image=\"ix\"").unwrap();
        assert_eq!(image.of(&sample), "i");
        assert_eq!(image.patch(&image.value), json!({"spec": {"pods": {"image": "ix"}}}));
        for text in ["spec.a", "a=1", "spec..a=1", "spec.a=x"] {
            assert_eq!(FieldValue::parse(text), None, "{text}");
        }
    }
}
