#![allow(
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items,
    clippy::tabs_in_doc_comments,
    reason = "the descriptions are copied from the CRD"
)]

use k8s_openapi::api::core::v1::{ResourceRequirements, SecretKeySelector};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// BackupSpec defines the desired state of Backup.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "data.example.org",
    version = "v1",
    kind = "Backup",
    plural = "backups",
    shortname = "bk",
    shortname = "bks",
    category = "all",
    namespaced,
    status = "BackupStatusFields",
    derive = "PartialEq",
    doc = "Backup is the Schema for the backups API.",
    printcolumn(name = "Schedule", type_ = "string", json_path = ".spec.schedule"),
    printcolumn(
        name = "Phase",
        type_ = "string",
        json_path = ".status.phase",
        description = "Where it is.",
        priority = 1
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    ),
    scale(
        spec_replicas_path = ".spec.retention.keepLast",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    ),
    selectable = ".spec.schedule",
    validation = ("self.metadata.name.size() <= 40", "a name of at most 40 characters")
)]
#[serde(rename_all = "camelCase")]
pub struct BackupSpec {
    #[serde(rename = "clusterIP", default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "ipv4"))]
    pub cluster_ip: Option<String>,
    /// databases are what is saved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(max = 63), regex(pattern = "^[a-z_][a-z0-9_]*$")))]
    #[x_kube(merge_strategy = ListMerge::Set)]
    pub databases: Vec<String>,
    /// hooks run around a backup.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub hooks: Vec<BackupHook>,
    /// labels of every object.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, Quantity>,
    /// mode of the backup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<BackupMode>,
    /// parameters are passed on as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<RawExtension>,
    /// port of the database, by number or name.
    #[serde(default = "default_port")]
    pub port: IntOrString,
    /// resources of the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<ResourceRequirements>,
    /// retention says which backups are kept.
    ///
    /// - `keepLast` counts backups of any age
    /// - `keepFor` is a duration
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retention: Option<BackupRetention>,
    /// schedule in cron's form.
    #[schemars(length(min = 1))]
    pub schedule: String,
    /// startAfter is the first moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("nullable" = true))]
    pub start_after: Option<Time>,
    /// storage is where the backups go.
    pub storage: BackupStorage,
    /// suspend stops new backups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspend: Option<bool>,
    /// type cannot change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 20))]
    #[x_kube(validation = ("self == oldSelf", "type is immutable"))]
    pub type_: Option<String>,
    /// weight among others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub weight: Option<f64>,
}

fn default_port() -> IntOrString {
    IntOrString::Int(5432)
}

/// Hook is a command that runs around a backup.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct BackupHook {
    /// command is run in the first container.
    #[schemars(length(min = 1, max = 16), inner(length(min = 1)))]
    pub command: Vec<String>,
    /// name of the hook.
    #[schemars(length(max = 63))]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_error: Option<BackupOnError>,
    /// phase is when it runs.
    #[serde(default = "default_phase")]
    pub phase: BackupPhase,
    #[serde(default = "default_timeout_seconds")]
    pub timeout_seconds: i64,
}

fn default_phase() -> BackupPhase {
    BackupPhase::Before
}

fn default_timeout_seconds() -> i64 {
    30
}

#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupOnError {
    Fail,
    Continue,
}

/// The allowed values of `spec.hooks[].phase`.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupPhase {
    Before,
    After,
    #[serde(rename = "on-failure")]
    OnFailure,
}

/// The allowed values of `spec.mode`.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupMode {
    #[serde(rename = "full")]
    Full,
    #[serde(rename = "incremental")]
    Incremental,
    #[serde(rename = "")]
    Empty,
}

/// The fields of `spec.retention`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = ("!has(self.keepLast) || self.keepLast >= 1", "keepLast may not shrink below 1"))]
pub struct BackupRetention {
    /// keepFor is the age at which a backup goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^([0-9]+(s|m|h))+$"))]
    pub keep_for: Option<String>,
    /// keepLast is the number of backups that are kept.
    #[serde(default = "default_keep_last")]
    #[schemars(range(min = 1, max = 100))]
    pub keep_last: i32,
}

fn default_keep_last() -> i32 {
    7
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
pub struct BackupStatusFields {
    /// conditions represent the current state of the backup.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<Condition>,
    /// lastBackup is the newest one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_backup: Option<BackupLastBackup>,
    /// observedGeneration is what the status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// phase in a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<BackupStatusPhase>,
    /// replicas of the runner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}

/// The fields of `status.lastBackup`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct BackupLastBackup {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Time>,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Quantity>,
}

/// The allowed values of `status.phase`.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupStatusPhase {
    Pending,
    Running,
    Done,
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
