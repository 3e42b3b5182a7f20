//! The project's files; only this module reads or writes them for a command's plan.
//!
//! A command makes all of its changes or none. [`commit()`] stages all new contents in `.opctl/journal`, moves them into
//! place by renames, `PROJECT` last, and undoes everything if a step fails. After a kill, the next command completes
//! the changes, or undoes them if not everything had been staged: [`Workspace::open`].

mod commit;
mod discover;
mod disk;
mod journal;
mod lock;
mod recover;
mod snapshot;
mod state_folder;

pub use commit::commit;
pub use discover::{discover, entries_in_the_way};
pub use disk::{Disk, RealDisk};

use crate::Result;
use crate::plan::{Change, Snapshot};
use crate::report::Console;
use std::path::{Path, PathBuf};

/// A project's folder without an unfinished command; for commands that write, no other opctl writes to it.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    lock: Option<lock::Lock>,
}

impl Workspace {
    /// Opens the folder for a command that only reads. First completes or undoes a killed command.
    pub fn open(root: &Path, console: &Console) -> Result<Self> {
        if journal::exists(root) {
            let lock = lock::Lock::acquire(root, console)?;
            recover::recover(root, &RealDisk, console)?;
            drop(lock);
        }
        Ok(Workspace { root: root.to_owned(), lock: None })
    }

    /// Opens the folder for a command that writes. Waits until no other opctl writes.
    pub fn open_for_writing(root: &Path, console: &Console) -> Result<Self> {
        let lock = lock::Lock::acquire(root, console)?;
        recover::recover(root, &RealDisk, console)?;
        Ok(Workspace { root: root.to_owned(), lock: Some(lock) })
    }

    /// Returns the project's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads the files at `paths`.
    pub fn snapshot<'a>(&self, paths: impl IntoIterator<Item = &'a str>) -> Result<Snapshot> {
        snapshot::take(&self.root, paths)
    }

    /// Returns true if `path` is a text file of the project.
    pub fn holds(&self, path: &str) -> bool {
        self.snapshot([path]).is_ok_and(|snapshot| snapshot.text(path).is_some())
    }

    /// Returns the files below a folder of the project, by path from the project's root, sorted; none if the folder
    /// does not exist.
    pub fn files_below(&self, folder: &str) -> Vec<String> {
        let mut files = Vec::new();
        let mut next = vec![folder.to_owned()];
        while let Some(folder) = next.pop() {
            for entry in std::fs::read_dir(self.root.join(&folder)).into_iter().flatten().flatten() {
                let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => next.push(path),
                    Ok(kind) if kind.is_file() => files.push(path),
                    _ => {}
                }
            }
        }
        files.sort();
        files
    }

    /// Removes the folders of removed files, if they are empty now.
    pub fn remove_empty_folders<'a>(&self, removed: impl Iterator<Item = &'a Change>) {
        for change in removed {
            let folders = Path::new(&change.path).ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
            // The operating system refuses to remove a folder that is not empty.
            let _ = folders.map(|folder| std::fs::remove_dir(self.root.join(folder))).find(Result::is_err);
        }
    }

    /// Writes all changes of the plan, or none.
    pub fn commit(&self, plan: &crate::plan::Plan) -> Result<()> {
        debug_assert!(self.lock.is_some(), "a workspace that writes was opened for writing");
        commit::commit(&self.root, plan, &RealDisk)
    }
}
