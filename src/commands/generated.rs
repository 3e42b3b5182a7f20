//! The files that opctl generates for a project in its current state.

use super::manifest_files::{self, is_json_schema, is_of_other_command};
use super::own_templates::{add_own_files, own_templates};
use super::package::package;
use super::reference_pages;
use crate::Result;
use crate::manifest::WEBHOOKS_FILE;
use crate::model::{Project, ProjectPath};
use crate::plan::reconcile::Rendering;
use crate::plan::{Existing, Ledger, Operation};
use crate::scaffold::{self, IMAGES_FILE};
use crate::workspace::Workspace;

/// The file with the rights that the manager needs for its webhooks.
const ROLE: &str = "config/webhook/role.yaml";

/// Returns all files that opctl generates for the project, except the files that `opctl manifests`, `opctl docs`,
/// `opctl build-installer` and `opctl bundle` write. The project's own templates are applied.
pub(super) fn generated_files(workspace: &Workspace, project: &Project, ledger: &Ledger) -> Result<Rendering> {
    let mut generated = built_in(workspace, project, ledger)?;
    add_own_files(&own_templates(workspace)?, project, &mut generated)?;
    Ok(generated)
}

/// Returns all files that opctl generates for the project from opctl's built-in templates, without the project's own
/// templates.
pub(super) fn built_in(workspace: &Workspace, project: &Project, ledger: &Ledger) -> Result<Rendering> {
    let mut generated = scaffold::generate_project(project)?;
    generated.added.extend(ledger.files.keys().filter_map(|path| manifest_files::entry(path)));
    let samples = ledger.files.keys().filter(|_| project.adopted.is_some());
    for (path, entry) in samples.filter_map(|path| Some((path, scaffold::adopted_sample(path)?))) {
        generated.left.insert(path.clone());
        generated.added.push(entry);
    }
    // The files beside the webhooks' manifests.
    for (path, content) in scaffold::webhook_folder(project, ledger.files.contains_key(WEBHOOKS_FILE))? {
        if ledger.files.contains_key(path) {
            generated.added.push(Operation::create(path, content, Existing::Keep));
        }
    }
    if ledger.files.contains_key(ROLE) {
        let hubs = project.resources.iter().filter(|resource| !resource.spokes.is_empty());
        let names = hubs.map(|hub| format!("{}.{}", hub.plural, hub.api_group(&project.domain)));
        generated.added.extend(names.map(|name| scaffold::conversion_right(&name)));
    }
    let snapshot = workspace.snapshot(["Cargo.toml", IMAGES_FILE])?;
    generated.added.extend(scaffold::chosen_image(&snapshot));
    let manifest = snapshot.text("Cargo.toml").unwrap_or_default();
    for resource in &project.resources {
        let package = package(workspace.root(), resource)?;
        generated.added.extend(scaffold::dependency(resource, manifest, package, false)?);
    }
    let known =
        generated.made.iter().chain(&generated.added).map(|operation| &operation.path).chain(ledger.files.keys());
    let left: Vec<ProjectPath> = known.filter(|path| is_of_other_command(path)).cloned().collect();
    generated.left.extend(left);
    let schemas = |path: &&ProjectPath| project.json_schema.iter().any(|folder| is_json_schema(folder, path));
    generated.left.extend(ledger.files.keys().filter(schemas).cloned());
    generated.left.extend(reference_pages::pages(ledger, workspace)?);
    Ok(generated)
}
