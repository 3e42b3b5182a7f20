//! Reads the files that a plan changes.

use crate::Result;
use crate::error::file_error;
use crate::plan::{Entry, Snapshot};
use std::io::ErrorKind;
use std::path::Path;

/// Reads the files at `paths`, which are below `root`.
pub(super) fn take<'a>(root: &Path, paths: impl IntoIterator<Item = &'a str>) -> Result<Snapshot> {
    let mut snapshot = Snapshot::default();
    for path in paths {
        snapshot.insert(path, entry(root, path)?);
    }
    Ok(snapshot)
}

/// Reads the content at `path` below `root`.
pub(super) fn entry(root: &Path, path: &str) -> Result<Entry> {
    if let Some(target) = leads_outside(root, path)? {
        return Ok(Entry::Outside(target));
    }
    let full = root.join(path);
    match std::fs::metadata(&full) {
        Ok(metadata) if !metadata.is_file() => return Ok(Entry::NotAFile),
        Ok(_) => {}
        // A file stands in the place of a folder, so that no file can be created below it.
        Err(error) if error.kind() == ErrorKind::NotADirectory => return Ok(Entry::NotAFolder(file_above(root, path))),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Entry::Missing),
        Err(error) => return Err(file_error("read", &full, &error)),
    }
    let bytes = std::fs::read(&full).map_err(|error| file_error("read", &full, &error))?;
    Ok(String::from_utf8(bytes).map_or(Entry::Binary, Entry::Text))
}

/// Returns the part of `path` that is a file.
fn file_above(root: &Path, path: &str) -> String {
    let file = Path::new(path).ancestors().skip(1).find(|above| root.join(above).is_file());
    file.map_or_else(|| path.to_owned(), |file| file.to_string_lossy().into_owned())
}

/// Returns the target of a symlink on the way from `root` to `path` that leaves the project or leads nowhere.
fn leads_outside(root: &Path, path: &str) -> Result<Option<String>> {
    let mut current = root.to_owned();
    for part in Path::new(path).components() {
        current.push(part);
        match std::fs::symlink_metadata(&current) {
            Ok(metadata) if metadata.is_symlink() => {}
            Ok(_) => continue,
            // Nothing is below it either, or the reader of the file reports the error.
            Err(_) => break,
        }
        let target = std::fs::read_link(&current).map_err(|error| file_error("read", &current, &error))?;
        let inside = std::fs::canonicalize(root)
            .and_then(|root| std::fs::canonicalize(&current).map(|real| real.starts_with(root)))
            .unwrap_or(false);
        if !inside {
            return Ok(Some(target.display().to_string()));
        }
    }
    Ok(None)
}
