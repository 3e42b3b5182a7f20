//! Rule: RawExtensions in lists and maps keep their fields.

use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "ListsOfRawObjects",
    plural = "listsofrawobjectses",
    namespaced
)]
pub struct ListsOfRawObjectsSpec {
    pub list: Vec<RawExtension>,
    pub map: BTreeMap<String, RawExtension>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one: Option<RawExtension>,
}
