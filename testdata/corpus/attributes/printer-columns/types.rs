//! Rule: printer columns keep name, type, path, description, format and priority, in their order.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "attributes.example.com",
    version = "v1",
    kind = "PrinterColumns",
    plural = "printercolumnses",
    namespaced,
    printcolumn(
        name = "Size",
        type_ = "integer",
        json_path = ".spec.size",
        description = "How large.",
        format = "int32",
        priority = 1
    ),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct PrinterColumnsSpec {
    pub size: i32,
}
