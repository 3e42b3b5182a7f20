//! Finds the project's folder.

use super::journal;
use crate::error::{file_error, hint};
use crate::model::PROJECT_FILE;
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// Returns the nearest folder that contains `PROJECT`: `start` or a folder above.
///
/// # Errors
/// Fails if no folder contains `PROJECT`.
pub fn discover(start: &Path) -> Result<PathBuf> {
    let start = std::path::absolute(start).map_err(|error| file_error("find", start, &error))?;
    if !start.is_dir() {
        let error = Error::usage(format!("`{}` is not a folder", start.display()));
        let Some(file) = start.ancestors().find(|above| above.is_file()) else {
            return Err(error.hint(hint!("mkdir -p {}", start.to_string_lossy())));
        };
        let folder = file.parent().unwrap_or(file).to_string_lossy();
        return Err(error
            .caused_by(format!("`{}` is a file", file.display()))
            .hint(hint!("opctl -C {folder} list    # works in the folder of that file", folder)));
    }
    let found = start.ancestors().find(|folder| folder.join(PROJECT_FILE).is_file());
    found.map(Path::to_owned).ok_or_else(|| {
        let error = Error::user(format!("no project in `{}`", start.display()))
            .caused_by(format!("neither this folder nor a folder above it contains `{PROJECT_FILE}`"))
            .hint("opctl init --domain example.com");
        if journal::exists(&start) {
            error.caused_by("an `opctl init` was stopped in this folder; run the same command again to complete it")
        } else {
            error
        }
    })
}

/// Returns the entries of a folder that prevent a new project in the folder: all entries except dot files, documents
/// such as README and LICENSE, and the settings of rustfmt and clippy.
pub fn entries_in_the_way(folder: &Path) -> Result<Vec<String>> {
    const DOCUMENTS: [&str; 14] = [
        "AGENTS",
        "AUTHORS",
        "CHANGELOG",
        "CODEOWNERS",
        "CODE_OF_CONDUCT",
        "CONTRIBUTING",
        "COPYING",
        "GOVERNANCE",
        "LICENSE",
        "MAINTAINERS",
        "NOTICE",
        "OWNERS",
        "README",
        "SECURITY",
    ];
    const SETTINGS: [&str; 2] = ["clippy.toml", "rustfmt.toml"];
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(file_error("read", folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name =
            entry.map_err(|error| file_error("read", folder, &error))?.file_name().to_string_lossy().into_owned();
        let stem = name.split(['.', '-']).next().unwrap_or_default().to_ascii_uppercase();
        if !name.starts_with('.') && !DOCUMENTS.contains(&stem.as_str()) && !SETTINGS.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
