//! Rule: a rule with an optional value before is asked at creation, too.

use kube::core::Rule;
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "rules.example.com", version = "v1", kind = "OptionalOldSelf", plural = "optionaloldselfs", namespaced)]
pub struct OptionalOldSelfSpec {
    #[x_kube(validation = Rule::new("oldSelf.hasValue() || self == 0").message("begins with 0").optional_old_self(true))]
    pub generation: i32,
}
