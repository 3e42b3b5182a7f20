//! The files that `opctl manifests` writes.

use crate::manifest::INPUTS_FILE;
use crate::plan::{Edit, Operation};

const DEFINITIONS: &str = "config/crd/bases/";

/// True if `opctl manifests` writes the file.
pub(super) fn is_manifest(path: &str) -> bool {
    let others = ["config/rbac/role.yaml", "config/webhook/manifests.yaml", INPUTS_FILE];
    path.starts_with(DEFINITIONS) || others.contains(&path)
}

/// The entries of kustomize for the definitions among these files.
pub(super) fn entries<'a>(paths: impl Iterator<Item = &'a String>) -> Vec<Operation> {
    let definitions = paths.filter(|path| path.starts_with(DEFINITIONS));
    let entry = |path: &String| {
        let fragment = format!("- {}", path.trim_start_matches("config/crd/"));
        let edit = Edit::AtMarker { marker: "# +opctl:scaffold:crds".to_owned(), fragment };
        Operation::edit("config/crd/kustomization.yaml", edit)
    };
    definitions.map(entry).collect()
}
