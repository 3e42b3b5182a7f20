//! The sizes of folders.

use std::path::Path;

/// Returns the total size in bytes of the files below `folder`; links are not followed.
pub(super) fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let of = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.map(of).sum()
}

/// Formats a size for people, such as `2.00 KiB`.
pub(super) fn human(bytes: u64) -> String {
    indicatif::BinaryBytes(bytes).to_string()
}
