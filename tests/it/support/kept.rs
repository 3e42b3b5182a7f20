//! Folders that stay from one test run to the next, so that cargo finds what it compiled before: it tells packages
//! apart by their path, and finds changes by the times of the files.

use super::environment::{base_of_kept, folder_of_caller};
use super::runtime_times::settle;
use super::tree;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Returns the folder for files of this process, which is outside of the checkout. A second process at the same
/// time gets another folder.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<(PathBuf, Option<File>)> = OnceLock::new();
    let (folder, _lock) = FOLDER.get_or_init(|| {
        if let Some(folder) = folder_of_caller() {
            return (folder, None);
        }
        let names = std::iter::once("tests".to_owned()).chain((2..).map(|number| format!("tests-{number}")));
        let base = base_of_kept();
        let mut folders = names.map(|name| base.join(name));
        folders.find_map(|folder| Some((folder.clone(), Some(locked(&folder)?)))).unwrap()
    });
    folder
}

/// Locks the folder until the process ends, and returns the lock file. Returns `None` if another process holds the
/// lock.
fn locked(folder: &Path) -> Option<File> {
    fs::create_dir_all(folder).unwrap();
    let lock = File::create(folder.join("lock")).unwrap();
    match lock.try_lock() {
        Ok(()) => Some(lock),
        Err(TryLockError::WouldBlock) => None,
        Err(TryLockError::Error(error)) => panic!("{}: {error}", folder.display()),
    }
}

/// Returns the folder of the projects that are kept between runs.
pub(crate) fn projects() -> PathBuf {
    folder().join("projects")
}

/// Copies a project to its fixed folder, and returns that folder. Files with the same content stay as they are. `name`
/// is the path of the fixed folder, relative to the folder of all kept projects. Two tests may not use the same `name`
/// at the same time.
///
/// cargo does not distinguish packages of the same name in different folders, and does not recompile a package if its
/// files are older than the compiled package. So among the projects that use the same target folder, those with the
/// same package name must have the same content.
pub(crate) fn keep(name: &str, project: &Path) -> PathBuf {
    let kept = projects().join(name);
    fs::create_dir_all(&kept).unwrap();
    let (wanted, there) = (tree(project), tree(&kept));
    for path in there.keys().rev().filter(|path| !wanted.contains_key(*path)) {
        let remove = if path.ends_with('/') { fs::remove_dir } else { fs::remove_file };
        remove(kept.join(path)).unwrap();
    }
    for path in wanted.iter().filter(|(path, content)| there.get(*path) != Some(content)).map(|(path, _)| path) {
        let target = kept.join(path);
        if path.ends_with('/') {
            fs::create_dir_all(target).unwrap();
            continue;
        }
        let _ = fs::remove_file(&target);
        let source = project.join(path);
        if source.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(source).unwrap(), target).unwrap();
        } else {
            fs::copy(source, target).unwrap();
        }
    }
    settle(&kept);
    kept
}
