//! The files that `opctl manifests` writes.

use crate::manifest::{DEFINITIONS, INPUTS_FILE, ROLE_FILE, ROLE_NAMESPACES_FILE, WEBHOOKS_FILE};
use crate::packaging::is_of_bundle;
use crate::plan::{Edit, Operation};

/// Returns true if `opctl manifests` writes the file.
pub(super) fn is_manifest(path: &str) -> bool {
    path.starts_with(DEFINITIONS) || [ROLE_FILE, ROLE_NAMESPACES_FILE, WEBHOOKS_FILE, INPUTS_FILE].contains(&path)
}

/// Returns true for a file that `opctl manifests`, `opctl build-installer` or `opctl bundle` writes.
pub(super) fn is_of_other_command(path: &str) -> bool {
    is_manifest(path) || path.starts_with("dist/") || is_of_bundle(path)
}

/// Returns true if `opctl manifests` writes the file into `folder` as a JSON schema.
pub(super) fn is_json_schema(folder: &str, path: &str) -> bool {
    let below = path.strip_prefix(folder).and_then(|below| below.strip_prefix('/'));
    below.and_then(|below| below.strip_suffix(".json")).is_some_and(|below| below.split('/').count() == 2)
}

/// A line of a kustomization that names a manifest.
struct Line {
    kustomization: &'static str,
    marker: &'static str,
    text: String,
}

/// Returns the operation that adds the file at `path` to its kustomization, if the file is a CRD or
/// `config/default/role_namespaces.yaml`; `None` for any other file.
pub(super) fn entry(path: &str) -> Option<Operation> {
    let Line { kustomization, marker, text: fragment } = line(path)?;
    Some(Operation::edit(kustomization, Edit::AtMarker { marker: marker.to_owned(), fragment }))
}

/// Returns the operation that removes the file at `path` from its kustomization, if the file is a CRD or
/// `config/default/role_namespaces.yaml`; `None` for any other file.
pub(super) fn removed_entry(path: &str) -> Option<Operation> {
    line(path).map(|line| Operation::edit(line.kustomization, Edit::RemoveLine(line.text)))
}

fn line(path: &str) -> Option<Line> {
    if path == ROLE_NAMESPACES_FILE {
        return Some(Line {
            kustomization: "config/default/kustomization.yaml",
            marker: "# +opctl:scaffold:replacements",
            text: "- path: role_namespaces.yaml".to_owned(),
        });
    }
    let name = path.strip_prefix(DEFINITIONS)?;
    Some(Line {
        kustomization: "config/crd/kustomization.yaml",
        marker: "# +opctl:scaffold:crds",
        text: format!("- bases/{name}"),
    })
}
