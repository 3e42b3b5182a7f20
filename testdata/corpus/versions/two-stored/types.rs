//! Rule: two versions that are both stored, kube's default, are refused.

pub mod v1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1", kind = "TwoStored", plural = "twostoreds", namespaced)]
    pub struct TwoStoredSpec {
        pub a: i32,
    }
}

pub mod v2 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v2", kind = "TwoStored", plural = "twostoreds", namespaced)]
    pub struct TwoStoredSpec {
        pub a: i32,
    }
}
