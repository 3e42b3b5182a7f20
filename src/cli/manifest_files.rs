//! The files that `opctl manifests` writes.

use crate::manifest::{DEFINITIONS, INPUTS_FILE, ROLE_FILE, WEBHOOKS_FILE};
use crate::plan::{Edit, Operation};

const KUSTOMIZATION: &str = "config/crd/kustomization.yaml";

/// True if `opctl manifests` writes the file.
pub(super) fn is_manifest(path: &str) -> bool {
    path.starts_with(DEFINITIONS) || [ROLE_FILE, WEBHOOKS_FILE, INPUTS_FILE].contains(&path)
}

/// The operation that lists a definition for kustomize; `None` for another file.
pub(super) fn entry(path: &str) -> Option<Operation> {
    let marker = "# +opctl:scaffold:crds".to_owned();
    line(path).map(|fragment| Operation::edit(KUSTOMIZATION, Edit::AtMarker { marker, fragment }))
}

/// The operation that takes a definition out of the list; `None` for another file.
pub(super) fn removed_entry(path: &str) -> Option<Operation> {
    line(path).map(|line| Operation::edit(KUSTOMIZATION, Edit::RemoveLine(line)))
}

fn line(path: &str) -> Option<String> {
    path.strip_prefix(DEFINITIONS).map(|name| format!("- bases/{name}"))
}
