//! Compares two schemas of one version, field by field.

use super::bounds;
use super::subject::Subject;
use crate::finding::Lint;
use crate::manifest::against::bounds::NARROWED;
use serde_json::{Map, Value};

pub(crate) static LINTS: &[&Lint] = &[
    &GONE_FIELD,
    &NEWLY_REQUIRED,
    &OTHER_TYPE,
    &NO_NULL,
    &OTHER_MERGE_TYPE,
    &OTHER_DEFAULT,
    &UNKNOWN_KEYS,
    &OTHER_BRANCHES,
];

pub(crate) static GONE_FIELD: Lint = Lint::error(
    "OP611",
    "a field that was removed from the CRD",
    "Stored objects keep the field until their next write drops it; clients with strict field validation are refused.",
    "pub struct WebServerSpec { pub image: String } // it had `port`",
    "pub struct WebServerSpec { pub image: String, /** Deprecated: not used. */ pub port: Option<u16> }",
);

pub(crate) static NEWLY_REQUIRED: Lint = Lint::error(
    "OP612",
    "a field that has become required, or a new required field",
    "Existing objects lack the field: their next write is refused, including a status update by your own controller.",
    "pub port: u16, // new",
    "#[serde(default = \"default_port\")]\npub port: u16,",
);

pub(crate) static OTHER_TYPE: Lint = Lint::error(
    "OP614",
    "a field whose type has changed",
    "Existing objects can no longer be deserialized, and their manifests are refused.",
    "pub port: String, // it was `u16`",
    "pub port: u16,\npub port_name: Option<String>,",
);

pub(crate) static NO_NULL: Lint = Lint::error(
    "OP615",
    "a field that may no longer be null",
    "Objects in which the field is null are refused.",
    "pub port: u16, // it was `Option<u16>`",
    "pub port: Option<u16>,",
);

pub(crate) static OTHER_MERGE_TYPE: Lint = Lint::error(
    "OP616",
    "a list or map whose list type, map type or keys have changed",
    "The ownership of entries is recorded by list type and keys: server-side apply fails on existing objects or drops \
     entries, and duplicate entries are refused.",
    "#[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))] // it was atomic\npub ports: Vec<Port>,",
    "pub ports: Vec<Port>,",
);

pub(crate) static OTHER_DEFAULT: Lint = Lint::warning(
    "OP617",
    "a field whose default has changed",
    "An object that omits the field gets a different value after the change.",
    "#[serde(default = \"two\")]\npub replicas: u32, // it was one",
    "#[serde(default = \"one\")]\npub replicas: u32,",
);

pub(crate) static UNKNOWN_KEYS: Lint = Lint::error(
    "OP618",
    "an object schema that no longer keeps unknown fields",
    "The next write of an object silently drops its unknown fields.",
    "pub settings: Settings, // it was `serde_json::Value`",
    "pub settings: serde_json::Value,",
);

pub(crate) static OTHER_BRANCHES: Lint = Lint::warning(
    "OP619",
    "a changed `allOf`, `anyOf`, `oneOf` or `not` in a schema",
    "Comparing `oneOf` and similar keywords does not show whether they allow less than before.",
    "#[serde(untagged)]\nenum Size { Small { a: u8 }, Large { b: u8 } } // another variant than before",
    "// +opctl:allow:OP619 reason=\"what was allowed still is\"",
);

const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// Compares two schemas at `path` and all schemas below `path`.
pub(super) fn compare(subject: &mut Subject<'_>, path: &str, old: &Value, new: &Value) {
    if !same_type(subject, path, old, new) {
        return;
    }
    if is_true(old, "nullable") && !is_true(new, "nullable") {
        let hint = "make the field an `Option` without `skip_serializing_if`, or add `#[schemars(extend(\"nullable\" \
             = true))]`";
        subject.say_of(&NO_NULL, path, "may no longer be null", hint);
    }
    if is_true(old, PRESERVE) && !is_true(new, PRESERVE) {
        let hint = "keep `x-kubernetes-preserve-unknown-fields`, or describe every key that objects have";
        subject.say_of(&UNKNOWN_KEYS, path, "no longer keeps the keys that its schema does not name", hint);
    }
    bounds::compare(subject, path, old, new);
    composition(subject, path, old, new);
    rules(subject, path, old, new);
    lists(subject, path, old, new);
    default(subject, path, old, new);
    fields(subject, path, old, new);
    if let (Some(old), Some(new)) = (old.get("items"), new.get("items")) {
        compare(subject, &format!("{path}[]"), old, new);
    }
    match (old.get("additionalProperties"), new.get("additionalProperties")) {
        (Some(old), Some(new)) => compare(subject, &format!("{path}{{}}"), old, new),
        (Some(old), None) if *old != Value::Bool(false) && !is_true(new, PRESERVE) => {
            subject.say_of(&UNKNOWN_KEYS, path, "is no longer a map, and loses its keys", "keep the map");
        }
        _ => {}
    }
}

/// Compares the types of two schemas; returns true if the types are equal, so that the keywords are comparable.
fn same_type(subject: &mut Subject<'_>, path: &str, old: &Value, new: &Value) -> bool {
    let name = |schema: &Value| match schema["type"].as_str() {
        _ if is_true(schema, INT_OR_STRING) => "integer or string".to_owned(),
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    };
    let (before, after) = (name(old), name(new));
    let wider = match after.as_str() {
        "any" => true,
        "number" => before == "integer",
        "integer or string" => before == "integer" || before == "string",
        _ => false,
    };
    if before == after || wider {
        return before == after;
    }
    let reason = format!("is of type {after}, but was of type {before}");
    let hint = format!("keep the type {before}, or add a field of another name");
    subject.say_of(&OTHER_TYPE, path, &reason, &hint);
    false
}

fn fields(subject: &mut Subject<'_>, path: &str, old: &Value, new: &Value) {
    let none = Map::new();
    let properties = |schema| properties_of(schema).unwrap_or(&none);
    let required = |schema: &Value, name: &str| {
        schema["required"].as_array().is_some_and(|names| names.iter().any(|required| required == name))
    };
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (name, old) in properties(old) {
        match properties(new).get(name).or_else(|| new.get("additionalProperties").filter(|more| more.is_object())) {
            Some(new) => compare(subject, &below(name), old, new),
            None if is_true(new, PRESERVE) => {}
            None => {
                let hint =
                    "keep the field and mark it as deprecated in its documentation, or remove it only in a new version";
                subject.say_of(&GONE_FIELD, &below(name), "is removed, and objects lose its value", hint);
            }
        }
    }
    for (name, field) in properties(new) {
        // The server fills in the default, so that such a field is never missing.
        let was = required(old, name) && properties(old).get(name).is_none_or(|field| field.get("default").is_none());
        if required(new, name) && field.get("default").is_none() && !was {
            let known = properties(old).contains_key(name);
            let reason = if known { "is now required, but was not before" } else { "is new and required" };
            let hint = "make the field an `Option`, or give it `#[serde(default)]`";
            subject.say_of(&NEWLY_REQUIRED, &below(name), reason, hint);
        }
    }
}

fn properties_of(schema: &Value) -> Option<&Map<String, Value>> {
    schema["properties"].as_object()
}

fn rules(subject: &mut Subject<'_>, path: &str, old: &Value, new: &Value) {
    let rules = |schema: &'_ Value| -> Vec<String> {
        let rules = schema["x-kubernetes-validations"].as_array().into_iter().flatten();
        rules.filter_map(|rule| rule["rule"].as_str()).map(str::to_owned).collect()
    };
    let before = rules(old);
    for rule in rules(new).into_iter().filter(|rule| !before.contains(rule)) {
        let hint = "let the rule pass what was allowed before, for example `oldSelf` in a rule with `optionalOldSelf`";
        subject.say_of(&NARROWED, path, &format!("has a new rule, `{rule}`"), hint);
    }
}

fn lists(subject: &mut Subject<'_>, path: &str, old: &Value, new: &Value) {
    for (key, usual) in [("x-kubernetes-list-type", "atomic"), ("x-kubernetes-map-type", "granular")] {
        let of = |schema: &'_ Value| schema[key].as_str().unwrap_or(usual).to_owned();
        let (before, after) = (of(old), of(new));
        if before != after {
            let reason = format!("has `{key}: {after}`, and had `{before}`");
            let hint = format!(
                "keep `{before}`: the ownership of entries depends on it, and existing objects may have duplicate \
                 entries"
            );
            subject.say_of(&OTHER_MERGE_TYPE, path, &reason, &hint);
            return;
        }
    }
    let keys = |schema: &Value| schema.get("x-kubernetes-list-map-keys").cloned().unwrap_or_default();
    if keys(old) != keys(new) {
        let reason = format!("has the list keys {}, but had {}", keys(new), keys(old));
        subject.say_of(&OTHER_MERGE_TYPE, path, &reason, "keep the keys: they identify the entries of the list");
    }
}

fn default(subject: &mut Subject<'_>, path: &str, old: &Value, new: &Value) {
    let Some(before) = old.get("default") else { return };
    let reason = match new.get("default") {
        Some(after) if after == before => return,
        Some(after) => format!("has the default {after}, but had {before}"),
        None => format!("no longer has the default {before}"),
    };
    let hint = "keep the default: objects that omit the field would get a different value";
    subject.say_of(&OTHER_DEFAULT, path, &reason, hint);
}

/// Compares `oneOf`, `anyOf`, `allOf` and `not`. Reports every change, unless the change clearly allows more values.
fn composition(subject: &mut Subject<'_>, path: &str, old: &Value, new: &Value) {
    for key in ["oneOf", "anyOf", "allOf", "not"] {
        let (before, after) = (old.get(key).map(strip_annotations), new.get(key).map(strip_annotations));
        let branches = |value: &Option<Value>| value.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
        let (had, has) = (branches(&before), branches(&after));
        match (&before, &after) {
            (_, None) => {}
            (None, Some(_)) if is_true(new, INT_OR_STRING) && !is_true(old, INT_OR_STRING) => {}
            (None, Some(_)) => {
                let hint = format!("leave `{key}` out, or introduce it in a new version");
                subject.say_of(&NARROWED, path, &format!("has a new `{key}`"), &hint);
            }
            (Some(before), Some(after)) if before == after => {}
            _ if ["oneOf", "anyOf"].contains(&key) && had.iter().all(|branch| has.contains(branch)) => {}
            _ if key == "allOf" && has.iter().all(|branch| had.contains(branch)) => {}
            _ => {
                let hint = "check that every object that was allowed before is still allowed";
                subject.say_of(&OTHER_BRANCHES, path, &format!("has another `{key}`"), hint);
            }
        }
    }
}

/// Returns the schema without keywords that have no effect on validation.
fn strip_annotations(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => {
            let kept = map.iter().filter(|(key, _)| !["description", "title", "example"].contains(&key.as_str()));
            Value::Object(kept.map(|(key, value)| (key.clone(), strip_annotations(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(strip_annotations).collect()),
        other => other.clone(),
    }
}

fn is_true(schema: &Value, key: &str) -> bool {
    schema[key] == true
}
