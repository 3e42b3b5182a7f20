//! Reads the files of a bundle, which tools other than opctl may have written.

use crate::error::{file_error, hint};
use crate::olm::{BundleFile, FOLDER};
use crate::reading::{Limit, bytes_within};
use crate::{Error, Result};
use std::path::Path;

/// The maximum number of files in a bundle. The largest operators have some hundreds of files.
const FILES: usize = 10_000;
/// The maximum size in bytes of all files of a bundle together.
const BYTES: usize = 128 << 20;

/// Reads the files of the bundle in a folder.
///
/// # Errors
/// Fails if the folder does not exist, if the files exceed `FILES` or `BYTES`, or if a file is unreadable, is too
/// large, is a pipe, or is a symlink that leads out of the folder.
pub(super) fn read(folder: &Path) -> Result<Vec<BundleFile>> {
    let mut files = Vec::new();
    let mut size = 0;
    let mut next = vec![String::new()];
    while let Some(below) = next.pop() {
        let place = folder.join(&below);
        let entries = std::fs::read_dir(&place).map_err(|error| file_error("read", &place, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| file_error("read", &place, &error))?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                let file = entry.path().display().to_string();
                return Err(Error::user(format!("`{file}` has a name that is not UTF-8"))
                    .hint(hint!("ls -b {place}", place = place.display())));
            };
            let path = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if files.len() + next.len() >= FILES || size > BYTES {
                return Err(Error::user(format!("`{}` is too large for a bundle", folder.display()))
                    .caused_by(format!(
                        "opctl reads at most {FILES} files with a total size of {} MiB from a bundle \
                                        folder",
                        BYTES >> 20
                    ))
                    .hint("use `--folder` to name the folder that contains `manifests` and `metadata`"));
            }
            if is_folder && below == "manifests" {
                files.push(BundleFile { path, content: FOLDER.to_vec() });
            } else if is_folder {
                if below.is_empty() {
                    files.push(BundleFile { path: format!("{path}/"), content: FOLDER.to_vec() });
                }
                next.push(path);
            } else {
                let content = bytes_within(folder, &path, Limit::Source)
                    .map_err(|error| file_error("read", &folder.join(&path), &error))?;
                size += content.len();
                files.push(BundleFile { path, content });
            }
        }
    }
    Ok(files)
}
