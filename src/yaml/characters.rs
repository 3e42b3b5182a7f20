//! Characters that a manifest must not contain, because kustomize and kubectl refuse or change them.
//!
//! YAML can represent every character in double quotes. However, kustomize and kubectl convert the parsed YAML to
//! JSON and parse this JSON as YAML, which forbids some characters without an escape. They then refuse the whole
//! file, without the name of the field, or turn the character U+0085 into a blank.

use serde_json::Value;

/// Returns true for a character that kustomize refuses or changes. JSON allows the character without an escape, but
/// YAML 1.1 forbids the character (`c-printable`) or treats it as a line break.
pub(crate) fn is_refused(one: char) -> bool {
    matches!(one, '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
}

/// Searches the strings and keys in `value` for a character that kustomize refuses or changes. Returns the first such
/// character, or `None` if `value` contains none.
pub(crate) fn refused_character(value: &Value) -> Option<char> {
    let in_text = |text: &str| text.chars().find(|one| is_refused(*one));
    match value {
        Value::String(text) => in_text(text),
        Value::Array(items) => items.iter().find_map(refused_character),
        Value::Object(map) => map.iter().find_map(|(key, value)| in_text(key).or_else(|| refused_character(value))),
        _ => None,
    }
}

/// Returns the code point of the character, such as `U+007F`.
pub(crate) fn code_point(one: char) -> String {
    format!("U+{:04X}", u32::from(one))
}

#[cfg(test)]
mod tests {
    use super::{code_point, is_refused, refused_character};
    use serde_json::json;

    #[test]
    fn refused_characters_are_found_at_any_depth() {
        for value in
            [json!("a\u{7f}"), json!(["a", "\u{80}"]), json!({ "a": { "\u{9f}": 1 } }), json!([{ "a": "\u{ffff}" }])]
        {
            assert!(refused_character(&value).is_some(), "{value}");
        }
        for one in ['\0', '\t', '\r', '\u{1b}', '~', '\u{a0}', '\u{2028}', '\u{feff}', '\u{fffd}', '\u{10ffff}'] {
            assert!(!is_refused(one), "{}", code_point(one));
        }
        assert_eq!(refused_character(&json!("a\u{7f}")).map(code_point).as_deref(), Some("U+007F"));
    }
}
