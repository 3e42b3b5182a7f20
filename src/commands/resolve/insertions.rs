//! Plans the insertion of opctl's lines into files that opctl does not generate as a whole, for both sides of a merge.

use crate::commands::manifest_files;
use crate::model::Project;
use crate::plan::{Ledgers, Operation};
use crate::{Result, scaffold};

/// Returns the operations that insert opctl's lines for `projects` into files that opctl does not generate as a whole,
/// and the operations that add the CRDs of both sides of the merge to kustomize's list of CRDs.
pub(super) fn insertions(projects: &[Project], ledgers: &Ledgers) -> Result<Vec<Operation>> {
    let mut operations: Vec<Operation> = Vec::new();
    for project in projects {
        for operation in scaffold::insertions(project)? {
            if !operations.contains(&operation) {
                operations.push(operation);
            }
        }
    }
    let files = ledgers.ours.files.keys().chain(ledgers.theirs.files.keys());
    operations.extend(files.filter_map(|path| manifest_files::entry(path)));
    Ok(operations)
}
