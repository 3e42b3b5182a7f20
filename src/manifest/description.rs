//! Limits the descriptions of a schema: their characters and their length.

use crate::schema::{FieldPath, for_each_child};
use crate::yaml::characters;
use serde_json::Value;

/// Replaces control characters in descriptions by escapes such as `\u{7f}`: kustomize and kubectl refuse YAML with
/// control characters, and their messages do not name the field.
pub(super) fn write_out_controls(schema: &mut Value) {
    let is_refused = |one: char| characters::is_refused(one) || one.is_control() && !['\n', '\t'].contains(&one);
    if let Some(Value::String(text)) = schema.get_mut("description")
        && text.contains(is_refused)
    {
        let shown = |one: char| if is_refused(one) { one.escape_unicode().to_string() } else { one.to_string() };
        *text = text.chars().map(shown).collect();
    }
    for_each_child(schema, &FieldPath::root(), &mut |child, _| write_out_controls(child));
}

/// Shortens every description of a schema to `most` bytes, as controller-gen's `crd:maxDescLen` does (controller-tools
/// `pkg/crd/desc_visitor.go`). Removes all descriptions if `most` is 0.
pub(super) fn shorten(schema: &mut Value, most: usize) {
    let Some(map) = schema.as_object_mut() else { return };
    if most == 0 {
        // A property called `description` has a schema as its value, and lies below `properties`.
        map.remove("description");
    } else if let Some(Value::String(text)) = map.get_mut("description")
        && text.len() > most
    {
        *text = cut(text, most);
    }
    for_each_child(schema, &FieldPath::root(), &mut |child, _| shorten(child, most));
}

/// Cuts the text to `most` bytes. Cuts after the last end of a sentence; if no sentence ends within these bytes, cuts
/// before the last space and adds three dots.
fn cut(text: &str, most: usize) -> String {
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    let text = &text[..end];
    let terminal = |one: char| ['.', '!', '?', '。', '！', '？'].contains(&one);
    if let Some((at, one)) = text.char_indices().rev().find(|(at, one)| *at > 0 && terminal(*one)) {
        return text[..at + one.len_utf8()].to_owned();
    }
    match text.rfind(char::is_whitespace).filter(|at| *at > 0) {
        Some(at) => format!("{}...", &text[..at]),
        None => format!("{text}..."),
    }
}

#[cfg(test)]
mod tests {
    use super::{cut, shorten, write_out_controls};
    use serde_json::json;

    #[test]
    fn descriptions_end_with_a_sentence() {
        for (text, most, expected) in [
            ("One. Two three.", 8, "One."),
            ("One two three.", 9, "One two..."),
            ("Onetwothree", 3, "One..."),
            ("Größe zählt", 4, "Grö..."),
            ("Größe zählt", 3, "Gr..."),
        ] {
            assert_eq!(cut(text, most), expected);
        }
    }

    #[test]
    fn descriptions_have_no_control_characters() {
        let mut schema = json!({"description": "a\u{7f}b\tc\nd", "properties": {
            "description": {"type": "string", "description": "\u{1b}[31m\u{9b}", "default": "\u{7f}"},
        }});
        write_out_controls(&mut schema);
        let expected = json!({"description": "a\\u{7f}b\tc\nd", "properties": {
            "description": {"type": "string", "description": "\\u{1b}[31m\\u{9b}", "default": "\u{7f}"},
        }});
        assert_eq!(schema, expected);
    }

    #[test]
    fn a_property_may_be_called_description() {
        let schema = json!({"description": "Long words.", "type": "object", "properties": {
            "description": {"type": "string", "description": "Short."},
            "list": {"type": "array", "items": {"type": "string", "description": "Item."}},
        }});
        let (mut none, mut six) = (schema.clone(), schema);
        shorten(&mut none, 0);
        let expected = json!({"type": "object", "properties": {
            "description": {"type": "string"}, "list": {"type": "array", "items": {"type": "string"}},
        }});
        assert_eq!(none, expected);
        shorten(&mut six, 6);
        assert_eq!(
            (&six["description"], &six["properties"]["description"]["description"]),
            (&json!("Long..."), &json!("Short."))
        );
    }
}
