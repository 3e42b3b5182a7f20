//! Rule: an embedded resource has a kind, and its own fields are kept.

use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "EmbeddedResource",
    plural = "embeddedresources",
    namespaced
)]
pub struct EmbeddedResourceSpec {
    #[schemars(extend("x-kubernetes-embedded-resource" = true))]
    pub template: RawExtension,
}
