//! Used by both versions and both groups.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Shared {
    pub nothing: (), //~ OP107
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Part {
    pub pair: (String, i32), //~ OP102
}

pub type Many<T> = std::collections::BTreeMap<String, Vec<Holder<T>>>;

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Holder<T> {
    pub value: T,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Limits {
    #[schemars(extend("maxLength" = "many"))]
    pub text: String, //~ OP125
}

macro_rules! by_json {
    ($($name:ident $json:tt)*) => {
        $(pub fn $name(_: &mut schemars::SchemaGenerator) -> schemars::Schema { schemars::json_schema!($json) })*
    };
}

by_json! {
    reference {"$ref": "#/components/schemas/Missing"}
    patterns {"type": "object", "patternProperties": {"^a": {"type": "string"}, "^b": {"type": "integer"}}}
    shapeless {"not": {"pattern": "a"}}
    branches {"type": "object", "not": {"type": "object"}}
    queue {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "queue"}
    embedded {"type": "string", "x-kubernetes-embedded-resource": true}
}

pub fn never(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    false.into()
}

pub fn broken(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    panic!("no schema today")
}

pub fn deep(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let mut schema = serde_json::json!({"type": "string"});
    for _ in 0..110 {
        schema = serde_json::json!({"type": "array", "items": schema});
    }
    schema.try_into().unwrap()
}

pub fn long(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "string", "description": "x".repeat(1_700_000)})
}
