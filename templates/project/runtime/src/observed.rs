//! Objects as the API server sends them, but without `fieldsV1`, the paths of the fields that each
//! manager owns: these are half of the text, the runtime never reads them, and parsing them costs
//! more than skipping them.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Resource;
use kube::api::{ApiResource, DynamicObject};
use kube::core::DynamicResourceScope;
use serde::Serialize;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Value};
use serde_transcode::transcode;
use std::borrow::Cow;
use std::fmt;

/// An object of a watch or of an answer: its metadata and, as JSON text, its other fields. A tree
/// takes ten times the memory, and a page of a list has hundreds of objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    pub metadata: ObjectMeta,
    /// An object without `apiVersion`, `kind` and `metadata`.
    pub data: Box<str>,
}

impl Observed {
    /// Takes an object without its fields beside the metadata.
    pub fn without_data(metadata: ObjectMeta) -> Self {
        let data = "{}".into();
        Self { metadata, data }
    }

    /// Returns the object as JSON. Its kind is stated, which items of a list lack.
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

    /// Returns the object as a tree of values.
    pub fn tree(&self, kind: &ApiResource) -> serde_json::Result<Value> {
        serde_json::from_str(&self.json(kind)?)
    }
}

impl<'de> Deserialize<'de> for Observed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Parts)
    }
}

/// Reads an object as [`Observed`], without a tree of its data.
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
                    let tree = map.next_value_seed(Place::Metadata)?;
                    let given = Option::deserialize(tree).map_err(A::Error::custom)?;
                    metadata = given.unwrap_or_default();
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

/// The end of a JSON text, to which a value is copied while it is read.
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

/// The place in the metadata that is being read, on the way to `fieldsV1`.
#[derive(Clone, Copy)]
enum Place {
    Metadata,
    ManagedFields,
    Entry,
}

impl<'de> DeserializeSeed<'de> for Place {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the metadata of a Kubernetes object")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(Self::Entry)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = match (self, &key[..]) {
                (Self::Metadata, "managedFields") => map.next_value_seed(Self::ManagedFields)?,
                (Self::Entry, "fieldsV1") => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
                _ => map.next_value()?,
            };
            fields.insert(key, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::api::core::v1::ConfigMap;
    use kube::core::WatchEvent;
    use serde_json::{from_value, json};

    #[test]
    fn only_the_paths_of_fields_are_left_out() {
        let object = |paths: Value| {
            json!({
                "apiVersion": "v1", "kind": "ConfigMap",
                "metadata": {
                    "name": "a", "labels": { "fieldsV1": "kept" },
                    "managedFields": [
                        { "manager": "m", "operation": "Apply", "fieldsV1": paths },
                        { "manager": "n", "operation": "Update", "time": "2026-01-01T00:00:00Z" },
                    ],
                },
                "data": { "managedFields": [{ "fieldsV1": "kept" }], "n": [1, -2, 0.5, null, true] },
                "empty": { "map": {}, "list": [], "text": "\"ä\n" },
            })
        };
        let (given, expected) = (object(json!({ "f:data": {} })), object(Value::Null));
        let kind = ApiResource::erase::<ConfigMap>(&());
        let plain: DynamicObject = from_value(expected).unwrap();
        let from_tree: Observed = from_value(given.clone()).unwrap();
        let from_text: Observed = serde_json::from_str(&given.to_string()).unwrap();
        // kube-apiserver sends the type first. An aggregated API server may send it last.
        let event = format!(r#"{{"object":{given},"type":"ADDED"}}"#);
        let WatchEvent::Added(from_event) = serde_json::from_str(&event).unwrap() else {
            panic!("another event");
        };
        for observed in [from_tree, from_text, from_event] {
            let json = observed.json(&kind).unwrap();
            let object: DynamicObject = serde_json::from_str(&json).unwrap();
            assert_eq!(object, plain);
        }
    }

    #[test]
    fn what_is_missing_or_null_is_no_error() {
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
