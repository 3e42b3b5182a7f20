//! The header above every generated manifest: chosen, kept in `PROJECT`, and read.

use crate::manifest;
use crate::model::Project;
use crate::plan::readable;
use crate::workspace::Workspace;
use crate::{Error, Result};
use std::path::{Component, Path};

/// Stores the header file and year of the command line in the project; an empty text removes the stored value.
pub(super) fn choose(project: &mut Project, file: Option<&str>, year: Option<&str>) {
    let kept = |asked: Option<&str>, known: &Option<String>| match asked {
        Some(asked) => Some(asked.trim_start_matches("./").to_owned()).filter(|asked| !asked.is_empty()),
        None => known.clone(),
    };
    project.header_file = kept(file, &project.header_file);
    project.header_year = kept(year, &project.header_year);
}

/// Returns the comments that the project wants above its manifests.
///
/// # Errors
/// A file that is missing, or not below the project's root.
pub(super) fn read(project: &Project, workspace: &Workspace) -> Result<String> {
    let Some(file) = &project.header_file else { return Ok(String::new()) };
    let hint = "opctl manifests --header-file hack/header.txt    # a path from the project's root; '' for no header";
    if !Path::new(file).components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(Error::user(format!("the header file `{file}` is not a path below the project's root"))
            .caused_by("what is committed has to give the same files everywhere")
            .hint(hint));
    }
    let snapshot = workspace.snapshot([file.as_str()])?;
    let Some(text) = readable(file, &snapshot)? else {
        return Err(Error::user(format!("the header file `{file}` does not exist")).hint(hint));
    };
    Ok(manifest::header(&text, project.header_year.as_deref()))
}
