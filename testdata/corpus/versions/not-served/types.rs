//! Rule: a version that is not served is still described.

pub mod v1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1", kind = "NotServed", plural = "notserveds", namespaced)]
    pub struct NotServedSpec {
        pub size: i32,
    }
}

pub mod v1alpha1 {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "versions.example.com", version = "v1alpha1", kind = "NotServed", plural = "notserveds", namespaced)]
    #[kube(storage = false, served = false)]
    pub struct NotServedSpec {
        pub size: i32,
    }
}
