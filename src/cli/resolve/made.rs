//! The files that opctl makes of a project that has what both sides of a merge have.

use crate::model::Project;
use crate::plan::{Operation, Step};
use crate::{Result, scaffold};
use std::collections::BTreeMap;

/// Whole files, by path: those that no later command adds lines to, and that are opctl's to make again.
pub(super) fn made(project: &Project) -> Result<BTreeMap<String, String>> {
    let generated = scaffold::generated(project)?;
    let operations: Vec<Operation> = generated.made.into_iter().chain(generated.added).collect();
    let is_edited = |path: &str| {
        let edits = |operation: &Operation| operation.path == path && matches!(operation.step, Step::Edit(_));
        operations.iter().any(edits) || generated.left.contains(path)
    };
    let whole = operations.iter().filter(|operation| !is_edited(&operation.path));
    let texts = whole.filter_map(|operation| match &operation.step {
        Step::Create { content, .. } => Some((operation.path.clone(), content.clone())),
        _ => None,
    });
    Ok(texts.collect())
}
