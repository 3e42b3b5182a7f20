use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// The fields at the root of a `Tape`.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[kube(
    group = "data.example.org",
    version = "v1",
    kind = "Tape",
    plural = "tapes",
    namespaced,
    no_spec,
    derive = "PartialEq",
    derive = "Default",
    doc = "Tape is an archive, with an operation beside its spec.",
    printcolumn(name = "Operation", type_ = "string", json_path = ".operation.name")
)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("oneOf" = [{"required": ["operation"]}, {"required": ["drive"]}]))]
pub struct TapeFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive: Option<String>,
    /// operation runs now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<TapeOperation>,
    /// TapeSpec says what is on the tape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<TapeSpec>,
    #[serde(rename = "status", default, skip_serializing_if = "Option::is_none")]
    pub status2: Option<String>,
}

/// The fields of `operation`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct TapeOperation {
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TapeStep>,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct TapeStep {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<i64>,
}

/// The fields of `spec`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct TapeSpec {
    #[serde(default = "default_length")]
    pub length: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

fn default_length() -> i32 {
    90
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_what_was_read() {
        let spec = json!({
            "operation": {"name":"sample"},
        });
        let spec: TapeFields = serde_json::from_value(spec).unwrap();
        let written = serde_json::to_value(&spec).unwrap();
        assert!(!written.to_string().contains(":null"), "{written}");
        let read: TapeFields = serde_json::from_value(written).unwrap();
        assert_eq!(read, spec);
    }
}
