use crate::v1::Limits;
use crate::v1::common;
use crate::v1alpha1::MOST;
use crate::v1alpha1::Member;
use crate::v1::{Measure, Part as Piece};
use k8s_openapi::apimachinery::pkg::apis::meta;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

/// What the user asks for.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Disk",
    plural = "disks",
    namespaced,
    storage = false,
    status = "DiskStatus",
    derive = "PartialEq",
    doc = "Disk is managed by disks.",
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type=='Ready')].status"
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    ),
    // Its children have the same name, which is the value of a label too.
    validation = Rule::new("self.metadata.name.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$')")
        .message("name must be a DNS label: 1 to 63 of a-z, 0-9 and -, and a letter first")
)]
#[serde(rename_all = "camelCase")]
pub struct DiskSpec {
    /// Say here what `size` means: `kubectl explain` shows it.
    #[schemars(range(min = 1, max = 9))]
    pub size: i32,
    /// What it may use.
    #[serde(default = "common::usual")]
    pub limits: Limits,
    #[serde(default)]
    pub unit: Measure,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Piece>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Member>,
    #[serde(default = "most")]
    #[x_kube(validation = ("self <= 9", "at most 9"))]
    pub most: i32,
}

fn most() -> i32 {
    MOST
}

pub(super) fn default_name() -> String {
    crate::v1::disk::NAME.into()
}

/// A name.
pub const NAME: &str = "example.com/v1alpha1";

/// What the operator reports.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct DiskStatus {
    /// The `metadata.generation` that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// `Ready` is True when everything the spec asks for is there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<meta::v1::Condition>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn defaults_are_filled_in_and_nothing_is_null() {
        let spec = json!({
            "size": 1,
        });
        let spec = serde_json::from_value(spec).unwrap();
        let obj = Disk::new("a", spec);
        let expected = json!({
            "apiVersion": "example.com/v1",
            "kind": "Disk",
            "metadata": { "name": "a" },
            "spec": {
                "size": 1,
            },
        });
        let found = serde_json::to_value(obj).unwrap();
        assert_eq!((&found["apiVersion"], &found["kind"]), (&expected["apiVersion"], &expected["kind"]));
        assert_eq!(crate::v1alpha1::MOST, 9);
    }
}
