//! Rule: a cycle of types that derive KubeSchema is found through modules, aliases and parameters.

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "recursion.example.com",
    version = "v1",
    kind = "KubeModules",
    plural = "kubemoduleses",
    namespaced
)]
pub struct KubeModulesSpec {
    pub start: inner::Start,
}

pub mod inner {
    use super::Wrapper;
    use kube::KubeSchema;
    use serde::{Deserialize, Serialize};

    type Next = Option<Box<super::End>>;

    #[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
    pub struct Start {
        pub next: Next,
        pub wrapped: Wrapper<i32>,
    }
}

#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
pub struct End {
    pub back: Vec<inner::Start>,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug)]
pub struct Wrapper<T> {
    pub value: T,
}
