//! A file of a bundle with its parsed content.

use super::field_lines;
use crate::finding::{Finding, Lint};
use serde_json::Value;
use std::path::Path;

/// A YAML file of a bundle.
#[derive(Debug)]
pub(super) struct Manifest {
    /// The path of the file as shown in findings.
    pub(super) file: String,
    /// The text of the file.
    pub(super) text: String,
    /// The first YAML document of the file, without fields that are null.
    pub(super) value: Value,
}

impl Manifest {
    /// Returns a finding about the field at a JSON pointer.
    pub(super) fn finding(
        &self,
        lint: &Lint,
        pointer: &str,
        reason: impl Into<String>,
        hint: impl Into<String>,
    ) -> Finding {
        let line = field_lines::line(&self.text, pointer);
        let mut finding = Finding::new(lint, Path::new(&self.file), line, reason, hint);
        finding.path = Some(path(pointer));
        finding
    }

    /// Returns the kind of the object.
    pub(super) fn kind(&self) -> &str {
        self.text_at("/kind")
    }

    /// Returns the name of the object.
    pub(super) fn name(&self) -> &str {
        self.text_at("/metadata/name")
    }

    /// Returns the string at a JSON pointer, or an empty string if there is no string at the pointer.
    pub(super) fn text_at(&self, pointer: &str) -> &str {
        text(&self.value, pointer)
    }

    /// Returns the elements of the list at a JSON pointer, or an empty slice if there is no list at the pointer.
    pub(super) fn list(&self, pointer: &str) -> &[Value] {
        list(&self.value, pointer)
    }
}

/// Returns the string at a JSON pointer, or an empty string if there is no string at the pointer.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the elements of the list at a JSON pointer, or an empty slice if there is no list at the pointer.
pub(super) fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Returns the strings in the list at a JSON pointer.
pub(super) fn texts<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a str> {
    list(value, pointer).iter().filter_map(Value::as_str)
}

/// Returns the annotations of an object.
pub(super) fn annotations(value: &Value) -> impl Iterator<Item = (&str, &str)> {
    let annotations = value.pointer("/metadata/annotations").and_then(Value::as_object).into_iter().flatten();
    annotations.filter_map(|(name, text)| Some((name.as_str(), text.as_str()?)))
}

/// Removes all fields that are null, because Go treats null fields as absent.
pub(super) fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(without_nulls);
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

/// Returns the field path of a JSON pointer as shown in findings: `.spec.icon[0].mediatype`.
fn path(pointer: &str) -> String {
    let mut path = String::new();
    for segment in pointer.split('/').skip(1) {
        match segment.parse::<usize>() {
            Ok(index) => path.push_str(&format!("[{index}]")),
            Err(_) => path.push_str(&format!(".{}", segment.replace("~1", "/").replace("~0", "~"))),
        }
    }
    if path.is_empty() { ".".to_owned() } else { path }
}
