//! The fields of a spec, as Rust, JSON and YAML.

use super::layout::filled;
use crate::model::{Bounds, Field, Scalar, Shape, sample, variant_name};
use crate::yaml;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// rustfmt's width of a list that stays on one line, and of an item that shares its line with others.
const LIST_WIDTH: usize = 60;
const SHORT_ITEM: usize = 10;

/// A field, for the templates.
#[derive(Clone, Serialize)]
pub(super) struct FieldValues {
    name: String,
    rust_name: String,
    rust_type: String,
    attributes: Vec<String>,
    /// The body of the function that gives the default, or nothing.
    default: String,
    enumeration: Option<Enumeration>,
}

#[derive(Clone, Serialize)]
struct Enumeration {
    name: String,
    variants: Vec<Variant>,
}

#[derive(Clone, Serialize)]
struct Variant {
    name: String,
    word: String,
}

impl FieldValues {
    pub(super) fn of(field: &Field, kind: &str) -> Self {
        let enum_name = field.enum_name(kind).unwrap_or_default();
        let (collection, rust_type) = match &field.shape {
            Shape::One(scalar) => ("", rust_type(scalar, &enum_name)),
            Shape::List(scalar, _) => ("Vec", format!("Vec<{}>", rust_type(scalar, &enum_name))),
            Shape::Map => ("BTreeMap", "BTreeMap<String, String>".to_owned()),
        };
        let wrapped = if field.optional && collection.is_empty() { format!("Option<{rust_type}>") } else { rust_type };
        FieldValues {
            attributes: attributes(field, collection),
            default: field
                .default
                .as_ref()
                .map_or_else(String::new, |value| expression(&field.shape, value, &enum_name)),
            enumeration: enumeration(&field.shape, enum_name),
            name: field.name.clone(),
            rust_name: field.rust_name.clone(),
            rust_type: wrapped,
        }
    }
}

fn enumeration(shape: &Shape, name: String) -> Option<Enumeration> {
    let (Shape::One(Scalar::Enum(words)) | Shape::List(Scalar::Enum(words), _)) = shape else { return None };
    let variant = |word: &String| Variant { name: variant_name(word), word: word.clone() };
    Some(Enumeration { name, variants: words.iter().map(variant).collect() })
}

fn rust_type(scalar: &Scalar, enum_name: &str) -> String {
    match scalar {
        Scalar::String(_) => "String",
        Scalar::Integer { wide: false, .. } => "i32",
        Scalar::Integer { wide: true, .. } => "i64",
        Scalar::Number(_) => "f64",
        Scalar::Boolean => "bool",
        Scalar::Quantity => "resource::Quantity",
        Scalar::Duration => "kube::core::Duration",
        Scalar::Enum(_) => enum_name,
    }
    .to_owned()
}

/// As serde's `rename_all = "camelCase"` makes it of a name in snake case.
fn renamed_by_serde(rust_name: &str) -> String {
    let mut name = String::new();
    let mut capital = false;
    for character in rust_name.chars() {
        match character {
            '_' => capital = true,
            _ if capital && !name.is_empty() => {
                name.push(character.to_ascii_uppercase());
                capital = false;
            }
            _ => name.push(character),
        }
    }
    name
}

fn attributes(field: &Field, collection: &str) -> Vec<String> {
    let mut attributes = Vec::new();
    if renamed_by_serde(&field.rust_name) != field.name {
        attributes.push(format!("#[serde(rename = \"{}\")]", field.name));
    }
    if field.default.is_some() {
        attributes.push(format!("#[serde(default = \"default_{}\")]", field.rust_name));
    } else if field.optional {
        let empty =
            if collection.is_empty() { "Option::is_none".to_owned() } else { format!("{collection}::is_empty") };
        attributes.push(format!("#[serde(default, skip_serializing_if = \"{empty}\")]"));
    }
    let (own, inner) = match &field.shape {
        Shape::One(scalar) => (limits(scalar), None),
        Shape::List(scalar, bounds) => (limit("length", bounds), limits(scalar)),
        Shape::Map => (None, None),
    };
    attributes.extend(own.map(|limit| format!("#[schemars({limit})]")));
    attributes.extend(inner.map(|limit| format!("#[schemars(inner({limit}))]")));
    attributes
}

fn limits(scalar: &Scalar) -> Option<String> {
    match scalar {
        Scalar::String(bounds) => limit("length", bounds),
        Scalar::Integer { bounds, .. } | Scalar::Number(bounds) => limit("range", bounds),
        Scalar::Boolean | Scalar::Quantity | Scalar::Duration | Scalar::Enum(_) => None,
    }
}

fn limit(what: &str, bounds: &Bounds) -> Option<String> {
    let one = |name: &str, bound: &Option<String>| bound.as_ref().map(|bound| format!("{name} = {bound}"));
    let limits: Vec<String> = one("min", &bounds.min).into_iter().chain(one("max", &bounds.max)).collect();
    (!bounds.is_empty()).then(|| format!("{what}({})", limits.join(", ")))
}

fn expression(shape: &Shape, value: &Value, enum_name: &str) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match shape {
        Shape::One(scalar) => single(scalar, value, enum_name),
        Shape::List(scalar, _) => {
            let items: Vec<String> =
                value.as_array().into_iter().flatten().map(|item| single(scalar, item, enum_name)).collect();
            list("vec![", &items, "]")
        }
        Shape::Map => {
            let entries = value.as_object().into_iter().flatten();
            let items: Vec<String> =
                entries.map(|(key, value)| format!("({key:?}.into(), {:?}.into())", text(value))).collect();
            if items.is_empty() { "BTreeMap::new()".to_owned() } else { list("BTreeMap::from([", &items, "])") }
        }
    }
}

fn single(scalar: &Scalar, value: &Value, enum_name: &str) -> String {
    let text = value.as_str().unwrap_or_default();
    match scalar {
        Scalar::String(_) if text.is_empty() => "String::new()".to_owned(),
        Scalar::String(_) => format!("{text:?}.into()"),
        Scalar::Integer { .. } | Scalar::Number(_) | Scalar::Boolean => value.to_string(),
        Scalar::Quantity => format!("resource::Quantity({text:?}.into())"),
        Scalar::Duration => {
            let duration =
                text.parse().map_or_else(|_| std::time::Duration::ZERO, |parsed: kube::core::Duration| parsed.into());
            let (unit, number) = match duration {
                whole if whole.subsec_nanos() == 0 => ("secs", whole.as_secs().into()),
                milli if milli.subsec_nanos() % 1_000_000 == 0 => ("millis", milli.as_millis()),
                nano => ("nanos", nano.as_nanos()),
            };
            format!("std::time::Duration::from_{unit}({number}).into()")
        }
        Scalar::Enum(_) => format!("{enum_name}::{}", variant_name(text)),
    }
}

/// A list within a function's body, as rustfmt breaks it.
fn list(open: &str, items: &[String], close: &str) -> String {
    let line = items.join(", ");
    if line.len() <= LIST_WIDTH {
        return format!("{open}{line}{close}");
    }
    if items.iter().all(|item| item.len() <= SHORT_ITEM) {
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        return format!("{open}\n{}    {close}", filled(&items, "        "));
    }
    format!("{open}\n        {},\n    {close}", items.join(",\n        "))
}

/// Returns a sample of the required fields, for tests: JSON within `json!`, behind `indentation`.
pub(super) fn json_sample(fields: &[Field], indentation: &str) -> String {
    json_text(&sample(fields, false), indentation)
}

/// A whole spec that Rust writes where only the required fields were given.
pub(super) fn json_with_defaults(fields: &[Field], indentation: &str) -> String {
    let written = fields.iter().filter(|field| field.is_required() || field.default.is_some());
    json_text(&written.map(|field| (field.name.clone(), field.sample())).collect(), indentation)
}

fn json_text(values: &Map<String, Value>, indentation: &str) -> String {
    if values.is_empty() {
        return "{}".to_owned();
    }
    let line = |(name, value): (&String, &Value)| format!("{indentation}    {name:?}: {},\n", literal(value));
    format!("{{\n{}{indentation}}}", values.iter().map(line).collect::<Vec<_>>().concat())
}

/// A value within `json!`, where Rust takes a number without a type for an `i32`.
fn literal(value: &Value) -> String {
    let is_wide = |number: i64| i32::try_from(number).is_err();
    match value {
        Value::Number(number) if number.as_i64().is_some_and(is_wide) => format!("{number}_i64"),
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// The spec of the sample: every field, in order.
pub(super) fn yaml_sample(fields: &[Field]) -> String {
    let mut text = String::new();
    for field in fields {
        for line in yaml::document(&json!({ field.name.as_str(): field.sample() })).lines() {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serdes_names_are_known() {
        for (rust_name, name) in [("type_", "type"), ("cluster_ip", "clusterIp"), ("a1_b", "a1B")] {
            assert_eq!(renamed_by_serde(rust_name), name);
        }
    }

    #[test]
    fn lists_are_broken_as_rustfmt_does() {
        let items = |item: &str, count: usize| vec![item.to_owned(); count];
        assert_eq!(list("vec![", &items("80", 2), "]"), "vec![80, 80]");
        let long = format!("{:?}.into()", "long-item");
        let lines = list("vec![", &items(&long, 4), "]");
        assert_eq!(lines.lines().count(), 6, "{lines}");
        let lines = list("vec![", &items("1000000", 12), "]");
        assert_eq!(lines.lines().count(), 4, "{lines}");
    }
}
