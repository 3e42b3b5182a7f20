//! Rule: two types for one version of a kind are refused.

pub mod one {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1", kind = "SameVersionTwice", plural = "sameversiontwices")]
    pub struct SameVersionTwiceSpec {
        pub a: i32,
    }
}

pub mod other {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(
        group = "versions.example.com",
        version = "v1",
        kind = "SameVersionTwice",
        plural = "sameversiontwices",
        storage = false
    )]
    pub struct SameVersionTwiceSpec {
        pub a: i32,
    }
}
