//! Finds the data that stored objects lose if the versions of a kind have different schemas.
//!
//! The API server stores objects in one version. Without a conversion webhook, the server converts an object by
//! changing only `apiVersion`. The next write, through any version, drops the fields that the schema of the storage
//! version does not have.

use serde_json::{Map, Value};

/// The annotation of a CRD whose author accepts the loss of fields that the storage version does not have. The value of
/// the annotation is the reason.
pub const STORAGE_LOSS: &str = "opctl.dev/storage-loss";

/// The data that the stored objects of a CRD would lose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageLoss {
    /// The version in which the objects are stored now.
    pub from: String,
    /// The version in which the objects would be stored with the new CRD. Equals `from` if the storage version stays
    /// the same, but its schema loses a field that other versions still have.
    pub to: String,
    /// The fields that objects would lose; never empty.
    pub fields: Vec<FieldDifference>,
}

impl StorageLoss {
    /// Returns a sentence that names the versions and the fields.
    pub fn reason(&self) -> String {
        let StorageLoss { from, to, .. } = self;
        let fields: Vec<String> = self.fields.iter().map(|field| field.loss_description(from, to)).collect();
        let fields = fields.join(", ");
        if from == to {
            format!(
                "objects are stored as {to}, and would lose data in fields that another version still has: {fields}"
            )
        } else {
            format!(
                "objects are stored as {from}, and their next write would store them as {to} and lose data: {fields}"
            )
        }
    }
}

/// Returns the data that objects stored with the CRD `old` would lose when they are stored with the CRD `new`; `None`
/// if no data is lost, a webhook converts the objects, or `new` has the annotation [`STORAGE_LOSS`].
pub fn storage_loss(old: &Value, new: &Value) -> Option<StorageLoss> {
    let converted = new.pointer("/spec/conversion/strategy").is_some_and(|strategy| strategy == "Webhook");
    if converted || new["metadata"]["annotations"].get(STORAGE_LOSS).is_some() {
        return None;
    }
    let (from, to) = (stored_version(old)?, stored_version(new)?);
    let after = schema(new, to)?;
    let lost = |before: &Value| field_differences(before, after).into_iter().filter(FieldDifference::loses);
    let mut fields: Vec<FieldDifference> = lost(schema(old, from)?).collect();
    if from == to {
        let kept: Vec<FieldDifference> =
            versions(new).filter(|other| *other != to).filter_map(|other| schema(new, other)).flat_map(lost).collect();
        fields.retain(|field| kept.iter().any(|other| other.path() == field.path()));
    } else if let Some(before) = schema(new, from) {
        fields.extend(lost(before));
    }
    fields.sort_by(|one, other| one.path().cmp(other.path()));
    fields.dedup_by(|one, other| one.path() == other.path());
    (!fields.is_empty()).then(|| StorageLoss { from: from.to_owned(), to: to.to_owned(), fields })
}

/// Returns the name of a CRD's storage version.
pub fn stored_version(definition: &Value) -> Option<&str> {
    let mut versions = definition.pointer("/spec/versions")?.as_array()?.iter();
    versions.find(|version| version["storage"] == true)?["name"].as_str()
}

/// Returns the fields that exist only in the storage version of a CRD or only in another served version. Each pair has
/// the name of the version with the field, and the path of the field. Without a conversion, the API server drops these
/// fields.
pub fn unshared_fields(definition: &Value) -> Vec<(String, String)> {
    let served = definition.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
    let served = served.filter(|version| version["served"] == true).filter_map(|version| version["name"].as_str());
    let Some((stored, own)) = stored_version(definition).and_then(|name| Some((name, schema(definition, name)?)))
    else {
        return Vec::new();
    };
    let others = served.filter(|other| *other != stored).filter_map(|other| Some((other, schema(definition, other)?)));
    let fields = others.flat_map(|(other, other_schema)| {
        field_differences(own, other_schema).into_iter().map(move |difference| {
            let has =
                if matches!(difference, FieldDifference::Missing { in_other: true, .. }) { stored } else { other };
            (has.to_owned(), difference.path().to_owned())
        })
    });
    fields.collect()
}

/// Returns the versions that `status.storedVersions` of the CRD `old` lists, but that the CRD `new` does not have.
pub fn removed_stored_versions(old: &Value, new: &Value) -> Vec<String> {
    let stored = old.pointer("/status/storedVersions").and_then(Value::as_array).into_iter().flatten();
    let removed = stored.filter_map(Value::as_str).filter(|stored| !versions(new).any(|version| version == *stored));
    removed.map(str::to_owned).collect()
}

fn versions(definition: &Value) -> impl Iterator<Item = &str> {
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    versions.into_iter().flatten().filter_map(|version| version["name"].as_str())
}

fn schema<'a>(definition: &'a Value, name: &str) -> Option<&'a Value> {
    let mut versions = definition.pointer("/spec/versions")?.as_array()?.iter();
    versions.find(|version| version["name"] == name)?.pointer("/schema/openAPIV3Schema")
}

/// A difference between two schemas, at the path of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldDifference {
    /// Only one of the schemas has the field.
    Missing {
        /// The path of the field.
        path: String,
        /// True if the field is missing in the second of the two compared schemas; false if the field is missing in the
        /// first one.
        in_other: bool,
    },
    /// Both schemas have the field, with different types.
    Unlike {
        /// The path of the field.
        path: String,
        /// The field's type in the first of the two compared schemas.
        one: String,
        /// The field's type in the second of the two compared schemas.
        other: String,
    },
}

impl FieldDifference {
    /// Returns the path of the field.
    pub fn path(&self) -> &str {
        match self {
            FieldDifference::Missing { path, .. } | FieldDifference::Unlike { path, .. } => path,
        }
    }

    /// Returns true if an object of the first schema can lose the field's data under the second schema, because the
    /// second schema lacks the field or does not accept its type.
    fn loses(&self) -> bool {
        match self {
            FieldDifference::Missing { in_other, .. } => *in_other,
            FieldDifference::Unlike { one, other, .. } => !match other.as_str() {
                "anything" => true,
                "number" => one == "integer",
                "integer or string" => one == "integer" || one == "string",
                _ => false,
            },
        }
    }

    fn loss_description(&self, from: &str, to: &str) -> String {
        match self {
            FieldDifference::Missing { path, .. } => format!("{to} lacks `{path}`"),
            FieldDifference::Unlike { path, one, other } if from == to => format!("`{path}` is {other}, not {one}"),
            FieldDifference::Unlike { path, one, other } => {
                format!("`{path}` is of the type {other} in {to}, and {one} in {from}")
            }
        }
    }
}

/// Returns the differences between the schemas `one` and `other` of two versions: fields that only one of the
/// schemas has, and fields with different types.
pub fn field_differences(one: &Value, other: &Value) -> Vec<FieldDifference> {
    let mut found = Vec::new();
    compare(one, other, "", &mut found);
    found
}

fn compare(one: &Value, other: &Value, path: &str, found: &mut Vec<FieldDifference>) {
    let (kind, other_kind) = (kind(one), kind(other));
    if kind != other_kind {
        found.push(FieldDifference::Unlike { path: path.to_owned(), one: kind, other: other_kind });
        return;
    }
    let fields = |schema: &Value| schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let (own, others) = (fields(one), fields(other));
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (name, field) in &own {
        match others.get(name) {
            Some(same) => compare(field, same, &below(name), found),
            None if keeps(other) => {}
            None => found.push(FieldDifference::Missing { path: below(name), in_other: true }),
        }
    }
    let only = |fields: &Map<String, Value>| {
        fields.keys().filter(|name| !own.contains_key(*name)).cloned().collect::<Vec<String>>()
    };
    for name in only(&others).into_iter().filter(|_| !keeps(one)) {
        found.push(FieldDifference::Missing { path: below(&name), in_other: false });
    }
    for (key, mark) in [("items", "[]"), ("additionalProperties", "{}")] {
        if let (Some(one), Some(other)) = (one.get(key), other.get(key)) {
            compare(one, other, &format!("{path}{mark}"), found);
        }
    }
}

/// Returns the name of a schema's type, for messages.
fn kind(schema: &Value) -> String {
    if schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) {
        return "integer or string".to_owned();
    }
    match schema.get("type").and_then(Value::as_str) {
        None => "anything".to_owned(),
        Some("object") if schema.get("additionalProperties").is_some_and(Value::is_object) => "map".to_owned(),
        Some(kind) => kind.to_owned(),
    }
}

fn keeps(schema: &Value) -> bool {
    schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true))
}

#[cfg(test)]
mod tests {
    use super::{FieldDifference, field_differences, storage_loss};
    use serde_json::{Value, json};

    fn said(one: &Value, other: &Value) -> Vec<String> {
        let found = field_differences(one, other);
        let text = |one: &FieldDifference| match one {
            FieldDifference::Missing { path, in_other: true } => format!("- {path}"),
            FieldDifference::Missing { path, in_other: false } => format!("+ {path}"),
            FieldDifference::Unlike { path, one, other } => format!("~ {path}: {one}, {other}"),
        };
        found.iter().map(text).collect()
    }

    #[test]
    fn field_differences_between_versions_are_listed() {
        let object = |fields: Value| json!({"type": "object", "properties": fields});
        let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
        let list = |items: &Value| json!({"type": "array", "items": items});
        let map = |values: &Value| json!({"type": "object", "additionalProperties": values});
        let open = |fields: Value| json!({"type": "object", "properties": fields, "x-kubernetes-preserve-unknown-fields": true});
        for (one, other, expected) in [
            (object(json!({"a": text})), object(json!({"a": text})), vec![]),
            (object(json!({"a": text})), object(json!({"b": text})), vec!["- a", "+ b"]),
            (object(json!({"a": text})), object(json!({"a": number})), vec!["~ a: string, integer"]),
            (object(json!({"a": list(&text)})), object(json!({"a": list(&number)})), vec!["~ a[]: string, integer"]),
            (object(json!({"a": list(&text)})), object(json!({"a": text})), vec!["~ a: array, string"]),
            (map(&object(json!({"a": text}))), map(&object(json!({}))), vec!["- {}.a"]),
            (map(&text), object(json!({"a": text})), vec!["~ : map, object"]),
            (object(json!({"a": text})), open(json!({})), vec![]),
            (open(json!({})), object(json!({"a": text})), vec![]),
            (json!({"x-kubernetes-int-or-string": true}), text.clone(), vec!["~ : integer or string, string"]),
            (json!({"type": "string", "maxLength": 1}), text.clone(), vec![]),
        ] {
            assert_eq!(said(&one, &other), expected, "{one} {other}");
        }
    }

    /// Returns a CRD with these versions and their fields. The first version is the storage version.
    fn definition(versions: &[(&str, Value)]) -> Value {
        let versions: Vec<Value> = versions
            .iter()
            .enumerate()
            .map(|(index, (name, fields))| {
                let spec = json!({"type": "object", "properties": fields});
                let schema = json!({"type": "object", "properties": {"spec": spec}});
                json!({"name": name, "storage": index == 0, "schema": {"openAPIV3Schema": schema}})
            })
            .collect();
        json!({"spec": {"versions": versions}})
    }

    #[test]
    fn data_loss_in_stored_objects_is_reported_unless_it_is_allowed() {
        let (size, both) =
            (json!({"size": {"type": "integer"}}), json!({"size": {"type": "integer"}, "b": {"type": "string"}}));
        let (text, number) = (json!({"size": {"type": "string"}}), json!({"size": {"type": "number"}}));
        let one = |version: &'static str, fields: &Value| definition(&[(version, fields.clone())]);
        let two = |stored: (&'static str, &Value), other: (&'static str, &Value)| {
            definition(&[(stored.0, stored.1.clone()), (other.0, other.1.clone())])
        };
        let old = one("v1alpha1", &both);
        for (new, expected) in [
            (two(("v1", &both), ("v1alpha1", &both)), None),
            (two(("v1alpha1", &both), ("v1", &size)), None),
            (two(("v1", &size), ("v1alpha1", &both)), Some("store them as v1 and lose data: v1 lacks `spec.b`")),
            (one("v1", &size), Some("store them as v1 and lose data: v1 lacks `spec.b`")),
            // The storage version changes, and the same change removes the field from the older version.
            (two(("v1", &size), ("v1alpha1", &size)), Some("v1 lacks `spec.b`")),
            (two(("v1alpha1", &size), ("v1", &both)), Some("that another version still has: v1alpha1 lacks `spec.b`")),
            // Removed from all versions: the loss does not come from the choice of the storage version.
            (two(("v1alpha1", &size), ("v1", &size)), None),
            (one("v1alpha1", &size), None),
            (
                two(("v1", &text), ("v1alpha1", &both)),
                Some("v1 lacks `spec.b`, `spec.size` is of the type string in v1, and integer in v1alpha1"),
            ),
        ] {
            let said = storage_loss(&old, &new).map(|loss| loss.reason());
            let as_expected = match (&said, expected) {
                (Some(said), Some(expected)) => said.ends_with(expected),
                (said, expected) => said.is_none() && expected.is_none(),
            };
            assert!(as_expected, "{said:?} is not {expected:?}");
        }
        assert_eq!(storage_loss(&one("v1alpha1", &size), &one("v1", &number)), None, "a number may be whole");
        // A field that is added to the older version in the same change.
        let lost = storage_loss(&one("v1alpha1", &size), &two(("v1", &size), ("v1alpha1", &both)));
        assert!(lost.is_some_and(|loss| loss.reason().ends_with("v1 lacks `spec.b`")));
        for meant in [
            json!({"metadata": {"annotations": {super::STORAGE_LOSS: "nobody uses it"}}}),
            json!({"spec": {"conversion": {"strategy": "Webhook"}}}),
        ] {
            let mut new = one("v1", &size);
            for (key, value) in meant.as_object().expect("an object") {
                match new[key].as_object_mut() {
                    Some(map) => map.extend(value.as_object().cloned().unwrap_or_default()),
                    None => new[key] = value.clone(),
                }
            }
            assert_eq!(storage_loss(&old, &new), None, "{meant}");
        }
    }
}
