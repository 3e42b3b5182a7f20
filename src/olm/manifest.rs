//! A file of a bundle with its parsed content.

use super::place;
use crate::finding::{Finding, Lint};
use serde_json::Value;
use std::path::Path;

/// A YAML file of a bundle.
#[derive(Debug)]
pub(super) struct Manifest {
    /// The file as findings name it.
    pub(super) file: String,
    /// The text of the file.
    pub(super) text: String,
    /// Its first document, without fields that are null.
    pub(super) value: Value,
}

impl Manifest {
    /// Makes a finding at the field at a JSON pointer.
    pub(super) fn finding(
        &self,
        lint: &Lint,
        pointer: &str,
        reason: impl Into<String>,
        hint: impl Into<String>,
    ) -> Finding {
        let line = place::line(&self.text, pointer);
        let mut finding = Finding::new(lint, Path::new(&self.file), line, reason, hint);
        finding.path = Some(path(pointer));
        finding
    }

    /// Returns the kind.
    pub(super) fn kind(&self) -> &str {
        self.text_at("/kind")
    }

    /// Returns the name in the metadata.
    pub(super) fn name(&self) -> &str {
        self.text_at("/metadata/name")
    }

    /// Returns the text at a JSON pointer; empty if there is none.
    pub(super) fn text_at(&self, pointer: &str) -> &str {
        text(&self.value, pointer)
    }

    /// Returns the elements of the list at a JSON pointer; none if there is no list.
    pub(super) fn list(&self, pointer: &str) -> &[Value] {
        list(&self.value, pointer)
    }
}

/// Returns the text at a JSON pointer; empty if there is none.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the elements of the list at a JSON pointer; none if there is no list.
pub(super) fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Returns the texts in the list at a JSON pointer.
pub(super) fn texts<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a str> {
    list(value, pointer).iter().filter_map(Value::as_str)
}

/// Returns the annotations of an object.
pub(super) fn annotations(value: &Value) -> impl Iterator<Item = (&str, &str)> {
    let annotations = value.pointer("/metadata/annotations").and_then(Value::as_object).into_iter().flatten();
    annotations.filter_map(|(name, text)| Some((name.as_str(), text.as_str()?)))
}

/// Removes the fields that are null, which Go takes for absent ones.
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

/// Returns the path of a JSON pointer as findings write it: `.spec.icon[0].mediatype`.
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
