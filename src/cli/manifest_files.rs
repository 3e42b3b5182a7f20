//! The files that `opctl manifests` writes.

use crate::manifest::{DEFINITIONS, INPUTS_FILE, ROLE_FILE, WEBHOOKS_FILE};
use crate::plan::{Edit, Operation};

const KUSTOMIZATION: &str = "config/crd/kustomization.yaml";

/// Returns true if `opctl manifests` writes the file.
pub(super) fn is_manifest(path: &str) -> bool {
    path.starts_with(DEFINITIONS) || [ROLE_FILE, WEBHOOKS_FILE, INPUTS_FILE].contains(&path)
}

/// Returns true if `opctl manifests` writes the file into `folder` as a JSON schema.
pub(super) fn is_json_schema(folder: &str, path: &str) -> bool {
    let below = path.strip_prefix(folder).and_then(|below| below.strip_prefix('/'));
    below.and_then(|below| below.strip_suffix(".json")).is_some_and(|below| below.split('/').count() == 2)
}

/// Returns the operation that adds a CRD to the list for kustomize; `None` for another file.
pub(super) fn entry(path: &str) -> Option<Operation> {
    let marker = "# +opctl:scaffold:crds".to_owned();
    line(path).map(|fragment| Operation::edit(KUSTOMIZATION, Edit::AtMarker { marker, fragment }))
}

/// Returns the operation that removes a CRD from the list for kustomize; `None` for another file.
pub(super) fn removed_entry(path: &str) -> Option<Operation> {
    line(path).map(|line| Operation::edit(KUSTOMIZATION, Edit::RemoveLine(line)))
}

fn line(path: &str) -> Option<String> {
    path.strip_prefix(DEFINITIONS).map(|name| format!("- bases/{name}"))
}
