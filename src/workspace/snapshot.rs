//! Reads the files that a plan changes.

use crate::Result;
use crate::error::file_error;
use crate::model::{PROJECT_FILE, ProjectPath};
use crate::plan::{Entry, LEDGER_FILE, Snapshot};
use crate::reading::{self, Limit};
use std::collections::HashMap;
use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::path::Path;

/// A map from each examined folder to the common [`Entry`] of all paths below the folder, if the folder cannot contain
/// files: it is missing, a file is in its place, or it is outside of the project. The value is `None` for a folder that
/// may contain files.
type Folders<'a> = HashMap<&'a Path, Option<Entry>>;

/// Reads the files at `paths`, which are relative to `root`. Examines each folder only once.
pub(super) fn take(root: &Path, paths: impl IntoIterator<Item = impl Into<ProjectPath>>) -> Result<Snapshot> {
    let paths: Vec<ProjectPath> = paths.into_iter().map(Into::into).collect();
    let (mut entries, mut folders) = (Vec::with_capacity(paths.len()), Folders::new());
    for path in &paths {
        let above = Path::new(path.as_str())
            .parent()
            .map_or(Ok(None), |folder| common_entry_below(root, folder, &mut folders))?;
        entries.push(above.map_or_else(|| entry(root, path), Ok)?);
    }
    let mut snapshot = Snapshot::default();
    for (path, entry) in paths.into_iter().zip(entries) {
        snapshot.insert(path, entry);
    }
    Ok(snapshot)
}

/// Returns true if `folder` is a folder, and no symlink on its path leads out of the project.
pub(super) fn is_folder(root: &Path, folder: &ProjectPath) -> bool {
    let found = common_entry_below(root, Path::new(folder.as_str()), &mut Folders::new());
    matches!(found, Ok(None)) && root.join(folder).is_dir()
}

/// Returns false if a symlink at `path` or at a folder of `path` leads out of the project. The path need not exist.
pub fn stays_within(root: &Path, path: &ProjectPath) -> bool {
    let found = common_entry_below(root, Path::new(path.as_str()), &mut Folders::new());
    found.is_ok_and(|entry| !matches!(entry, Some(Entry::Outside(_))))
}

/// Returns the common [`Entry`] of all paths below `folder`, if no file can be there: `folder` is missing, a file is in
/// its place, or it is outside of the project. Returns `None` if `folder` may contain files.
fn common_entry_below<'a>(root: &Path, folder: &'a Path, folders: &mut Folders<'a>) -> Result<Option<Entry>> {
    let Some(parent) = folder.parent() else { return Ok(None) };
    if let Some(known) = folders.get(folder) {
        return Ok(known.clone());
    }
    let found = match common_entry_below(root, parent, folders)? {
        None => obstacle(root, folder)?,
        above => above,
    };
    folders.insert(folder, found.clone());
    Ok(found)
}

fn obstacle(root: &Path, folder: &Path) -> Result<Option<Entry>> {
    Ok(match examine_path(root, &root.join(folder))? {
        PathState::Nothing => Some(Entry::Missing),
        PathState::Outside(target) => Some(Entry::Outside(target)),
        PathState::Inside(metadata) if !metadata.is_dir() => {
            Some(Entry::NotAFolder(folder.to_string_lossy().into_owned()))
        }
        // The reader of the file reports the error.
        PathState::Inside(_) | PathState::Unreadable(_) => None,
    })
}

/// Reads the entry at `path` below `root`. The caller must have checked the folder of `path` with
/// [`common_entry_below`].
fn entry(root: &Path, path: &ProjectPath) -> Result<Entry> {
    let full = root.join(path);
    match examine_path(root, &full)? {
        PathState::Nothing => return Ok(Entry::Missing),
        PathState::Outside(target) => return Ok(Entry::Outside(target)),
        PathState::Inside(metadata) if !metadata.is_file() => return Ok(Entry::NotAFile),
        PathState::Inside(_) => {}
        PathState::Unreadable(error) => return Err(file_error("read", &full, &error)),
    }
    let bytes = reading::content(&full, limit(path)).map_err(|error| file_error("read", &full, &error))?;
    Ok(String::from_utf8(bytes).map_or(Entry::Binary, Entry::Text))
}

fn limit(path: &str) -> Limit {
    if [PROJECT_FILE, LEDGER_FILE].contains(&path) { Limit::Settings } else { Limit::Bundle }
}

/// The result of examining a path.
enum PathState {
    Nothing,
    /// A symlink with this target, which is outside of the project, missing, or in git's own folder.
    Outside(String),
    Inside(Metadata),
    Unreadable(io::Error),
}

/// Examines the path `full` below `root`. Makes more than one system call only for a symlink, to be fast when opctl
/// creates a project and examines many missing files.
fn examine_path(root: &Path, full: &Path) -> Result<PathState> {
    let there = match std::fs::symlink_metadata(full) {
        Ok(metadata) if metadata.is_symlink() => match target_outside(root, full)? {
            Some(target) => return Ok(PathState::Outside(target)),
            None => std::fs::metadata(full),
        },
        there => there,
    };
    Ok(match there {
        Ok(metadata) => PathState::Inside(metadata),
        Err(error) if error.kind() == ErrorKind::NotFound => PathState::Nothing,
        Err(error) => PathState::Unreadable(error),
    })
}

/// Returns the target of the symlink at `full`, if the symlink is [`PathState::Outside`].
fn target_outside(root: &Path, full: &Path) -> Result<Option<String>> {
    let target = std::fs::read_link(full).map_err(|error| file_error("read", full, &error))?;
    let inside = std::fs::canonicalize(root)
        .and_then(|root| std::fs::canonicalize(full).map(|real| real.strip_prefix(root).is_ok_and(is_within)))
        .unwrap_or(false);
    Ok((!inside).then(|| target.display().to_string()))
}

/// Returns true if `place`, the target of a symlink relative to the root, is in the project: it is the root itself, or
/// a valid project path.
fn is_within(place: &Path) -> bool {
    place.as_os_str().is_empty()
        || place.to_str().is_some_and(|place| ProjectPath::parse(place.replace('\\', "/")).is_ok())
}
