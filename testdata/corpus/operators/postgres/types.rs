//! Rule: a type in the habits of a database operator: bootstrap as one of several, parts of a pod, storage, a backup by schedule.

use k8s_openapi::api::core::v1::{
    Affinity, EnvVar, LocalObjectReference, PersistentVolumeClaimSpec, ResourceRequirements, SecretKeySelector,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "operators.example.com",
    version = "v1",
    kind = "Postgres",
    plural = "postgreses",
    namespaced,
    status = "Observed",
    printcolumn(name = "Instances", type_ = "integer", json_path = ".status.instances")
)]
#[serde(rename_all = "camelCase")]
pub struct PostgresSpec {
    #[serde(default = "three")]
    #[schemars(range(min = 1))]
    pub instances: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_name: Option<String>,
    pub storage: Storage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<Bootstrap>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub affinity: Option<Affinity>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<ResourceRequirements>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<EnvVar>,
    #[serde(default)]
    pub postgresql: Settings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<Backup>,
}

fn three() -> i32 {
    3
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Storage {
    pub size: Quantity,
    #[serde(default = "yes")]
    pub resize_in_use_volumes: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pvc_template: Option<PersistentVolumeClaimSpec>,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Bootstrap {
    Initdb {
        database: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        secret: Option<LocalObjectReference>,
    },
    Recovery {
        source: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        recovery_target: Option<RecoveryTarget>,
    },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryTarget {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_time: Option<String>,
    #[serde(rename = "targetLSN", default, skip_serializing_if = "Option::is_none")]
    pub target_lsn: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct Settings {
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pg_hba: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Backup {
    pub schedule: String,
    pub to: Target,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    pub destination_path: url::Url,
    pub access_key: SecretKeySelector,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Observed {
    pub instances: i32,
    pub current_primary: Option<String>,
    pub instances_reported_state: BTreeMap<String, bool>,
}
