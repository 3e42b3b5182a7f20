//! Parses the CRDs and schemas that the compiled type program prints for the requested types.

use crate::schema::Raw;
use crate::{Error, Result};
use serde_json::Value;

/// The CRD and the schemas of one type, as the program that contains the compiled type prints them.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// The public path of the type, as in the request.
    pub path: String,
    /// The plural of the type's kind.
    #[serde(default)]
    pub plural: String,
    /// The CRD, without the schema.
    #[serde(default)]
    pub crd: Option<Value>,
    /// The message of the panic if the type panicked while it created its CRD.
    #[serde(default)]
    pub crd_panic: Option<String>,
    /// The schema of the values that the type deserializes.
    #[serde(default)]
    pub read: Option<Raw>,
    /// The message of the panic if the type panicked while it created the schema `read`.
    #[serde(default)]
    pub read_panic: Option<String>,
    /// The schema of the values that the type serializes.
    #[serde(default)]
    pub written: Option<Raw>,
    /// True if the schema of the type is infinite, because the type contains itself without a `$ref`.
    #[serde(default)]
    pub endless: bool,
}

pub(super) fn parse(text: &str) -> Result<Vec<Answer>> {
    text.lines().map(serde_json::from_str).collect::<Result<_, _>>().map_err(|error| match error.to_string() {
        text if text.starts_with("recursion limit exceeded") => {
            Error::user("the schema of a type is nested too deeply to be read").hint("opctl explain OP121")
        }
        _ => Error::bug("cannot read the output of the program that prints the API types").source(&error),
    })
}
