//! Objects as the API server sends them, but without `fieldsV1`, the paths of the fields that each
//! manager owns: these are half of the text, the runtime never reads them, and parsing them costs
//! more than skipping them.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::Resource;
use kube::api::{ApiResource, DynamicObject};
use kube::core::{DynamicResourceScope, TypeMeta};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt::Formatter;

/// An object as a tree of values.
pub struct Tree(pub Value);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Place::Object.deserialize(deserializer).map(Self)
    }
}

/// An object of a watch.
#[derive(Clone, Debug)]
pub struct Observed(pub DynamicObject);

impl<'de> Deserialize<'de> for Observed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Tree(object) = Tree::deserialize(deserializer)?;
        dynamic(object).map(Self).map_err(D::Error::custom)
    }
}

/// Makes a `DynamicObject` from a tree. Unlike deserialization of a `DynamicObject`, this copies
/// nothing.
pub fn dynamic(mut tree: Value) -> serde_json::Result<DynamicObject> {
    let types = TypeMeta::deserialize(&tree).ok(); // items of a list lack it
    let mut metadata = ObjectMeta::default();
    if let Some(object) = tree.as_object_mut() {
        object.remove("apiVersion");
        object.remove("kind");
        if let Some(found) = object.remove("metadata") {
            metadata = ObjectMeta::deserialize(found)?;
        }
    }
    Ok(DynamicObject {
        types,
        metadata,
        data: tree,
    })
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
        &self.0.metadata
    }
    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.0.metadata
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
        let Observed(object) = from_value(given.clone()).unwrap();
        let plain: DynamicObject = from_value(expected).unwrap();
        assert_eq!(object, plain);
        // From text, with the same result as from a tree.
        let Observed(parsed) = serde_json::from_str(&given.to_string()).unwrap();
        assert_eq!(parsed, plain);
    }

    #[test]
    fn what_is_missing_or_null_is_no_error() {
        for object in [
            json!({}),
            json!({ "metadata": { "name": "a", "managedFields": null } }),
        ] {
            let Observed(observed) = from_value(object.clone()).unwrap();
            assert_eq!(observed, from_value(object).unwrap());
        }
        assert!(from_value::<Observed>(json!("text")).is_err());
        assert!(from_value::<Observed>(json!({ "metadata": 1 })).is_err());
    }
}
