//! The files that opctl generates for a project that combines both sides of a merge.

use crate::commands::own_templates::{add_own_files, own_templates};
use crate::model::{Project, ProjectPath};
use crate::plan::{Operation, Step};
use crate::workspace::Workspace;
use crate::{Result, scaffold};
use std::collections::BTreeMap;

/// Returns the texts, by path, of the files whose whole text opctl generates. Excludes files into which commands insert
/// lines, and files that `opctl update` does not change.
pub(super) fn generated_texts(workspace: &Workspace, project: &Project) -> Result<BTreeMap<ProjectPath, String>> {
    let mut generated = scaffold::generate_project(project)?;
    add_own_files(&own_templates(workspace)?, project, &mut generated)?;
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
