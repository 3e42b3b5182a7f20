//! Rule: a flattened map of any JSON within a variant keeps the fields that nobody names.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "flatten.example.com",
    version = "v1",
    kind = "AnyMapInVariants",
    plural = "anymapinvariantss",
    namespaced
)]
pub struct AnyMapInVariantsSpec {
    pub internal: Internal,
    pub adjacent: Adjacent,
    pub external: External,
    pub untagged: Untagged,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Internal {
    Empty,
    Open {
        size: i32,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type", content = "value")]
pub enum Adjacent {
    Empty,
    Open {
        size: i32,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum External {
    Empty {},
    Open {
        size: i32,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Untagged {
    Open {
        size: i32,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    },
    Other {
        name: String,
    },
}
