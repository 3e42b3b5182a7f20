use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The fields at the root of a `Session`.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[kube(
    group = "data.example.org",
    version = "v1",
    kind = "Session",
    plural = "sessions",
    namespaced,
    no_spec,
    status = "SessionStatus",
    derive = "PartialEq",
    derive = "Default",
    doc = "Session has whatever fields a client gives it."
)]
#[serde(rename_all = "camelCase")]
pub struct SessionFields {
    #[serde(flatten, deserialize_with = "others")]
    pub other: BTreeMap<String, Value>,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct SessionStatus {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

/// Leaves out the fields that every object has.
fn others<'de, D: Deserializer<'de>>(fields: D) -> Result<BTreeMap<String, Value>, D::Error> {
    let mut others = BTreeMap::deserialize(fields)?;
    others.retain(|name: &String, _| !["apiVersion", "kind"].contains(&name.as_str()));
    Ok(others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_what_was_read() {
        let spec = json!({});
        let spec: SessionFields = serde_json::from_value(spec).unwrap();
        let written = serde_json::to_value(&spec).unwrap();
        assert!(!written.to_string().contains(":null"), "{written}");
        let read: SessionFields = serde_json::from_value(written).unwrap();
        assert_eq!(read, spec);
    }
}
