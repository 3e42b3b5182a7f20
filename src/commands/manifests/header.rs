//! Reads the text of the header that opctl writes above every generated manifest, and stores the header's settings, a
//! file and a year, in `PROJECT`.

use crate::manifest;
use crate::model::{Project, ProjectPath, is_one_line};
use crate::workspace::Workspace;
use crate::{Error, Result};

const HINT: &str =
    "opctl manifests --header-file hack/header.txt    # a path from the project's root; '' for no header";

/// Stores the header file and year of the command line in `project`. An empty text removes the stored value.
///
/// # Errors
/// Fails if the file is not below the project's root.
pub(super) fn choose(project: &mut Project, file: Option<&str>, year: Option<&str>) -> Result<()> {
    if let Some(file) = file {
        let plain = Some(file.trim_start_matches("./")).filter(|plain| !plain.is_empty());
        let path = plain.map(ProjectPath::parse).transpose();
        project.header_file = path.map_err(|_| {
            Error::user(format!("the header file `{file}` is not a path below the project's root"))
                .caused_by("the header file must be part of the project, so that every clone generates the same files")
                .hint(HINT)
        })?;
    }
    if let Some(year) = year {
        if !year.is_empty() && !is_one_line(year) {
            return Err(Error::usage("`--header-year` is longer than 200 bytes or not one line of text")
                .hint("--header-year 2026"));
        }
        project.header_year = Some(year.to_owned()).filter(|year| !year.is_empty());
    }
    Ok(())
}

/// Returns the text of the project's header file as comments, for the beginning of each manifest. Returns an empty text
/// if the project has no header file.
///
/// # Errors
/// Fails if `PROJECT` names a header file that does not exist.
pub(super) fn read(project: &Project, workspace: &Workspace) -> Result<String> {
    let Some(file) = &project.header_file else { return Ok(String::new()) };
    let Some(text) = workspace.text(file)? else {
        return Err(Error::user(format!("the header file `{file}` does not exist")).hint(HINT));
    };
    Ok(manifest::header(&text, project.header_year.as_deref()))
}
