//! Renders the fields of a spec as Rust code.

use super::layout::{fill_lines, literal};
use crate::model::{Bounds, Cardinality, FIELD_PLACEHOLDER, Field, Member, Object, Scalar, Shape, tree, variant_name};
use serde::Serialize;
use serde_json::Value;

/// The maximum width of a list that rustfmt leaves on one line. In a wider list, rustfmt puts several items on a line
/// only if no item is longer than [`SHORT_ITEM`].
const LIST_WIDTH: usize = 60;
const SHORT_ITEM: usize = 10;

/// The template values of a field.
#[derive(Clone, Serialize)]
pub(super) struct FieldValues {
    /// The path of the field: the names of the objects that contain the field and the field's name, separated by dots.
    path: String,
    /// The comment lines above the field.
    comment: Vec<String>,
    rust_name: String,
    rust_type: String,
    attributes: Vec<String>,
    default_function: String,
    /// The body of the function that returns the default; empty without a default.
    default: String,
    /// The comment line above the function that returns the default; empty without a comment.
    default_comment: &'static str,
    enumeration: Option<Enumeration>,
}

/// The template values of the struct for an object.
#[derive(Clone, Serialize)]
pub(super) struct ObjectValues {
    name: String,
    path: String,
    /// The words before the object's path in the struct's doc comment, such as `An item of`.
    about: &'static str,
    fields: Vec<FieldValues>,
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
    pub(super) fn of(member: &Member, kind: &str) -> Self {
        let type_name = member.type_name(kind).unwrap_or_default();
        let (collection, rust_type) = match member {
            Member::Value(field) => match &field.shape {
                Shape::One(scalar) => ("", rust_type(scalar, &type_name)),
                Shape::List(scalar, _) => ("Vec", format!("Vec<{}>", rust_type(scalar, &type_name))),
                Shape::Map => ("BTreeMap", "BTreeMap<String, String>".to_owned()),
            },
            Member::Object(object) => match object.cardinality() {
                Cardinality::One => ("", type_name.clone()),
                Cardinality::List(_) => ("Vec", format!("Vec<{type_name}>")),
                Cardinality::Map => ("BTreeMap", format!("BTreeMap<String, {type_name}>")),
            },
        };
        let wrapped =
            if member.is_optional() && collection.is_empty() { format!("Option<{rust_type}>") } else { rust_type };
        FieldValues {
            attributes: attributes(member, collection),
            default_function: member.default_function(),
            default: match member {
                Member::Value(field) => {
                    let value = field.default.as_ref();
                    value.map_or_else(String::new, |value| expression(&field.shape, value, &type_name))
                }
                Member::Object(object) if member.has_default() => default_object(object, &type_name),
                Member::Object(_) => String::new(),
            },
            enumeration: match member {
                Member::Value(field) => enumeration(&field.shape, type_name),
                Member::Object(_) => None,
            },
            // No doc comment: it would be the description that users of the operator read.
            comment: vec![format!(
                "// {FIELD_PLACEHOLDER}{}` means, as `///`: `kubectl explain` shows it.",
                member.path()
            )],
            default_comment: "",
            path: member.path(),
            rust_name: member.rust_name().to_owned(),
            rust_type: wrapped,
        }
    }

    /// Returns the example field of a kind that was created without fields.
    pub(super) fn example() -> Option<Self> {
        let field = Field::parse("message:string(1..=100)=Hello, world!").ok()?;
        let member = tree(&[field]).into_iter().next()?;
        Some(FieldValues {
            comment: vec![
                "/// The text that the Ready condition repeats.".to_owned(),
                "// An example: replace it with fields of your own.".to_owned(),
            ],
            default_comment: "// Also the default in the CRD: what the API server fills in and what Rust does are the same.\n",
            ..FieldValues::of(&member, "")
        })
    }
}

/// Returns the structs of all objects among the members; a struct comes before the structs of its nested objects.
pub(super) fn objects(members: &[Member], kind: &str) -> Vec<ObjectValues> {
    let mut all = Vec::new();
    for member in members {
        let Member::Object(object) = member else { continue };
        all.push(ObjectValues {
            name: object.type_name(kind),
            path: member.path(),
            about: match object.cardinality() {
                Cardinality::One => "The fields of",
                Cardinality::List(_) => "An item of",
                Cardinality::Map => "A value of",
            },
            fields: object.members.iter().map(|member| FieldValues::of(member, kind)).collect(),
        });
        all.extend(objects(&object.members, kind));
    }
    all
}

/// Renders an object in which all fields are missing and so have their defaults.
fn default_object(object: &Object, type_name: &str) -> String {
    let fields = object.members.iter().map(|member| {
        let value = match member {
            member if member.has_default() => format!("{}()", member.default_function()),
            Member::Value(field) => {
                missing_value(matches!(field.shape, Shape::One(_)), field.shape == Shape::Map).to_owned()
            }
            Member::Object(object) => {
                missing_value(*object.cardinality() == Cardinality::One, *object.cardinality() == Cardinality::Map)
                    .to_owned()
            }
        };
        format!("{}: {value}", member.rust_name())
    });
    format!("{type_name} {}", literal(&fields.collect::<Vec<_>>(), "    "))
}

/// Renders the Rust value of a missing optional field: `None` if `is_one` is true, because the field has a single
/// value; otherwise an empty map if `is_map` is true, or else an empty list.
fn missing_value(is_one: bool, is_map: bool) -> &'static str {
    match (is_one, is_map) {
        (true, _) => "None",
        (false, true) => "BTreeMap::new()",
        (false, false) => "Vec::new()",
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

/// Returns the paths to import for the Rust types of fields.
pub(super) fn imports(fields: &[Field]) -> Vec<&'static str> {
    let is_map = |field: &Field| {
        field.shape == Shape::Map || field.parents.iter().any(|parent| parent.holds == Cardinality::Map)
    };
    let is_quantity =
        |field: &Field| matches!(&field.shape, Shape::One(Scalar::Quantity) | Shape::List(Scalar::Quantity, _));
    let quantity = fields.iter().any(is_quantity).then_some("k8s_openapi::apimachinery::pkg::api::resource");
    let map = fields.iter().any(is_map).then_some("std::collections::BTreeMap");
    quantity.into_iter().chain(map).collect()
}

/// Returns the name that serde's `rename_all = "camelCase"` derives from a name in snake case.
pub fn renamed_by_serde(rust_name: &str) -> String {
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

fn attributes(member: &Member, collection: &str) -> Vec<String> {
    let mut attributes = Vec::new();
    if renamed_by_serde(member.rust_name()) != member.name() {
        attributes.push(format!("#[serde(rename = \"{}\")]", member.name()));
    }
    if member.has_default() {
        attributes.push(format!("#[serde(default = \"{}\")]", member.default_function()));
    } else if member.is_optional() {
        let empty =
            if collection.is_empty() { "Option::is_none".to_owned() } else { format!("{collection}::is_empty") };
        attributes.push(format!("#[serde(default, skip_serializing_if = \"{empty}\")]"));
    }
    let (own, inner) = match member {
        Member::Value(Field { shape: Shape::One(scalar), .. }) => (limits(scalar), None),
        Member::Value(Field { shape: Shape::List(scalar, bounds), .. }) => (limit("length", bounds), limits(scalar)),
        Member::Value(Field { shape: Shape::Map, .. }) => (None, None),
        Member::Object(object) => match object.cardinality() {
            Cardinality::List(bounds) => (limit("length", bounds), None),
            Cardinality::One | Cardinality::Map => (None, None),
        },
    };
    attributes.extend(own.map(|limit| format!("#[schemars({limit})]")));
    attributes.extend(inner.map(|limit| format!("#[schemars(inner({limit}))]")));
    attributes
}

fn limits(scalar: &Scalar) -> Option<String> {
    match scalar {
        Scalar::String(bounds) => limit("length", bounds),
        Scalar::Integer { bounds: Bounds { min, max }, wide: true } => {
            limit("range", &Bounds { min: min.as_ref().map(integer_literal), max: max.as_ref().map(integer_literal) })
        }
        Scalar::Integer { bounds, .. } | Scalar::Number(bounds) => limit("range", bounds),
        Scalar::Boolean | Scalar::Quantity | Scalar::Duration | Scalar::Enum(_) => None,
    }
}

/// Returns the number as a Rust literal, with a suffix if the number does not fit into an `i32`.
fn integer_literal(number: &String) -> String {
    if number.parse::<i32>().is_ok() { number.clone() } else { format!("{number}_i64") }
}

fn limit(what: &str, bounds: &Bounds) -> Option<String> {
    let one = |name: &str, bound: &Option<String>| bound.as_ref().map(|bound| format!("{name} = {bound}"));
    let limits: Vec<String> = one("min", &bounds.min).into_iter().chain(one("max", &bounds.max)).collect();
    (!bounds.is_empty()).then(|| format!("{what}({})", limits.join(", ")))
}

fn expression(shape: &Shape, value: &Value, enum_name: &str) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match shape {
        Shape::One(scalar) => scalar_expression(scalar, value, enum_name),
        Shape::List(scalar, _) => {
            let items: Vec<String> =
                value.as_array().into_iter().flatten().map(|item| scalar_expression(scalar, item, enum_name)).collect();
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

fn scalar_expression(scalar: &Scalar, value: &Value, enum_name: &str) -> String {
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

/// Renders a list within a function's body, laid out as by rustfmt.
fn list(open: &str, items: &[String], close: &str) -> String {
    let line = items.join(", ");
    if line.len() <= LIST_WIDTH {
        return format!("{open}{line}{close}");
    }
    if items.iter().all(|item| item.len() <= SHORT_ITEM) {
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        return format!("{open}\n{}    {close}", fill_lines(&items, "        "));
    }
    format!("{open}\n        {},\n    {close}", items.join(",\n        "))
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
    fn bounds_have_the_type_that_their_field_has() {
        for (field, expected) in [
            ("a:int64(0..=5000000000)", "#[schemars(range(min = 0, max = 5000000000_i64))]"),
            ("a:integer(-5..)", "#[schemars(range(min = -5))]"),
            ("a:[int64(-5000000000..)]", "#[schemars(inner(range(min = -5000000000_i64)))]"),
            ("b[](2..).a:string", "#[schemars(length(min = 2))]"),
        ] {
            let members = crate::model::tree(&[Field::parse(field).unwrap()]);
            assert_eq!(attributes(&members[0], "Vec"), [expected], "{field}");
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
