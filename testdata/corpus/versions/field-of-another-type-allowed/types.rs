//! Rule: that two versions give a field different types is allowed with a reason.

pub mod v1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1", kind = "RetypedAllowed", plural = "retypedalloweds", namespaced)]
    pub struct RetypedAllowedSpec {
        pub size: String,
    }
}

pub mod v2 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v2", kind = "RetypedAllowed", plural = "retypedalloweds", namespaced)]
    #[kube(storage = false)]
    pub struct RetypedAllowedSpec {
        // +opctl:allow:OP513 reason="no object of v1 is left"
        pub size: i32,
    }
}
