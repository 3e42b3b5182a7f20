//! Describes the type of a field in words.

use super::inline_text::{Line, Part};
use super::kubernetes::kubernetes_type;
use super::value::text;
use crate::schema::Step;
use serde_json::Value;

/// The start of the regular expression that apimachinery uses for a Kubernetes quantity.
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)";

/// Returns true if the schema describes a Kubernetes quantity, such as `10Mi`.
pub(super) fn is_quantity(schema: &Value) -> bool {
    is_int_or_string(schema) && text(schema, "pattern").starts_with(QUANTITY)
}

fn is_int_or_string(schema: &Value) -> bool {
    schema["x-kubernetes-int-or-string"] == true
}

/// Returns true if the schema describes an object with named fields.
pub(super) fn has_fields(schema: &Value) -> bool {
    schema.get("properties").and_then(Value::as_object).is_some_and(|properties| !properties.is_empty())
}

/// Returns the schema of the items of a list or of the values of a map, with the path step to the items or values;
/// `None` if `schema` describes neither a list nor a map.
pub(super) fn element(schema: &Value) -> Option<(Step<'static>, &Value)> {
    let values = || schema.get("additionalProperties").filter(|values| values.is_object());
    schema.get("items").map(|items| (Step::Item, items)).or_else(|| Some((Step::Value, values()?)))
}

/// Describes the type of a schema in words. `anchor` is the anchor of the section about the object in the schema, if
/// any.
pub(super) fn field_type(schema: &Value, anchor: Option<&str>) -> Line {
    let mut line = Line::new();
    let mut words = String::new();
    let mut inner = schema;
    while let Some((step, next)) = element(inner) {
        words.push_str(if step == Step::Item { "list of " } else { "map of " });
        inner = next;
    }
    let section = anchor.filter(|_| has_fields(inner)).map(|anchor| Part::section(name(inner), anchor));
    let link = || kubernetes_type(inner).map(|(name, to)| Part::Link { text: name.to_owned(), to });
    match section.or_else(link) {
        Some(part) => {
            line.extend(Some(words).filter(|words| !words.is_empty()).map(Part::Text));
            line.push(part);
        }
        None => line.push(Part::Text(words + &name(inner))),
    }
    line
}

fn name(schema: &Value) -> String {
    if let Some((name, _)) = kubernetes_type(schema) {
        return name.to_owned();
    }
    if is_quantity(schema) {
        return "quantity".to_owned();
    }
    if is_int_or_string(schema) {
        return "integer or string".to_owned();
    }
    if schema["x-kubernetes-embedded-resource"] == true {
        return "Kubernetes object".to_owned();
    }
    let open = schema["x-kubernetes-preserve-unknown-fields"] == true && !has_fields(schema);
    match (text(schema, "type"), text(schema, "format")) {
        ("", _) => "any value".to_owned(),
        ("object", _) if open || schema["additionalProperties"] == true => "object with any fields".to_owned(),
        ("array", _) => "list of any values".to_owned(),
        (name, "") => name.to_owned(),
        (name, format) => format!("{name} ({format})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn types_are_named_as_users_of_yaml_know_them() {
        let object = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        for (schema, expected) in [
            (json!({"type": "integer", "format": "int32"}), vec![Part::text("integer (int32)")]),
            (json!({"type": "array", "items": {"type": "string"}}), vec![Part::text("list of string")]),
            (
                json!({"type": "object", "additionalProperties": {"type": "array", "items": object}}),
                vec![Part::text("map of list of "), Part::section("object", "here")],
            ),
            (object.clone(), vec![Part::section("object", "here")]),
            (json!({"x-kubernetes-int-or-string": true}), vec![Part::text("integer or string")]),
            (
                json!({"x-kubernetes-int-or-string": true, "pattern": format!("{QUANTITY}|x)$")}),
                vec![Part::text("quantity")],
            ),
            (json!({"x-kubernetes-preserve-unknown-fields": true}), vec![Part::text("any value")]),
            (
                json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
                vec![Part::text("object with any fields")],
            ),
        ] {
            assert_eq!(field_type(&schema, Some("here")), expected, "{schema}");
        }
    }
}
