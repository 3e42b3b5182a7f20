//! Another group.

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "shop.example.com", version = "v1", kind = "Disk")] //~ OP153
#[kube(printcolumn(name = "Size", type_ = "integer", json_path = ".spec.part.size"))] //~ OP251
pub struct DiskSpec {
    pub part: Part,
    /// Say here what `copies` means: `kubectl explain` shows it.
    pub copies: u8, //~ OP154
    // +opctl:allow:OP551 reason="nothing is found here"
    //~^ OP404
    #[schemars(schema_with = "crate::parts::long")]
    pub long: String,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {
    pub size: String,
}
