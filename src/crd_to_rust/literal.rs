//! Renders texts, JSON values and numbers as Rust expressions.

use crate::scaffold::literal;
use serde_json::Value;

/// Renders a text as a Rust string literal, as a raw literal if the text contains a backslash.
pub(super) fn text(text: &str) -> String {
    let is_plain = |character: char| character != '"' && !character.is_control();
    if text.contains('\\') && text.chars().all(is_plain) { format!("r\"{text}\"") } else { format!("{text:?}") }
}

/// Renders a JSON value as Rust code for `#[schemars(extend(..))]`.
pub(super) fn json(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let fields = map.iter().map(|(name, value)| format!("{}: {}", text(name), json(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::String(value) => text(value),
        other => literal(other),
    }
}

/// Renders a number for a bound in an attribute: as a float literal if `is_float` is true, else as an integer literal.
/// Adds a suffix to an integer that does not fit into an `i32`, the type of a Rust literal without a suffix. Returns
/// `None` if the value is not a number of this type.
pub(super) fn number(value: &Value, is_float: bool) -> Option<String> {
    let number = value.as_number()?;
    if is_float {
        let number = number.as_f64()?;
        return Some(if number.fract() == 0.0 && number.abs() < 1e15 {
            format!("{number:.1}")
        } else {
            format!("{number:?}")
        });
    }
    let number = number.as_i64().or_else(|| {
        let float = number.as_f64()?;
        format!("{float:.0}").parse().ok().filter(|_| float.fract() == 0.0)
    })?;
    Some(if i32::try_from(number).is_ok() { number.to_string() } else { format!("{number}_i64") })
}
