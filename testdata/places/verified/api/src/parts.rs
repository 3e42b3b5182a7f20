use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, KubeSchema, Clone, Debug)]
pub struct Shared {
    #[x_kube(validation = "self == 'large'")]
    pub size: i32, //~ OP512 OP551
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Formatted {
    #[schemars(extend("format" = "int32"))]
    pub port: String, //~ OP553
}
