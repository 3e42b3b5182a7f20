//! Rule: a field that is an enum in several variants has the values of all of them.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "enums.example.com",
    version = "v1",
    kind = "UntaggedSharedEnum",
    plural = "untaggedsharedenums",
    namespaced
)]
pub struct UntaggedSharedEnumSpec {
    pub source: Source,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Source {
    Git { kind: GitKind, url: String },
    Image { kind: ImageKind, image: String },
}

/// What kind of repository.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum GitKind {
    Tag,
    Branch,
}

/// What kind of image.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum ImageKind {
    Tag,
    Digest,
}
