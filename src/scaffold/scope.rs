//! Switches the manager between all namespaces and only its own namespace, like kubebuilder's `--namespaced`.
//!
//! In a namespaced project, `opctl manifests` writes a `Role` instead of the `ClusterRole`; this module changes the
//! other files.

use super::values::Values;
use crate::model::{Project, Resource};
use crate::plan::{Edit, Existing, Operation};
use crate::template::Templates;
use crate::{Error, Result};

/// The patch that makes the manager watch only its own namespace.
pub(super) const PATCH: &str = "config/default/manager_namespace_patch.yaml";
const KUSTOMIZATION: &str = "config/default/kustomization.yaml";
const MARKER: &str = "# +opctl:scaffold:patches";
const ENTRY: &str = "- path: manager_namespace_patch.yaml";
const BINDING: &str = "config/rbac/role_binding.yaml";

/// Returns the operations that make the files of an existing project match `project.namespaced`.
///
/// # Errors
/// Fails if the project is namespaced and has a cluster-scoped kind, or on a defect in opctl's own templates.
pub fn scope(project: &Project, force: bool) -> Result<Vec<Operation>> {
    if let Some(resource) = project.resources.iter().find(|resource| !resource.namespaced) {
        check(project, resource)?;
    }
    let values = Values::of_project(project);
    let binding = Templates::load("project")?.render(BINDING, &values)?;
    let mut operations = patch(project, &values)?;
    operations.push(Operation::generate(BINDING, binding, force));
    Ok(operations)
}

/// Returns the operations that add the manager's namespace patch and its kustomization entry. If
/// `project.namespaced` is false, the operations remove only the entry.
pub(super) fn patch(project: &Project, values: &Values<'_>) -> Result<Vec<Operation>> {
    if !project.namespaced {
        let path = "manager_namespace_patch.yaml".to_owned();
        let edit = Edit::RemoveEntry { fragment: ENTRY.to_owned(), path };
        return Ok(vec![Operation::edit(KUSTOMIZATION, edit)]);
    }
    let content = Templates::load("project")?.render(PATCH, values)?;
    let edit = Edit::AtMarker { marker: MARKER.to_owned(), fragment: ENTRY.to_owned() };
    Ok(vec![Operation::create(PATCH, content, Existing::Keep), Operation::edit(KUSTOMIZATION, edit)])
}

/// Refuses a cluster-scoped kind if the manager has permissions in only one namespace.
pub(super) fn check(project: &Project, resource: &Resource) -> Result<()> {
    if !project.namespaced || resource.namespaced {
        return Ok(());
    }
    let kind = &resource.key.kind;
    Err(Error::user(format!("`{kind}` is cluster-scoped, and the manager has rights in one namespace only"))
        .caused_by("a namespaced project uses a Role, which cannot grant permissions outside its namespace")
        .hint(
            "opctl edit --namespaced=false    # lets the manager work in the whole cluster; or create the kind with \
             `--namespaced=true`",
        ))
}
