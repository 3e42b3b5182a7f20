pub mod attributes;
pub mod values;

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::parts;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Fields", plural = "fields")]
pub struct FieldsSpec {
    pub part: Part,
    pub shared: parts::Shared,
    pub mode: Mode, //~ OP103
    pub backup: Backup, //~ OP104
    pub store: Store,
    pub settings: Settings, //~ OP106
    #[schemars(schema_with = "parts::reference")]
    pub reference: String, //~ OP108
    #[schemars(schema_with = "parts::patterns")]
    pub patterns: String, //~ OP109
    #[schemars(schema_with = "parts::shapeless")]
    pub shapeless: String, //~ OP111
    #[schemars(schema_with = "parts::branches")]
    pub branches: String, //~ OP113
    #[schemars(schema_with = "parts::queue")]
    pub queue: Vec<String>, //~ OP122
    #[schemars(schema_with = "parts::embedded")]
    pub embedded: String, //~ OP124
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    pub ports: Vec<Port>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {
    pub pair: (String, i32), //~ OP102
    pub size: i32,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub enum Mode {
    Number(i32),
    Detailed { min: i32 },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub enum Backup {
    Off,
    Daily { hour: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = "type")]
pub enum Store {
    Disk { size: String }, //~ OP105
    Memory { size: i32 },
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Settings {
    pub name: String,
    #[serde(flatten)]
    pub others: std::collections::BTreeMap<String, i32>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Port {
    pub name: Option<String>, //~ OP123
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Manual", schema = "manual")]
pub struct ManualSpec {} //~ OP112

impl JsonSchema for Manual {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Manual".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string"})
    }
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Broken")] //~ OP116
pub struct BrokenSpec {
    #[schemars(schema_with = "parts::broken")]
    pub broken: String,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Long")] //~ OP117
pub struct LongSpec {
    #[schemars(schema_with = "parts::long")]
    pub long: String,
}

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "example.com", version = "v1", kind = "Deep")]
pub struct DeepSpec {
    #[schemars(schema_with = "parts::deep")]
    pub deep: String, //~ OP121
}
