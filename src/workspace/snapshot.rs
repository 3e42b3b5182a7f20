//! Reads the files that a plan changes.

use crate::Result;
use crate::error::file_error;
use crate::model::{PROJECT_FILE, ProjectPath};
use crate::plan::{Entry, LEDGER_FILE, Snapshot};
use crate::reading::{self, Limit};
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;

/// For each folder that was looked at, the entry that all paths below it have; `None` if a file can be there.
type Folders<'a> = HashMap<&'a Path, Option<Entry>>;

/// Reads the files at `paths`, which are below `root`. Looks at each folder once.
pub(super) fn take(root: &Path, paths: impl IntoIterator<Item = impl Into<ProjectPath>>) -> Result<Snapshot> {
    let paths: Vec<ProjectPath> = paths.into_iter().map(Into::into).collect();
    let (mut entries, mut folders) = (Vec::with_capacity(paths.len()), Folders::new());
    for path in &paths {
        let above = Path::new(path.as_str()).parent().map_or(Ok(None), |folder| below(root, folder, &mut folders))?;
        entries.push(above.map_or_else(|| entry(root, path), Ok)?);
    }
    let mut snapshot = Snapshot::default();
    for (path, entry) in paths.into_iter().zip(entries) {
        snapshot.insert(path, entry);
    }
    Ok(snapshot)
}

/// Returns true if a folder of the project is one, and no symlink on the way leads out.
pub(super) fn is_folder(root: &Path, folder: &ProjectPath) -> bool {
    let found = below(root, Path::new(folder.as_str()), &mut Folders::new());
    matches!(found, Ok(None)) && root.join(folder).is_dir()
}

/// Returns the entry that all paths below `folder` have, if no file can be there.
fn below<'a>(root: &Path, folder: &'a Path, folders: &mut Folders<'a>) -> Result<Option<Entry>> {
    let Some(parent) = folder.parent() else { return Ok(None) };
    if let Some(known) = folders.get(folder) {
        return Ok(known.clone());
    }
    let found = match below(root, parent, folders)? {
        None => obstacle(root, folder)?,
        above => above,
    };
    folders.insert(folder, found.clone());
    Ok(found)
}

fn obstacle(root: &Path, folder: &Path) -> Result<Option<Entry>> {
    let full = root.join(folder);
    if let Some(target) = leads_outside(root, &full)? {
        return Ok(Some(Entry::Outside(target)));
    }
    Ok(match std::fs::metadata(&full) {
        Ok(metadata) if !metadata.is_dir() => Some(Entry::NotAFolder(folder.to_string_lossy().into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Some(Entry::Missing),
        // The reader of the file reports the error.
        _ => None,
    })
}

/// Reads the content at `path` below `root`, in a folder in which a file can be.
fn entry(root: &Path, path: &ProjectPath) -> Result<Entry> {
    let full = root.join(path);
    if let Some(target) = leads_outside(root, &full)? {
        return Ok(Entry::Outside(target));
    }
    match std::fs::metadata(&full) {
        Ok(metadata) if !metadata.is_file() => return Ok(Entry::NotAFile),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Entry::Missing),
        Err(error) => return Err(file_error("read", &full, &error)),
    }
    let bytes = reading::content(&full, limit(path)).map_err(|error| file_error("read", &full, &error))?;
    Ok(String::from_utf8(bytes).map_or(Entry::Binary, Entry::Text))
}

fn limit(path: &str) -> Limit {
    if [PROJECT_FILE, LEDGER_FILE].contains(&path) { Limit::Settings } else { Limit::Bundle }
}

/// Returns the target of a symlink at `full` that leaves the project, or leads nowhere or into git's own folder.
fn leads_outside(root: &Path, full: &Path) -> Result<Option<String>> {
    // An error is reported by the reader of the file.
    if !std::fs::symlink_metadata(full).is_ok_and(|metadata| metadata.is_symlink()) {
        return Ok(None);
    }
    let target = std::fs::read_link(full).map_err(|error| file_error("read", full, &error))?;
    let inside = std::fs::canonicalize(root)
        .and_then(|root| std::fs::canonicalize(full).map(|real| real.strip_prefix(root).is_ok_and(is_within)))
        .unwrap_or(false);
    Ok((!inside).then(|| target.display().to_string()))
}

/// Returns true for a place below the root that a path of the project can name. The root itself is one, too: a symlink to
/// it leads nowhere else.
fn is_within(place: &Path) -> bool {
    place.as_os_str().is_empty()
        || place.to_str().is_some_and(|place| ProjectPath::parse(place.replace('\\', "/")).is_ok())
}
