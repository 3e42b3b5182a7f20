//! What opctl knows about both sides of a merge: what either project inserts, and what is generated.

use crate::manifest::INPUTS_FILE;
use crate::model::Project;
use crate::plan::{Edit, Ledgers, Operation};
use crate::{Result, scaffold};

const DEFINITIONS: &str = "config/crd/bases/";

/// Whether `opctl manifests` writes the file.
pub(super) fn is_generated(path: &str) -> bool {
    let others = ["config/rbac/role.yaml", "config/webhook/manifests.yaml", INPUTS_FILE];
    path.starts_with(DEFINITIONS) || others.contains(&path)
}

/// All that opctl puts into files of a project that has what both sides have.
pub(super) fn insertions(projects: &[Project], ledgers: &Ledgers) -> Result<Vec<Operation>> {
    let mut operations: Vec<Operation> = Vec::new();
    for project in projects {
        for operation in scaffold::insertions(project)? {
            if !operations.contains(&operation) {
                operations.push(operation);
            }
        }
    }
    let generated = ledgers.ours.files.keys().chain(ledgers.theirs.files.keys());
    for path in generated.filter(|path| path.starts_with(DEFINITIONS)) {
        let fragment = format!("- {}", path.trim_start_matches("config/crd/"));
        let edit = Edit::AtMarker { marker: "# +opctl:scaffold:crds".to_owned(), fragment };
        operations.push(Operation::edit("config/crd/kustomization.yaml", edit));
    }
    Ok(operations)
}
