//! Compares two CRDs of one kind, keyword by keyword.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A keyword that differs between two CRDs.
#[derive(Clone, Debug, PartialEq)]
pub struct KeywordDifference {
    /// The API version in which the keyword differs; empty for a keyword that all versions share.
    pub version: String,
    /// The field, such as `spec.ports[].name`; empty for a keyword of the version or of the CRD itself.
    pub path: String,
    /// The keyword; `field` if one of the two CRDs lacks the whole field.
    pub keyword: String,
    /// The value in the old CRD; `None` if the old CRD does not set the keyword.
    pub before: Option<Value>,
    /// The value in the new CRD; `None` if the new CRD does not set the keyword.
    pub after: Option<Value>,
}

/// The fields that are the same for every kind and are not compared.
const EVERYWHERE: [&str; 3] = ["apiVersion", "kind", "metadata"];

impl KeywordDifference {
    /// Returns the difference as a line of text for users.
    pub fn line(&self) -> String {
        let place = match (self.version.as_str(), self.path.as_str()) {
            ("", _) => String::new(),
            (version, "") => format!("{version}: "),
            (version, path) => format!("{version} `{path}`: "),
        };
        let keyword = &self.keyword;
        let text = match (&self.before, &self.after) {
            (Some(_), None) if keyword == "field" => "the field is gone".to_owned(),
            (None, Some(_)) if keyword == "field" => "the field is new".to_owned(),
            (Some(before), Some(after)) => format!("`{keyword}` was {}, and is {}", short(before), short(after)),
            (Some(before), None) => format!("`{keyword}` was {}, and is no longer set", short(before)),
            (None, Some(after)) => format!("`{keyword}` is {}, and was not set", short(after)),
            (None, None) => format!("`{keyword}`"),
        };
        format!("{place}{text}{}", self.reason().map(|reason| format!(": {reason}")).unwrap_or_default())
    }

    /// Returns the reason for the difference, if opctl expects the difference in every CRD that is generated from Rust
    /// types, such as the format `int64` of an `i64`; `None` for any other difference.
    pub fn reason(&self) -> Option<&'static str> {
        let is_format = self.keyword == "format" && self.before.is_none();
        match self.keyword.as_str() {
            "format" if is_format && self.after == Some(json!("int64")) => Some("a Rust `i64` has this format"),
            "format" if is_format && self.after == Some(json!("double")) => Some("a Rust `f64` has this format"),
            "required" if self.path.is_empty() => Some("kube's types always have a spec"),
            "default" if self.path == "spec" && self.before.is_none() => Some("it applies to objects without a spec"),
            "conversion" => Some("`opctl create webhook --conversion` writes it"),
            _ => None,
        }
    }

    /// Returns the difference as JSON.
    pub fn to_json(&self) -> Value {
        let mut fields = Map::new();
        for (name, text) in [("version", &self.version), ("path", &self.path), ("keyword", &self.keyword)] {
            if !text.is_empty() {
                fields.insert(name.to_owned(), text.as_str().into());
            }
        }
        for (name, value) in [("before", &self.before), ("after", &self.after)] {
            fields.extend(value.clone().map(|value| (name.to_owned(), value)));
        }
        Value::Object(fields)
    }
}

/// The maximum number of characters of a value in a line; a longer value is cut.
const SHOWN: usize = 60;

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHOWN {
        return format!("`{text}`");
    }
    format!("`{}…`", text.chars().take(SHOWN).collect::<String>())
}

/// Returns the differences between two CRDs. Line breaks in descriptions count as spaces, numbers are compared by
/// value, and the order of `required` does not matter.
pub fn keyword_differences(old: &Value, new: &Value) -> Vec<KeywordDifference> {
    let mut found = VersionDifferences { version: String::new(), differences: Vec::new() };
    let of = |definition: &Value, key: &str| definition["spec"].get(key).cloned();
    for key in ["scope", "conversion"] {
        let plain = |value: Option<Value>| value.filter(|value| value["strategy"] != "None");
        found.keyword("", key, plain(of(old, key)).as_ref(), plain(of(new, key)).as_ref());
    }
    let names = |definition: &Value| definition["spec"]["names"].clone();
    let usual = |key: &str, definition: &Value| {
        let kind = definition["spec"]["names"]["kind"].as_str().unwrap_or_default();
        match key {
            "listKind" => Some(json!(format!("{kind}List"))),
            "singular" => Some(json!(kind.to_ascii_lowercase())),
            _ => None,
        }
    };
    for key in ["plural", "singular", "kind", "listKind", "shortNames", "categories"] {
        let (before, after) = (names(old).get(key).cloned(), names(new).get(key).cloned());
        found.keyword("", key, before.or_else(|| usual(key, old)).as_ref(), after.or_else(|| usual(key, new)).as_ref());
    }
    let versions = |definition: &Value| definition["spec"]["versions"].as_array().cloned().unwrap_or_default();
    for before in versions(old) {
        let after = versions(new).into_iter().find(|after| after["name"] == before["name"]);
        before["name"].as_str().unwrap_or_default().clone_into(&mut found.version);
        found.version(&before, &after.unwrap_or_default());
    }
    found.differences
}

struct VersionDifferences {
    version: String,
    differences: Vec<KeywordDifference>,
}

impl VersionDifferences {
    fn keyword(&mut self, path: &str, keyword: &str, before: Option<&Value>, after: Option<&Value>) {
        let same = |value: Option<&Value>| value.map(|value| normal(keyword, value)).filter(|value| !value.is_null());
        if same(before) == same(after) {
            return;
        }
        self.differences.push(KeywordDifference {
            version: self.version.clone(),
            path: path.to_owned(),
            keyword: keyword.to_owned(),
            before: before.cloned(),
            after: after.cloned(),
        });
    }

    fn version(&mut self, before: &Value, after: &Value) {
        let keys =
            ["served", "storage", "deprecated", "deprecationWarning", "additionalPrinterColumns", "subresources"];
        for key in keys.into_iter().chain(["selectableFields"]) {
            self.keyword("", key, before.get(key), after.get(key));
        }
        let schema = |version: &Value| version["schema"]["openAPIV3Schema"].clone();
        self.node("", &schema(before), &schema(after));
    }

    fn node(&mut self, path: &str, before: &Value, after: &Value) {
        let keys: BTreeSet<&String> =
            [before, after].into_iter().filter_map(Value::as_object).flat_map(Map::keys).collect();
        for key in keys {
            let (one, other) = (before.get(key), after.get(key));
            match key.as_str() {
                "properties" => self.fields(path, one, other),
                "items" | "additionalProperties"
                    if one.is_some_and(Value::is_object) && other.is_some_and(Value::is_object) =>
                {
                    let mark = if key == "items" { "[]" } else { "{}" };
                    self.node(&format!("{path}{mark}"), one.unwrap_or(&Value::Null), other.unwrap_or(&Value::Null));
                }
                // An int-or-string implies this `anyOf`.
                "anyOf"
                    if before["x-kubernetes-int-or-string"] == true && after["x-kubernetes-int-or-string"] == true => {}
                _ => self.keyword(path, key, one, other),
            }
        }
    }

    fn fields(&mut self, path: &str, before: Option<&Value>, after: Option<&Value>) {
        let empty = Map::new();
        let fields =
            |value: Option<&'_ Value>| value.and_then(Value::as_object).cloned().unwrap_or_else(|| empty.clone());
        let (before, after) = (fields(before), fields(after));
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in names {
            if path.is_empty() && EVERYWHERE.contains(&name.as_str()) {
                continue;
            }
            let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            match (before.get(name), after.get(name)) {
                (Some(one), Some(other)) => self.node(&below, one, other),
                (one, other) => self.keyword(&below, "field", one, other),
            }
        }
    }
}

/// Returns the value of `keyword` in a form for comparisons. Sorts the items of `required`, replaces each run of white
/// space in texts by one space, and returns `null` for a value that equals the keyword's default.
fn normal(keyword: &str, value: &Value) -> Value {
    match (keyword, value) {
        (_, Value::Array(items)) if keyword == "required" => {
            let mut items = items.clone();
            items.sort_by_key(ToString::to_string);
            items.into()
        }
        (
            "x-kubernetes-preserve-unknown-fields"
            | "nullable"
            | "deprecated"
            | "exclusiveMinimum"
            | "exclusiveMaximum",
            value,
        ) if *value == false => Value::Null,
        ("shortNames" | "categories" | "additionalPrinterColumns" | "selectableFields", Value::Array(items))
            if items.is_empty() =>
        {
            Value::Null
        }
        ("priority", value) if *value == 0 => Value::Null,
        (_, Value::String(text)) => text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
        (_, Value::Number(number)) => number.as_f64().map_or_else(|| value.clone(), |number| json!(number)),
        (_, Value::Array(items)) => items.iter().map(|item| normal("", item)).collect(),
        (_, Value::Object(map)) => {
            let kept = map.iter().map(|(key, value)| (key.clone(), normal(key, value)));
            Value::Object(kept.filter(|(_, value)| !value.is_null()).collect())
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(spec: &Value) -> Value {
        let schema = json!({"type": "object", "properties": {"kind": {"type": "string"}, "spec": spec}});
        let version = json!({"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}});
        json!({"spec": {"scope": "Namespaced", "names": {"kind": "Foo", "plural": "foos"}, "versions": [version]}})
    }

    #[test]
    fn each_keyword_is_a_line() {
        let old = definition(&json!({
            "description": "One\nline.", "required": ["b", "a"],
            "properties": {
                "a": {"type": "integer", "maximum": 3.0}, "b": {"type": "string"},
                "list": {"type": "array", "items": {"type": "string", "maxLength": 3}}, "gone": {"type": "string"},
            },
        }));
        let new = definition(&json!({
            "description": "One line.", "required": ["a", "b"],
            "properties": {
                "a": {"type": "integer", "format": "int64", "maximum": 3}, "b": {"type": "string", "nullable": false},
                "list": {"type": "array", "items": {"type": "string", "maxLength": 4}},
            },
        }));
        let lines: Vec<String> = keyword_differences(&old, &new).iter().map(KeywordDifference::line).collect();
        assert_eq!(
            lines,
            [
                "v1 `spec.a`: `format` is `\"int64\"`, and was not set: a Rust `i64` has this format",
                "v1 `spec.gone`: the field is gone",
                "v1 `spec.list[]`: `maxLength` was `3`, and is `4`",
            ]
        );
        assert_eq!(keyword_differences(&old, &old), []);
    }
}
