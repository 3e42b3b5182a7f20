use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use kube::core::{ListMerge, StructMerge};

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Named")]
#[kube(plural = "named")]
#[kube(shortname = "N")] //~ OP202
pub struct NamedSpec {}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(version = "v1", kind = "Grouped")]
#[kube(group = "apps")] //~ OP203
pub struct GroupedSpec {}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(version = "v1", kind = "Official")]
#[kube(group = "things.k8s.io")] //~ OP204
pub struct OfficialSpec {}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Old")]
#[kube(deprecated = "two\nlines")] //~ OP205
pub struct OldSpec {}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Columns", plural = "columns", status = "ColumnsStatus")]
#[kube(printcolumn(name = "A", type_ = "integer", json_path = ".spec.size"))]
#[kube(printcolumn(name = "B", type_ = "int", json_path = ".spec.size"))] //~ OP206
#[kube(printcolumn(name = "C", type_ = "integer", json_path = "spec.size"))] //~ OP207
#[kube(printcolumn(name = "D", type_ = "integer", json_path = ".spec.sise"))] //~ OP208
#[kube(selectable = "spec.name")] //~ OP212
#[kube(selectable = ".spec.sizes")] //~ OP213
#[kube(scale(spec_replicas_path = "spec.size", status_replicas_path = ".status.size"))] //~ OP210
pub struct ColumnsSpec {
    pub size: i32,
    pub name: String,
    pub sizes: Vec<i32>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct ColumnsStatus {
    pub size: i32,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Scaled", status = "ColumnsStatus")]
#[kube(scale(spec_replicas_path = ".spec.replica", status_replicas_path = ".status.size"))] //~ OP211
pub struct ScaledSpec {
    pub replicas: i32,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Unscaled")]
#[kube(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"))] //~ OP209
pub struct UnscaledSpec {
    pub replicas: i32,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Twice")]
pub struct TwiceSpec {}

pub mod again {
    use super::*;

    #[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
    #[kube(group = "example.com", kind = "Twice", storage = false)]
    #[kube(version = "v1")] //~ OP214
    pub struct TwiceSpec {}
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Stored")]
#[kube(storage = true)]
pub struct StoredSpec {}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Scoped", storage = false)]
pub struct ScopedSpec {}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Private")]
struct PrivateSpec {} //~ OP301

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Schemaless")]
#[kube(schema = "disabled")] //~ OP303
pub struct SchemalessSpec {}

#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
pub struct Lost {
    #[x_kube(merge_strategy = StructMerge::Atomic)] //~ OP508
    pub inner: Flat,
    #[serde(flatten)]
    #[x_kube(validation = "self.a == 1")] //~ OP509
    pub flat: Flat,
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub list: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Flat {
    pub a: i32,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Unserved")]
#[kube(served = false)] //~ OP511
pub struct UnservedSpec {}
