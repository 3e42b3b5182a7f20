//! Rule: two versions of a kind are one definition, sorted by name, with one that is stored.

pub mod v1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1", kind = "Two", plural = "twos", namespaced)]
    #[kube(printcolumn(name = "Size", type_ = "integer", json_path = ".spec.size"))]
    pub struct TwoSpec {
        pub size: i32,
    }
}

pub mod v1beta1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1beta1", kind = "Two", plural = "twos", namespaced)]
    #[kube(storage = false, deprecated = "use v1")]
    pub struct TwoSpec {
        pub size: i32,
    }
}
