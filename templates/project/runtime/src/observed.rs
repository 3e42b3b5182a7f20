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
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Formatter;

/// An object as a tree of values.
pub struct Tree(pub Value);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Place::Object.deserialize(deserializer).map(Self)
    }
}

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
}

impl TryFrom<&Value> for Observed {
    type Error = serde_json::Error;

    fn try_from(tree: &Value) -> serde_json::Result<Self> {
        let metadata = Option::deserialize(&tree["metadata"])?.unwrap_or_default();
        let is_data = |name: &str| !["apiVersion", "kind", "metadata"].contains(&name);
        let fields = tree.as_object().into_iter().flatten();
        let data: BTreeMap<_, _> = fields.filter(|(name, _)| is_data(name)).collect();
        let data = serde_json::to_string(&data)?.into();
        Ok(Self { metadata, data })
    }
}

impl<'de> Deserialize<'de> for Observed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Tree(object) = Tree::deserialize(deserializer)?;
        (&object).try_into().map_err(D::Error::custom)
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

/// The place in an object that is being read, on the way to `fieldsV1`.
#[derive(Clone, Copy)]
enum Place {
    Object,
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

    fn expecting(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a Kubernetes object")
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
                (Self::Object, "metadata") => map.next_value_seed(Self::Metadata)?,
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
            })
        };
        let (given, expected) = (object(json!({ "f:data": {} })), object(Value::Null));
        let kind = ApiResource::erase::<ConfigMap>(&());
        let plain: DynamicObject = from_value(expected).unwrap();
        let from_tree: Observed = from_value(given.clone()).unwrap();
        let from_text: Observed = serde_json::from_str(&given.to_string()).unwrap();
        for observed in [from_tree, from_text] {
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
