//! Rule: the metadata of a template keeps labels, annotations, and all else that it is given.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "kubernetes.example.com",
    version = "v1",
    kind = "TemplateMetadata",
    plural = "templatemetadatas",
    namespaced
)]
pub struct TemplateMetadataSpec {
    pub metadata: ObjectMeta,
}
