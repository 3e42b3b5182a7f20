//! Rule: a custom resource that nobody outside of its crate can name is refused.

mod inside {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "attributes.example.com", version = "v1", kind = "InAPrivateModule", plural = "inaprivatemodules")]
    pub struct InAPrivateModuleSpec {
        pub a: i32,
    }
}
