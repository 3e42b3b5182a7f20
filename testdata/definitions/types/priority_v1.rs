use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The fields at the root of a `Priority`.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[kube(
    group = "data.example.org",
    version = "v1",
    kind = "Priority",
    plural = "priorities",
    no_spec,
    status = "PriorityStatus",
    derive = "PartialEq",
    derive = "Default",
    doc = "Priority says which backups run first.",
    printcolumn(name = "Value", type_ = "integer", json_path = ".value"),
    validation = ("self.value == oldSelf.value", "value is immutable")
)]
#[serde(rename_all = "camelCase")]
pub struct PriorityFields {
    /// description says when to use the priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
    /// value is higher for what runs first.
    pub value: i32,
}

/// status has the number of backups by namespace.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = {"pattern": "^[0-9]+$", "type": "string"}))]
pub struct PriorityStatus {
    #[serde(flatten)]
    #[schemars(skip)]
    pub other: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_what_was_read() {
        let spec = json!({
            "value": 1,
        });
        let spec: PriorityFields = serde_json::from_value(spec).unwrap();
        let written = serde_json::to_value(&spec).unwrap();
        assert!(!written.to_string().contains(":null"), "{written}");
        let read: PriorityFields = serde_json::from_value(written).unwrap();
        assert_eq!(read, spec);
    }
}
