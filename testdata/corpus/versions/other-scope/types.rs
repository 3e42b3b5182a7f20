//! Rule: versions of one kind that disagree about its scope are refused.

pub mod v1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1", kind = "OtherScope", plural = "otherscopes", namespaced)]
    pub struct OtherScopeSpec {
        pub a: i32,
    }
}

pub mod v2 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(
        group = "versions.example.com",
        version = "v2",
        kind = "OtherScope",
        plural = "otherscopes",
        storage = false
    )]
    pub struct OtherScopeSpec {
        pub a: i32,
    }
}
