//! Makes sample values for CRD fields.

use super::pattern::{as_rust, example};
use serde_json::{Map, Value, json};

/// The maximum number of fields and values in the spec of a generated test; a larger spec is reduced to its required
/// fields.
const SMALL: usize = 24;
/// The nesting depth from which on a sample contains only required fields. The depth of the outermost object is 0.
const DEEPEST: usize = 3;

/// The optional fields that a sample contains in addition to the required fields: none, only those with a default, or
/// all.
#[derive(Clone, Copy, PartialEq)]
enum Others {
    None,
    WithDefault,
    All,
}

/// Returns sample values for the required fields of a schema.
pub(super) fn required_values(fields: &Value) -> Map<String, Value> {
    object(fields, Others::None, 0)
}

/// Returns sample values for the required fields and for the fields with a default.
pub(super) fn live_values(fields: &Value) -> Map<String, Value> {
    object(fields, Others::WithDefault, 0)
}

/// Returns sample values for optional fields without a default; no values if rules in `schema` may restrict them.
pub(super) fn optional_values(schema: &Value, fields: &Value) -> Map<String, Value> {
    let mut all = if has_rules(schema) { Map::new() } else { object(fields, Others::All, 0) };
    all.retain(|name, _| !live_values(fields).contains_key(name));
    all
}

/// Returns true if `schema` describes every field of `value`, or keeps unknown fields. If so, `value`, which may be an
/// object of another version, can be used as the sample of the version that `schema` belongs to.
pub(super) fn names_all(schema: &Value, value: &Value) -> bool {
    if schema["x-kubernetes-preserve-unknown-fields"] == true {
        return true;
    }
    match value {
        Value::Object(fields) => fields.iter().all(|(name, value)| {
            let field = schema["properties"].get(name).or_else(|| schema.get("additionalProperties"));
            field.is_some_and(|field| names_all(field, value))
        }),
        Value::Array(items) => items.iter().all(|item| names_all(&schema["items"], item)),
        _ => schema.is_object(),
    }
}

/// Returns true if `spec` has so few fields and values that a generated test can contain it.
pub(super) fn is_small(spec: &Map<String, Value>) -> bool {
    fn count(value: &Value) -> usize {
        match value {
            Value::Object(map) => 1 + map.values().map(count).sum::<usize>(),
            Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
            _ => 1,
        }
    }
    spec.values().map(count).sum::<usize>() <= SMALL
}

/// Returns true if the schema contains CEL rules, `oneOf` or `allOf` at any depth.
fn has_rules(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => {
            let rules = ["x-kubernetes-validations", "oneOf", "allOf"];
            rules.iter().any(|rule| map.get(*rule).is_some_and(Value::is_array)) || map.values().any(has_rules)
        }
        Value::Array(items) => items.iter().any(has_rules),
        _ => false,
    }
}

fn object(schema: &Value, others: Others, depth: usize) -> Map<String, Value> {
    let names = |of: &Value| -> Vec<String> {
        of["required"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    // Of alternatives, the first one that asks for fields.
    let alternatives = ["oneOf", "anyOf"].into_iter().filter_map(|key| schema[key].as_array());
    let chosen = alternatives.filter_map(|all| all.iter().map(names).find(|names| !names.is_empty()));
    let required: Vec<String> = names(schema).into_iter().chain(chosen.flatten()).collect();
    let limit = |key: &str| schema[key].as_u64().and_then(|limit| usize::try_from(limit).ok());
    let properties = schema["properties"].as_object().into_iter().flatten();
    let mut made = Map::new();
    for (name, field) in properties.clone() {
        let must = required.contains(name);
        let is_other = match others {
            Others::None => false,
            Others::WithDefault => field.get("default").is_some_and(|default| !default.is_null()),
            Others::All => true,
        };
        let wanted = must || (is_other && depth < DEEPEST && !is_heavy(field));
        if !wanted {
            continue;
        }
        // There may be no example for a pattern: the user has to write the field.
        if let Some(value) = value(field, name, others, depth + 1, 1) {
            made.insert(name.clone(), value);
        }
    }
    // An object that keeps unknown fields may require one that it does not describe.
    let is_open = schema["x-kubernetes-preserve-unknown-fields"] == true;
    for name in required.iter().filter(|name| is_open && schema["properties"].get(name).is_none()) {
        made.insert(name.clone(), json!("sample"));
    }
    if others != Others::None && limit("maxProperties").is_some_and(|most| made.len() > most) {
        return object(schema, Others::None, depth);
    }
    for (name, field) in properties.filter(|(name, _)| !required.contains(name)) {
        if made.len() >= limit("minProperties").unwrap_or_default() {
            break;
        }
        made.extend(value(field, name, others, depth + 1, 1).map(|value| (name.clone(), value)));
    }
    made
}

/// Returns true for an optional field that samples omit, because the field is nullable, has many nested fields, or
/// accepts any content.
fn is_heavy(field: &Value) -> bool {
    fn fields(schema: &Value) -> usize {
        let properties = schema["properties"].as_object();
        let below: usize = properties.into_iter().flatten().map(|(_, field)| 1 + fields(field)).sum();
        below + schema.get("items").map_or(0, fields) + schema.get("additionalProperties").map_or(0, fields)
    }
    field["nullable"] == true || fields(field) > SMALL || field["x-kubernetes-preserve-unknown-fields"] == true
}

/// Returns a sample value that `schema` accepts, for the field `name`; `None` if opctl finds no such value, for example
/// for a complex pattern. If the value is an object, `others` selects its optional fields, and `depth` is its nesting
/// depth. `number` is the position of the value in a list, counted from 1.
fn value(schema: &Value, name: &str, others: Others, depth: usize, number: usize) -> Option<Value> {
    if let Some(default) = schema.get("default").filter(|default| !default.is_null()) {
        return Some(default.clone());
    }
    if let Some(example) = schema.get("example") {
        return Some(example.clone());
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.get((number - 1).min(words.len().saturating_sub(1))).cloned();
    }
    if schema["x-kubernetes-int-or-string"] == true {
        let pattern = schema["pattern"].as_str();
        return Some(match pattern {
            Some(pattern) if pattern.contains("[KMGTPE]i") => json!("1Gi"),
            Some(pattern) => json!(example(pattern, 0)?),
            None => json!(number),
        });
    }
    match schema["type"].as_str().unwrap_or_default() {
        "boolean" => Some(json!(true)),
        "integer" | "number" => Some(amount(schema, number)),
        "string" => text(schema, name, number),
        "array" => {
            let least = usize::try_from(schema["minItems"].as_u64().unwrap_or_default()).unwrap_or_default();
            let most =
                schema["maxItems"].as_u64().map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
            let keys = schema["x-kubernetes-list-map-keys"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let keys: Vec<&str> = keys.collect();
            let item = |number: usize| {
                let mut item = value(&schema["items"], name, others, depth, number)?;
                let fields = item.as_object_mut().into_iter().flatten();
                for (key, field) in fields.filter(|(key, _)| keys.contains(&key.as_str())) {
                    *field = value(&schema["items"]["properties"][key], key, others, depth, number)?;
                }
                Some(item)
            };
            let items = (1..=least.max(1).min(most)).map(item);
            items.collect::<Option<Vec<Value>>>().map(Value::Array)
        }
        "object" if schema["additionalProperties"].is_object() => {
            let least = schema["minProperties"].as_u64().unwrap_or_default().max(1);
            let pair = |number: u64| {
                let key = if number == 1 { "key".to_owned() } else { format!("key-{number}") };
                Some((key, value(&schema["additionalProperties"], name, others, depth, 1)?))
            };
            (1..=least).map(pair).collect::<Option<Map<String, Value>>>().map(Value::Object)
        }
        "object" if schema["x-kubernetes-embedded-resource"] == true && schema["properties"]["kind"].is_null() => {
            Some(json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "sample"}}))
        }
        _ => Some(Value::Object(object(schema, others, depth))),
    }
}

fn amount(schema: &Value, number: usize) -> Value {
    let bound = |key: &str| schema[key].as_f64();
    let step = bound("multipleOf").filter(|step| *step > 0.0);
    #[expect(clippy::cast_precision_loss, reason = "a list of a sample has few items")]
    let mut chosen = number as f64;
    if let Some(least) = bound("minimum") {
        let least = if schema["exclusiveMinimum"] == true { least + 1.0 } else { least };
        chosen = chosen.max(least);
    }
    if let Some(step) = step {
        chosen = (chosen / step).ceil() * step;
    }
    if let Some(most) = bound("maximum").filter(|most| chosen > *most) {
        chosen = most;
    }
    if schema["type"] == "integer" {
        format!("{chosen:.0}").parse::<i64>().map_or(json!(1), |whole| json!(whole))
    } else {
        json!(chosen)
    }
}

fn text(schema: &Value, name: &str, number: usize) -> Option<Value> {
    let least = usize::try_from(schema["minLength"].as_u64().unwrap_or_default()).unwrap_or_default();
    let most = schema["maxLength"].as_u64().map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let usual = match schema["format"].as_str().unwrap_or_default() {
        "date-time" => "2026-01-01T00:00:00Z",
        "date" => "2026-01-01",
        "byte" => "c2FtcGxl",
        "email" => "sample@example.com",
        "hostname" => "sample.example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "cidr" => "192.0.2.0/24",
        "mac" => "00:00:5e:00:53:01",
        "uri" => "https://example.com",
        "uuid" => "6f4d1f0c-0c1e-4bfb-8f43-9a7a2c1f7a10",
        "duration" => "1m",
        _ => "",
    };
    if !usual.is_empty() {
        return Some(json!(usual));
    }
    let candidates = usual_texts(name, number);
    if let Some(pattern) = schema["pattern"].as_str() {
        let matcher = regex::Regex::new(&as_rust(pattern)).ok()?;
        let fits = |text: &&String| matcher.is_match(text) && text.len() >= least && text.len() <= most;
        return candidates.iter().find(fits).cloned().or_else(|| example(pattern, least)).map(|text| json!(text));
    }
    let mut text = candidates.into_iter().next().unwrap_or_default();
    while text.len() < least {
        text.push('a');
    }
    Some(json!(text.chars().take(most).collect::<String>()))
}

/// Returns typical texts as candidates for a sample value, beginning with the best text for a field with the name
/// `name`. Many patterns match at least one of the texts.
fn usual_texts(name: &str, number: usize) -> Vec<String> {
    let lower = name.to_ascii_lowercase();
    let first = match lower.as_str() {
        "operator" => "In".to_owned(),
        "image" => "nginxinc/nginx-unprivileged:1.27".to_owned(),
        _ if lower.ends_with("schedule") => "0 3 * * *".to_owned(),
        _ if lower.ends_with("url") || lower.ends_with("uri") => "https://example.com".to_owned(),
        _ if lower.ends_with("timeout") || lower.ends_with("interval") || lower.ends_with("duration") => {
            "1m".to_owned()
        }
        _ if number > 1 => format!("sample-{number}"),
        _ => "sample".to_owned(),
    };
    let others = [
        "sample",
        "1m",
        "10Gi",
        "https://example.com",
        "example.com",
        "1.2.3",
        "v1.2.3",
        "0 3 * * *",
        "/sample",
        "8080",
    ];
    [first].into_iter().chain(others.map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_fields_and_defaults_have_values_and_others_are_optional() {
        let text = json!({"type": "string"});
        let role = json!({"type": "object", "required": ["name"], "properties": {"name": text, "class": text}});
        let roles = json!({
            "type": "array", "minItems": 2, "items": role,
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        });
        for (spec, live_fields, optional_fields) in [
            (json!({"properties": {"class": text}}), json!({}), json!({"class": "sample"})),
            (json!({"properties": {"a": {"type": "integer", "default": 3}}}), json!({"a": 3}), json!({})),
            (
                json!({"required": ["roles"], "properties": {"roles": roles}}),
                json!({"roles": [{"name": "sample"}, {"name": "sample-2"}]}),
                json!({}),
            ),
            (
                json!({"required": ["period"], "x-kubernetes-preserve-unknown-fields": true}),
                json!({"period": "sample"}),
                json!({}),
            ),
            (
                json!({"properties": {"a": text, "b": text}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}),
                json!({"a": "sample"}),
                json!({}),
            ),
        ] {
            assert_eq!(Value::Object(live_values(&spec)), live_fields, "{spec}");
            assert_eq!(Value::Object(optional_values(&spec, &spec)), optional_fields, "{spec}");
        }
    }
}
