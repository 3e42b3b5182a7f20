use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[kube(
    group = "data.example.org",
    version = "v1",
    kind = "Archive",
    plural = "archives",
    namespaced,
    status = "ArchiveStatus",
    derive = "PartialEq",
    derive = "Default",
    doc = "Archive keeps what was \u{202e}deleted\u{202c}.",
    printcolumn(name = "Store", type_ = "string", json_path = ".spec.store.file"),
    label("cluster.x-k8s.io/v1beta1", "v1"),
    annotation("helm.sh/resource-policy", "keep")
)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveSpec {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<ArchiveEnv>,
    /// Store has one of its fields.
    pub store: ArchiveStore,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<ArchiveTemplate>,
    pub windows: Vec<ArchiveWindow>,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveEnv {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_from: Option<ArchiveValueFrom>,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveValueFrom {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub helm_ref: Option<ArchiveHelmRef>,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveHelmRef {
    pub key: String,
}

/// The fields of `spec.store`.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("oneOf" = [{"required": ["file"]}, {"required": ["cloud"]}]))]
pub struct ArchiveStore {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cloud: Option<ArchiveCloud>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveCloud {
    pub bucket: String,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("minProperties" = 1))]
pub struct ArchiveTemplate {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<String>,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveWindow {
    pub begin: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Time>,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveStatus {
    pub since: Time,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_what_was_read() {
        let spec = json!({
            "store": {"file":"sample"},
            "windows": [{"begin":"2026-01-01T00:00:00Z"}],
        });
        let spec: ArchiveSpec = serde_json::from_value(spec).unwrap();
        let written = serde_json::to_value(&spec).unwrap();
        assert!(!written.to_string().contains(":null"), "{written}");
        let read: ArchiveSpec = serde_json::from_value(written).unwrap();
        assert_eq!(read, spec);
    }
}
