//! Rule: a Condition has the patterns and bounds that it has in Go, and conditions are a map by type.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition as Fact;
use kube::CustomResource;
use kube::KubeSchema;
use kube::core::ListMerge;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "kubernetes.example.com",
    version = "v1",
    kind = "Condition",
    plural = "conditions",
    namespaced,
    status = "Observed"
)]
pub struct ConditionSpec {}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
pub struct Observed {
    #[x_kube(merge_strategy = ListMerge::Map(vec!["type".into()]))]
    pub conditions: Vec<Fact>,
}
