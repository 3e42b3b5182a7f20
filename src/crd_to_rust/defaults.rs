//! Renders the default values of fields as Rust expressions.

use super::literal::{number, text};
use super::shape::Shape;
use serde_json::Value;

/// The maximum width of a list on one line in a function's body.
const LIST_WIDTH: usize = 60;

/// Returns the Rust expression of a default; `None` if the type has no short expression for the default.
pub(super) fn expression(shape: &Shape, value: &Value) -> Option<String> {
    match (shape, value) {
        (Shape::Text, Value::String(value)) if value.is_empty() => Some("String::new()".to_owned()),
        (Shape::Text, Value::String(value)) => Some(format!("{}.into()", text(value))),
        (Shape::Boolean, Value::Bool(value)) => Some(value.to_string()),
        (Shape::Integer, Value::Number(value)) => value.as_i64().map(|value| value.to_string()),
        (Shape::Float, Value::Number(_)) => number(value, true),
        (Shape::Enum { name, variants }, Value::String(word)) => {
            let (_, variant) = variants.iter().find(|(of, _)| of == word)?;
            Some(format!("{name}::{variant}"))
        }
        (Shape::Quantity(name), Value::String(value)) => Some(format!("{name}({}.into())", text(value))),
        (Shape::Quantity(name), Value::Number(value)) => Some(format!("{name}(\"{value}\".into())")),
        (Shape::IntOrString(name), Value::String(value)) => Some(format!("{name}::String({}.into())", text(value))),
        (Shape::IntOrString(name), Value::Number(value)) => value.as_i64().map(|value| format!("{name}::Int({value})")),
        (Shape::List(_), Value::Array(items)) if items.is_empty() => Some("Vec::new()".to_owned()),
        (Shape::List(item), Value::Array(items)) => {
            let items: Option<Vec<String>> = items.iter().map(|value| expression(item, value)).collect();
            Some(list("vec![", &items?, "]"))
        }
        (Shape::Map(_), Value::Object(values)) if values.is_empty() => Some("BTreeMap::new()".to_owned()),
        (Shape::Map(of), Value::Object(values)) => {
            let pair =
                |(key, value): (&String, &Value)| Some(format!("({}.into(), {})", text(key), expression(of, value)?));
            let pairs: Option<Vec<String>> = values.iter().map(pair).collect();
            Some(list("BTreeMap::from([", &pairs?, "])"))
        }
        _ => None,
    }
}

fn list(open: &str, items: &[String], close: &str) -> String {
    let line = items.join(", ");
    if line.len() <= LIST_WIDTH {
        return format!("{open}{line}{close}");
    }
    format!("{open}\n        {},\n    {close}", items.join(",\n        "))
}
