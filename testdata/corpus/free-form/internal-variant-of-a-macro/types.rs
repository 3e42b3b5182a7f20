//! Rule: any JSON in a variant of an internally tagged enum is kept where the source does not show the enum.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CustomResource, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(
    group = "free-form.example.com",
    version = "v1",
    kind = "InternalVariantOfAMacro",
    plural = "internalvariantofamacros",
    namespaced
)]
pub struct InternalVariantOfAMacroSpec {
    pub source: Made,
}

macro_rules! source {
    ($name:ident, $($unit:ident),*; $($variant:ident: $holds:ty),*) => {
        #[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
        #[serde(tag = "kind", rename_all = "camelCase")]
        pub enum $name {
            $($unit,)*
            $($variant($holds),)*
        }
    };
}

source!(Made, Nothing; Whatever: Value);
