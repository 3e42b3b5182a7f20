//! Objects as the API server sends them, except that each entry of `managedFields` has only its
//! manager and its operation. The paths of the fields that each manager owns are half of the JSON,
//! the runtime never reads them, and parsing them costs more than skipping them.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ManagedFieldsEntry, ObjectMeta};
use kube::Resource;
use kube::api::{ApiResource, DynamicObject};
use kube::core::DynamicResourceScope;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_transcode::transcode;
use std::borrow::Cow;
use std::fmt;

/// An object that the API server has sent: its metadata, and its other fields as JSON text. A tree
/// of JSON values would take ten times the memory, and a page of a list has many objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    pub metadata: ObjectMeta,
    /// The object as JSON, without `apiVersion`, `kind` and `metadata`.
    pub data: Box<str>,
}

impl Observed {
    /// Makes an object that has only metadata, with the manager and the operation of the entries of
    /// `managedFields`.
    pub fn without_data(mut metadata: ObjectMeta) -> Self {
        for entry in metadata.managed_fields.iter_mut().flatten() {
            (entry.fields_v1, entry.time) = (None, None);
        }
        let data = "{}".into();
        Self { metadata, data }
    }

    /// Returns the object as JSON, with `apiVersion` and `kind`, which the items of a list lack.
    pub fn json(&self, kind: &ApiResource) -> serde_json::Result<String> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Head<'a> {
            api_version: &'a str,
            kind: &'a str,
            metadata: &'a ObjectMeta,
        }
        let mut json = serde_json::to_string(&Head {
            api_version: &kind.api_version,
            kind: &kind.kind,
            metadata: &self.metadata,
        })?;
        if &*self.data != "{}" {
            json.replace_range(json.len() - 1.., ",");
            json.push_str(&self.data[1..]);
        }
        Ok(json)
    }

    /// Returns the object as a tree of JSON values.
    pub fn tree(&self, kind: &ApiResource) -> serde_json::Result<Value> {
        let mut tree: Value = serde_json::from_str(&self.data)?;
        tree["apiVersion"] = kind.api_version.clone().into();
        tree["kind"] = kind.kind.clone().into();
        tree["metadata"] = serde_json::to_value(&self.metadata)?;
        Ok(tree)
    }
}

impl<'de> Deserialize<'de> for Observed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Parts)
    }
}

/// A visitor that reads an object as [`Observed`], without a tree of its data.
struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = Observed;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a Kubernetes object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Observed, A::Error> {
        let (mut metadata, mut data) = (ObjectMeta::default(), Vec::new());
        while let Some(key) = map.next_key::<String>()? {
            match &key[..] {
                "apiVersion" | "kind" => drop(map.next_value::<IgnoredAny>()?),
                "metadata" => {
                    let read = map.next_value::<Option<Metadata>>()?;
                    metadata = read.unwrap_or_default().into();
                }
                key => {
                    data.push(if data.is_empty() { b'{' } else { b',' });
                    serde_json::to_writer(&mut data, key).map_err(A::Error::custom)?;
                    data.push(b':');
                    map.next_value_seed(Text(&mut data))?;
                }
            }
        }
        if data.is_empty() {
            return Ok(Observed::without_data(metadata));
        }
        data.push(b'}');
        let data = String::from_utf8(data).map_err(A::Error::custom)?.into();
        Ok(Observed { metadata, data })
    }
}

/// A JSON text to which a value is appended while it is deserialized.
struct Text<'a>(&'a mut Vec<u8>);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let text = &mut serde_json::Serializer::new(self.0);
        transcode(deserializer, text).map_err(D::Error::custom)
    }
}

impl Resource for Observed {
    type DynamicType = ApiResource;
    type Scope = DynamicResourceScope;

    fn kind(kind: &ApiResource) -> Cow<'_, str> {
        DynamicObject::kind(kind)
    }
    fn group(kind: &ApiResource) -> Cow<'_, str> {
        DynamicObject::group(kind)
    }
    fn version(kind: &ApiResource) -> Cow<'_, str> {
        DynamicObject::version(kind)
    }
    fn plural(kind: &ApiResource) -> Cow<'_, str> {
        DynamicObject::plural(kind)
    }
    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }
    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

/// Metadata in which the entries of `managedFields` have only the manager and the operation.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    managed_fields: Option<Vec<Manager>>,
    #[serde(flatten)]
    others: ObjectMeta,
}

#[derive(Deserialize)]
struct Manager {
    manager: Option<String>,
    operation: Option<String>,
}

impl From<Metadata> for ObjectMeta {
    fn from(read: Metadata) -> Self {
        let entry = |of: Manager| ManagedFieldsEntry {
            manager: of.manager,
            operation: of.operation,
            ..Default::default()
        };
        let entries = |all: Vec<Manager>| all.into_iter().map(entry).collect();
        Self {
            managed_fields: read.managed_fields.map(entries),
            ..read.others
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::api::core::v1::ConfigMap;
    use kube::core::WatchEvent;
    use serde_json::{from_value, json};

    #[test]
    fn of_managed_fields_only_who_wrote_and_how_is_kept() {
        let object = |paths: Value, time: Value| {
            json!({
                "apiVersion": "v1", "kind": "ConfigMap",
                "metadata": {
                    "name": "a", "labels": { "fieldsV1": "kept" },
                    "managedFields": [
                        { "manager": "m", "operation": "Apply", "fieldsV1": paths },
                        { "manager": "n", "operation": "Update", "time": time },
                    ],
                    "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z",
                },
                "data": { "managedFields": [{ "fieldsV1": "kept" }], "n": [1, -2, 0.5, null, true] },
                "empty": { "map": {}, "list": [], "text": "\"ä\n" },
            })
        };
        let given = object(json!({ "f:data": {} }), json!("2026-01-01T00:00:00Z"));
        let expected = object(Value::Null, Value::Null);
        let kind = ApiResource::erase::<ConfigMap>(&());
        let plain: DynamicObject = from_value(expected).unwrap();
        let from_tree: Observed = from_value(given.clone()).unwrap();
        let from_text: Observed = serde_json::from_str(&given.to_string()).unwrap();
        // kube-apiserver sends the type first. An aggregated API server may send it last.
        let event = format!(r#"{{"object":{given},"type":"ADDED"}}"#);
        let WatchEvent::Added(from_event) = serde_json::from_str(&event).unwrap() else {
            panic!("another event");
        };
        let whole: DynamicObject = from_value(given.clone()).unwrap();
        let metadata = Observed::without_data(whole.metadata).metadata;
        assert_eq!(metadata.managed_fields, plain.metadata.managed_fields);
        for observed in [from_tree, from_text, from_event] {
            let json = observed.json(&kind).unwrap();
            let tree: Value = serde_json::from_str(&json).unwrap();
            assert_eq!(observed.tree(&kind).unwrap(), tree);
            let object: DynamicObject = serde_json::from_str(&json).unwrap();
            assert_eq!(object, plain);
        }
    }

    #[test]
    fn missing_or_null_metadata_and_managed_fields_are_accepted() {
        for object in [
            json!({}),
            json!({ "metadata": { "name": "a", "managedFields": null } }),
        ] {
            let observed: Observed = from_value(object.clone()).unwrap();
            let plain: DynamicObject = from_value(object).unwrap();
            assert_eq!(observed, Observed::without_data(plain.metadata));
        }
        assert!(from_value::<Observed>(json!("text")).is_err());
        assert!(from_value::<Observed>(json!({ "metadata": 1 })).is_err());
    }
}
