//! The file with the sample of a version.

use super::{root, sample};
use crate::model::Resource;
use crate::scaffold::LONGEST_COMMENT;
use crate::yaml;
use serde_json::{Map, Value, json};

const INDENTATION: &str = "  ";

/// Renders the file with the sample of a version. The sample is `object` if given, or else an object with the required
/// fields and the fields with a default.
///
/// Without `object`, all other fields are rendered as comments, because such a field may refer to something that does
/// not exist, such as another object, and then the sample would not become ready.
pub(super) fn text(
    resource: &Resource,
    group: &str,
    (schema, fields): (&Value, &Value),
    object: Option<&Value>,
) -> String {
    let no_spec = resource.has_no_spec();
    let (kind, version) = (&resource.key.kind, &resource.key.version);
    // Samples of all versions are applied together, so each has a name of its own.
    let suffix = if resource.storage { String::new() } else { format!("-{version}") };
    let usual = format!("{}-sample{suffix}", kind.singular());
    let given = object.and_then(|object| object["metadata"]["name"].as_str());
    // Some kinds have one object, of a name that the schema knows.
    let only = schema["properties"]["metadata"]["properties"]["name"]["enum"][0].as_str();
    let name = given.filter(|_| resource.storage).or(only).map_or(usual, str::to_owned);
    let mut sample = json!({
        "apiVersion": format!("{group}/{version}"), "kind": kind.as_str(), "metadata": {"name": name},
    });
    if let Some(values) = object.and_then(|object| root::values(object, no_spec)) {
        match sample.as_object_mut().filter(|_| no_spec) {
            Some(sample) => sample.extend(values),
            None => sample["spec"] = Value::Object(values),
        }
        return document(&sample);
    }
    let (live, optional) = (sample::live_values(fields), sample::optional_values(schema, fields));
    if no_spec {
        return document(&sample) + &lines_of(fields, &live, &optional, "");
    }
    let mut text = document(&sample) + if live.is_empty() { "spec: {}\n" } else { "spec:\n" };
    if live.is_empty() && !optional.is_empty() {
        text.push_str(&format!("{INDENTATION}# Any of these, in the place of `{{}}`:\n"));
    }
    text + &lines_of(fields, &live, &optional, INDENTATION)
}

/// Renders the fields in the order of their schema, with the optional fields as comments.
fn lines_of(fields: &Value, live: &Map<String, Value>, optional: &Map<String, Value>, indentation: &str) -> String {
    let mut text = String::new();
    let described = fields["properties"].as_object();
    let is_described = |name: &String| described.is_some_and(|fields| fields.contains_key(name));
    let others = live.keys().filter(|name| !is_described(name));
    for name in described.into_iter().flatten().map(|(name, _)| name).chain(others) {
        if let Some(value) = live.get(name) {
            text.extend(lines(name, value).map(|line| format!("{indentation}{line}\n")));
        } else if let Some(value) = optional.get(name) {
            let before = text.lines().rev().take_while(|line| line.trim_start().starts_with('#')).count();
            if before + lines(name, value).count() <= LONGEST_COMMENT {
                text.extend(lines(name, value).map(|line| format!("{indentation}# {line}\n")));
            }
        }
    }
    text
}

fn lines(name: &str, value: &Value) -> impl Iterator<Item = String> {
    let field: Map<String, Value> = [(name.to_owned(), value.clone())].into_iter().collect();
    document(&Value::Object(field)).lines().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

fn document(value: &Value) -> String {
    yaml::document(value).trim_start_matches("---\n").to_owned()
}
