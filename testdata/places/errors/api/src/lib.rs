pub mod parts;
#[path = "shop/elsewhere/first.rs"]
pub mod shop;
pub mod v1;
pub mod v1alpha1;
mod hidden {
    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "example.com", version = "v1", kind = "Hidden")]
    pub struct HiddenSpec {} //~ OP302
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
}
