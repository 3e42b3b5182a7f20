//! Compares existing CRDs with older CRDs, without compiling the types.

use super::against::{self, Older};
use super::find_types::find_types;
use super::findings::{apply_allow_markers, in_order};
use super::options::Options;
use super::sources::read_sources;
use crate::Result;
use crate::error::file_error;
use crate::finding::Finding;
use crate::report::Console;
use crate::source::places::Places;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Returns the findings of `opctl manifests --against` about the CRDs in `newer`; compiles nothing. If `project` is
/// given, a finding refers to the line of the type, and markers in the project can allow findings.
///
/// # Errors
/// Fails if a source file of the project cannot be read, or does not parse.
pub fn compatibility(
    older: &Older,
    newer: &[(PathBuf, Value)],
    project: Option<(&Path, &Options)>,
    console: &Console,
) -> Result<Vec<Finding>> {
    let Some((root, options)) = project else {
        return Ok(in_order(against::compare(older, newer, &[], &Places::default())));
    };
    let root = std::path::absolute(root).map_err(|error| file_error("find", root, &error))?;
    let sources = read_sources(&root, options)?;
    let (types, outcome) = find_types(&root, options, &sources.files, console);
    outcome?;
    let findings = against::compare(older, newer, &types.all, sources.located.places());
    let mut findings = apply_allow_markers(findings, options, &sources.located, false);
    // What else is wrong with markers is for `opctl manifests` to say.
    findings.retain(Finding::is_about_compatibility);
    Ok(in_order(findings))
}
