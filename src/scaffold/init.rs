//! The operations of `init`.

use super::lock_file::{MANIFESTS, with_packages};
use super::values::Values;
use super::{parts, scope};
use crate::Result;
use crate::model::{CiService, License, OptionalFile, Project, RuntimeSource};
use crate::plan::{Edit, Existing, Operation};
use crate::template::{Templates, verbatim};

/// Returns the operations for the files of a new project, which has no API yet.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn init(project: &Project) -> Result<Vec<Operation>> {
    let templates = Templates::load("project")?;
    let values = Values::of_project(project);
    let mut operations = Vec::new();
    for name in templates.names() {
        let file = OptionalFile::ALL.into_iter().find(|file| file.path(project.ci) == name);
        if is_of_other_ci(project.ci, name) || file.is_some_and(|file| !project.has_optional(file)) {
            continue;
        }
        if name == scope::PATCH || parts::is_made_later(name) || !has_file(project, name) {
            continue;
        }
        let path = match (name, project.license) {
            ("LICENSE-apache2", License::Apache2) | ("LICENSE-mit", License::Mit) => "LICENSE",
            ("LICENSE-apache2" | "LICENSE-mit", _) => continue,
            (name, _) => name,
        };
        let content = templates.render(name, &values)?;
        operations.push(match path {
            "Cargo.lock" => {
                let manifests = MANIFESTS.into_iter().filter(|name| has_file(project, name));
                let manifests: Vec<String> =
                    manifests.map(|name| templates.render(name, &values)).collect::<Result<_>>()?;
                Operation::create(path, with_packages(&content, &manifests)?, Existing::Conflict)
            }
            // A repository can have these files before it has a project.
            "README.md" | "LICENSE" | "clippy.toml" | "rustfmt.toml" => {
                Operation::create(path, content, Existing::Skip)
            }
            _ if file.is_some() => Operation::create(path, content, Existing::Skip),
            ".gitignore" | ".gitattributes" => Operation::edit(path, Edit::Lines(content)),
            _ => Operation::create(path, content, Existing::Conflict),
        });
    }
    // These files are the same in every project, without the header of the project's licence.
    for (path, text) in verbatim("project").filter(|(path, _)| has_file(project, path)) {
        operations.push(Operation::create(path, text.to_owned(), Existing::Conflict));
    }
    operations.extend(super::edit(project, project.parts.iter().copied(), false)?);
    if project.namespaced {
        operations.extend(scope::patch(project, &values)?);
    }
    Ok(operations)
}

fn is_of_other_ci(ci: CiService, path: &str) -> bool {
    match ci {
        CiService::GitHub => path == CiService::GitLab.path(),
        CiService::GitLab => path.starts_with(".github/workflows/"),
    }
}

/// Returns true if a new project contains the file at `path`; false only for files below `runtime/` if the project uses
/// the runtime crate from a registry.
fn has_file(project: &Project, path: &str) -> bool {
    project.runtime == RuntimeSource::Vendored || !path.starts_with("runtime/")
}
