use k8s_openapi::api::core::v1::SecretKeySelector;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// BackupSpec defines the desired state of Backup.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[kube(
    group = "data.example.org",
    version = "v1beta1",
    kind = "Backup",
    plural = "backups",
    shortname = "bk",
    shortname = "bks",
    category = "all",
    namespaced,
    storage = false,
    deprecated = "use data.example.org/v1",
    status = "BackupStatus",
    derive = "PartialEq",
    derive = "Default",
    doc = "Backup is the Schema for the backups API."
)]
#[serde(rename_all = "camelCase")]
pub struct BackupSpec {
    /// schedule in cron's form.
    pub schedule: String,
    /// storage is where the backups go.
    pub storage: BackupStorage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspend: Option<bool>,
}

/// The fields of `spec.storage`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("has(self.s3) != has(self.volume)", "exactly one of s3 and volume"))]
pub struct BackupStorage {
    /// s3 is a bucket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub s3: Option<BackupS3>,
    /// volume is a claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<BackupVolume>,
}

/// The fields of `spec.storage.s3`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct BackupS3 {
    /// bucket is the name of the bucket.
    #[schemars(length(min = 3, max = 63))]
    pub bucket: String,
    /// credentials refer to the key of the bucket.
    pub credentials: SecretKeySelector,
    /// forcePathStyle puts the bucket into the path.
    #[serde(default = "default_force_path_style")]
    pub force_path_style: bool,
    #[serde(default = "default_region")]
    pub region: String,
}

fn default_force_path_style() -> bool {
    false
}

fn default_region() -> String {
    "eu-central-1".into()
}

/// The fields of `spec.storage.volume`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct BackupVolume {
    /// claimName is the name of the claim.
    pub claim_name: String,
    /// size is what is requested.
    #[serde(default = "default_size")]
    pub size: Quantity,
}

fn default_size() -> Quantity {
    Quantity("10Gi".into())
}

/// BackupStatus defines the observed state of Backup.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct BackupStatus {
    /// conditions represent the current state of the backup.
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
            "schedule": "0 3 * * *",
            "storage": {
                "s3": {
                    "bucket": "backups",
                    "credentials": {"key":"secret","name":"backups"},
                },
            },
        });
        let spec: BackupSpec = serde_json::from_value(spec).unwrap();
        let written = serde_json::to_value(&spec).unwrap();
        assert!(!written.to_string().contains(":null"), "{written}");
        let read: BackupSpec = serde_json::from_value(written).unwrap();
        assert_eq!(read, spec);
    }
}
