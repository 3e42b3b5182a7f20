//! Rule: a rule says by which reason and at which field it fails.

use kube::core::{Reason, Rule};
use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "rules.example.com", version = "v1", kind = "ReasonAndPath", plural = "reasonandpathes", namespaced)]
#[x_kube(validation = Rule::new("self.max >= self.min").message("max is below min").reason(Reason::FieldValueForbidden).field_path(".max"))]
pub struct ReasonAndPathSpec {
    pub min: i32,
    pub max: i32,
}
