//! Checks the paths of the files of the API reference, and reads the samples that the reference shows.

use crate::api_reference::Sample;
use crate::commands::reference_pages::{Format, is_page};
use crate::error::hint;
use crate::model::ProjectPath;
use crate::plan::file_text;
use crate::workspace::Workspace;
use crate::{Error, Result, yaml};
use std::path::{Component, Path, PathBuf};

/// The path of the page that `opctl docs` writes if no flag names a file.
pub(super) const DEFAULT: &str = "docs/api.md";

const SAMPLES: &str = "config/samples";

/// Returns the path, relative to the project's root, of a file that was named relative to `directory`.
///
/// # Errors
/// Fails if the file is not below the root, or if its extension is not one of the format's extensions.
pub(super) fn below_root(file: &str, format: Format, workspace: &Workspace, directory: &Path) -> Result<ProjectPath> {
    let (end, ends) = (Path::new(file).extension().and_then(|end| end.to_str()), format.extensions());
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (root, file_path) =
        (normalize_path(&absolute(workspace.root())), normalize_path(&absolute(&directory.join(file))));
    let Ok(below) = file_path.strip_prefix(&root) else {
        return Err(Error::usage(format!("`{file}` is not below the project's folder")).hint(match format {
            Format::Markdown => hint!("opctl docs --stdout > {file}", file),
            Format::Html => hint!("opctl docs --stdout=html > {file}", file),
        }));
    };
    if !end.is_some_and(|end| ends.contains(&end)) {
        let (end, flag) = (ends[0], if format == Format::Html { "--html" } else { "--markdown" });
        return Err(Error::usage(format!("`{file}` does not end in `.{end}`")).hint(hint!(
            "opctl docs {flag} docs/api.{end}",
            flag,
            end
        )));
    }
    ProjectPath::parse(below.to_string_lossy().replace('\\', "/"))
}

/// Returns the path without the parts `.` and `..`.
fn normalize_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// Returns the first of the files that exists and that `opctl docs` did not write.
pub(super) fn find_foreign_file(paths: &[&ProjectPath], workspace: &Workspace) -> Result<Option<ProjectPath>> {
    let snapshot = workspace.snapshot(paths.iter().copied())?;
    for path in paths {
        if file_text(path, &snapshot)?.is_some_and(|text| !is_page(text)) {
            return Ok(Some((*path).clone()));
        }
    }
    Ok(None)
}

/// Returns the samples of the project, in the order of their files.
pub(super) fn samples(workspace: &Workspace) -> Result<Vec<Sample>> {
    let files: Vec<ProjectPath> =
        workspace.files_below(SAMPLES).into_iter().filter(|file| yaml::is_yaml(Path::new(file))).collect();
    let snapshot = workspace.snapshot(&files)?;
    let read = |file: &ProjectPath| Sample::read(file, snapshot.text(file).unwrap_or_default());
    Ok(files.iter().flat_map(read).collect())
}
