//! Creates the file operations of `opctl adopt`, which adds the files in `config/` for types and an operator that exist
//! already.

use super::create_api::SAMPLES;
use super::values::Values;
use crate::Result;
use crate::model::{Project, ProjectPath};
use crate::plan::{Edit, Existing, Operation};
use crate::template::Templates;

/// The path of the role with the permissions that the operator's code needs.
const OPERATOR_ROLE: &str = "config/rbac/operator_role.yaml";
const SAMPLES_FOLDER: &str = "config/samples/";
const SAMPLES_KUSTOMIZATION: &str = "config/samples/kustomization.yaml";
/// The files that an adopted project has in common with a project that `opctl init` created.
const SHARED: [&str; 5] = [
    "config/crd/kustomization.yaml",
    "config/rbac/role.yaml",
    "config/rbac/role_binding.yaml",
    "config/rbac/service_account.yaml",
    "config/samples/kustomization.yaml",
];
/// The files to which opctl adds lines in every project.
const LINES: [&str; 2] = [".gitignore", ".gitattributes"];

/// The contents of the files that opctl derives from the operator's repository.
#[derive(Debug, Default)]
pub struct DerivedFiles {
    /// The permissions that the code needs, as the YAML of a `ClusterRole` named `operator-role`.
    pub role: String,
    /// The samples, each as its file name and its content.
    pub samples: Vec<(String, String)>,
}

/// Returns the operations for the files of an adopted project. `existing` sets how to treat files that already exist.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn adopt(project: &Project, seen: &DerivedFiles, existing: Existing) -> Result<Vec<Operation>> {
    let mut operations = config(project, existing)?;
    operations.push(Operation::create(OPERATOR_ROLE, &seen.role, existing));
    for (name, text) in &seen.samples {
        let path = format!("{SAMPLES_FOLDER}{name}");
        operations.extend(adopted_sample(&path));
        operations.push(Operation::create(ProjectPath::parse(path)?, text, existing));
    }
    Ok(operations)
}

/// Returns the operation that adds the sample at `path` to the kustomization of the samples; `None` if `path` is not a
/// sample.
pub fn adopted_sample(path: &str) -> Option<Operation> {
    let name = path.strip_prefix(SAMPLES_FOLDER).filter(|name| *name != "kustomization.yaml")?;
    let edit = Edit::AtMarker { marker: SAMPLES.to_owned(), fragment: format!("- {name}") };
    Some(Operation::edit(SAMPLES_KUSTOMIZATION, edit))
}

/// Returns the operations for the files of an adopted project whose content depends only on `PROJECT`, and not on the
/// operator's code.
pub(super) fn config(project: &Project, existing: Existing) -> Result<Vec<Operation>> {
    let values = Values::of_project(project);
    let mut operations = Vec::new();
    let (shared, own) = (Templates::load("project")?, Templates::load("adopted")?);
    for name in LINES {
        operations.push(Operation::edit(name, Edit::Lines(shared.render(name, &values)?)));
    }
    let shared = SHARED.iter().map(|name| Ok((*name, shared.render(name, &values)?)));
    let own = own.names().map(|name| Ok((name, own.render(name, &values)?)));
    for file in shared.chain(own).collect::<Result<Vec<_>>>()? {
        operations.push(Operation::create(file.0, file.1, existing));
    }
    Ok(operations)
}

/// Returns the path of the file with the operator's role. `opctl update` does not change this file in an adopted
/// project, because the role's content depends on the operator's code, and not only on `PROJECT`.
pub(super) fn operator_role_file() -> ProjectPath {
    OPERATOR_ROLE.into()
}
