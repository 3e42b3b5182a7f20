//! Rule: a custom resource in a private module is found by its re-export.

pub use inside::ReExported;

mod inside {
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "attributes.example.com", version = "v1", kind = "ReExported", plural = "reexporteds", namespaced)]
    pub struct ReExportedSpec {
        pub a: i32,
    }
}
