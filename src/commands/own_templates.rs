//! The project's own templates, which replace or add files that opctl generates.

use super::manifest_files::is_of_other_command;
use crate::error::{file_error, hint};
use crate::model::Project;
use crate::plan::reconcile::Rendering;
use crate::plan::{Entry, Operation};
use crate::scaffold::{OwnFiles, OwnTemplate, TEMPLATES_FOLDER};
use crate::workspace::Workspace;
use crate::{Error, Result};

/// The maximum number of templates.
const MOST: usize = 500;

/// Reads the project's own templates.
///
/// # Errors
/// Fails if the folder of the templates is a symlink, if the folder contains more than `MOST` files, or if a file in
/// the folder is not a template.
pub(super) fn own_templates(workspace: &Workspace) -> Result<Vec<OwnTemplate>> {
    let folder = workspace.root().join(TEMPLATES_FOLDER);
    if folder.is_symlink() {
        return Err(Error::user(format!("`{TEMPLATES_FOLDER}` is a symlink"))
            .caused_by("templates must be part of the project, so that every clone generates the same files")
            .hint(hint!(
                "cp -rL {TEMPLATES_FOLDER} templates && rm {TEMPLATES_FOLDER} && mv templates {TEMPLATES_FOLDER}",
                TEMPLATES_FOLDER
            )));
    }
    let files = workspace.files_below(TEMPLATES_FOLDER);
    if files.len() > MOST {
        return Err(Error::user(format!("`{TEMPLATES_FOLDER}` has {} files", files.len()))
            .caused_by(format!("a project may have at most {MOST} templates"))
            .hint(hint!("ls -R {TEMPLATES_FOLDER}", TEMPLATES_FOLDER)));
    }
    let snapshot = workspace.snapshot(&files)?;
    files
        .iter()
        .map(|file| match snapshot.entry(file) {
            Entry::Text(text) => OwnTemplate::new(file, text, is_of_other_command),
            _ => Err(file_error("read", &workspace.root().join(file), &std::io::ErrorKind::InvalidData.into())),
        })
        .collect()
}

/// Replaces the text of each generated file for which the project has a template, and adds the files of the
/// project's other templates.
pub(super) fn add_own_files(templates: &[OwnTemplate], project: &Project, generated: &mut Rendering) -> Result<()> {
    if templates.is_empty() {
        return Ok(());
    }
    let own = OwnFiles::of(project, templates)?;
    let further = own.further(generated.made.iter().chain(&generated.added));
    own.replace(&mut generated.made);
    own.replace(&mut generated.added);
    generated.made.splice(0..0, further);
    Ok(())
}

/// Applies the project's own templates to the operations of a command, and returns the resulting operations. If a
/// template yields a file that the command creates, the text of the template replaces the text of the file. If a
/// template yields a file for the project `after` but not for the project `before`, and no operation of the command
/// writes this file, adds an operation that creates the file.
///
/// `before` and `after` are the project before and after the command. `built_in` returns the files that opctl generates
/// without the project's own templates.
pub(super) fn with_own_files(
    templates: &[OwnTemplate],
    operations: &[Operation],
    (before, after): (Option<&Project>, &Project),
    built_in: impl Fn(&Project) -> Result<Rendering>,
) -> Result<Vec<Operation>> {
    let own = OwnFiles::of(after, templates)?;
    let further = |own: &OwnFiles, project: &Project| -> Result<Vec<Operation>> {
        let generated = built_in(project)?;
        Ok(own.further(generated.made.iter().chain(&generated.added)))
    };
    let known = match before {
        Some(before) => further(&OwnFiles::of(before, templates)?, before)?,
        None => Vec::new(),
    };
    let mut all = further(&own, after)?;
    let is_new = |operation: &Operation| {
        let is_in = |operations: &[Operation]| operations.iter().any(|other| other.path == operation.path);
        !is_in(&known) && !is_in(operations)
    };
    all.retain(is_new);
    all.extend_from_slice(operations);
    own.replace(&mut all);
    Ok(all)
}
