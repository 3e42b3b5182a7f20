//! Rule: two kinds of a group with one plural are refused.

pub mod one {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1", kind = "OnePlural", plural = "manykinds")]
    pub struct OnePluralSpec {
        pub a: i32,
    }
}

pub mod other {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1", kind = "OtherPlural", plural = "manykinds")]
    pub struct OtherPluralSpec {
        pub a: i32,
    }
}
