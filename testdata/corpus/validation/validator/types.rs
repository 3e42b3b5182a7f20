//! Rule: validator's attributes are restrictions under KubeSchema, too.

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "validation.example.com", version = "v1", kind = "Validator", plural = "validators", namespaced)]
pub struct ValidatorSpec {
    #[validate(length(min = 2))]
    pub name: String,
    #[validate(range(max = 5))]
    pub size: i32,
}
