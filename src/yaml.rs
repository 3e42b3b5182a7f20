//! YAML as opctl writes it: what kubectl reads back is what was written.

use crate::{Error, Result};
use serde::Serialize;

/// Writes `value` as kubebuilder's tools do: two spaces, lists not indented below their key, nothing folded.
pub fn to_string(value: &impl Serialize) -> Result<String> {
    let options = serde_yaml::ser_options! {
        compact_list_indent: true,
        indent_step: 2,
        prefer_block_scalars: false,
    };
    let mut text = String::new();
    serde_yaml::to_fmt_writer_with_options(&mut text, value, options)
        .map_err(|error| Error::bug("a value cannot be written as YAML").source(&error))?;
    Ok(text)
}
