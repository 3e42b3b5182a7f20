//! Rule: two versions may give a field different types without a webhook, with a warning.

pub mod v1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1", kind = "Retyped", plural = "retypeds", namespaced)]
    pub struct RetypedSpec {
        pub size: String,
    }
}

pub mod v2 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v2", kind = "Retyped", plural = "retypeds", namespaced)]
    #[kube(storage = false)]
    pub struct RetypedSpec {
        pub size: i32,
    }
}
