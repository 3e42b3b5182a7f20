//! Rule: the message of a rule is what the user reads.

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "rules.example.com", version = "v1", kind = "WithAMessage", plural = "withamessages", namespaced)]
pub struct WithAMessageSpec {
    #[x_kube(validation = ("self % 2 == 1", "must be odd"))]
    pub members: i32,
}
