use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// Of a backup.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "data.example.org",
    version = "v1",
    kind = "backupStatus",
    root = "BackupStatus",
    plural = "backupstatuses",
    namespaced,
    status = "BackupStatusStatus",
    derive = "PartialEq"
)]
#[serde(rename_all = "camelCase")]
pub struct BackupStatusSpec {
    /// The name of the backup.
    #[schemars(regex(pattern = r"^[\w#[\]@]+-[0-9]$"))]
    pub backup: String,
    /// The class that the backup is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// How often a failed backup begins again.
    #[serde(default = "default_retries")]
    pub retries: i32,
}

fn default_retries() -> i32 {
    3
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct BackupStatusStatus {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<Condition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_what_was_read() {
        let spec = json!({
            "backup": "a-1",
        });
        let spec: BackupStatusSpec = serde_json::from_value(spec).unwrap();
        let written = serde_json::to_value(&spec).unwrap();
        assert!(!written.to_string().contains(":null"), "{written}");
        let read: BackupStatusSpec = serde_json::from_value(written).unwrap();
        assert_eq!(read, spec);
    }
}
