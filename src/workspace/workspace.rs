//! A project's folder, opened for reading or for writing.

use super::disk::RealDisk;
use super::seal::Sealer;
use super::{commit, journal, lock, recover, snapshot};
use crate::model::ProjectPath;
use crate::plan::{Plan, Snapshot, file_text};
use crate::report::Console;
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// A project's folder. While a command has the folder open for writing, no other opctl writes to the folder.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    writing: Option<(lock::Lock, Sealer)>,
}

impl Workspace {
    /// Opens the folder for a command that reads all files of a project, such as a check or a dry run.
    ///
    /// # Errors
    /// Fails if a killed command may have changed only some of the files.
    pub fn open(root: &Path, console: &Console) -> Result<Self> {
        if was_stopped(root, console) {
            return Err(Error::conflict("an opctl command was stopped in this project")
                .caused_by(
                    "the changes of that command may be incomplete, and a command that only reads does not \
                            complete them",
                )
                .hint(
                    "opctl update    # first completes or undoes the stopped command, like every opctl command that \
                     writes files",
                ));
        }
        Ok(Workspace { root: root.to_owned(), writing: None })
    }

    /// Opens the folder for a command that only shows information. Warns the user if a command was killed.
    pub fn look(root: &Path, console: &Console) -> Self {
        if was_stopped(root, console) {
            console.warning(
                "an opctl command was stopped in this project; run `opctl update`, or another command that writes, to \
                 complete or undo it",
            );
        }
        Workspace { root: root.to_owned(), writing: None }
    }

    /// Opens the folder for a command that writes. Waits until no other opctl writes to the project, and completes or
    /// undoes the commit of a killed command.
    pub fn open_for_writing(root: &Path, sealer: Sealer, console: &Console) -> Result<Self> {
        let lock = lock::Lock::acquire(root, console)?;
        recover::recover(root, &sealer, &RealDisk, console)?;
        Ok(Workspace { root: root.to_owned(), writing: Some((lock, sealer)) })
    }

    /// Returns the project's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads the files at `paths`.
    pub fn snapshot(&self, paths: impl IntoIterator<Item = impl Into<ProjectPath>>) -> Result<Snapshot> {
        snapshot::take(&self.root, paths)
    }

    /// Returns the text of the file at `path`, or `None` if no file exists at `path`.
    ///
    /// # Errors
    /// Fails if `path` is not a text file in the project.
    pub fn text(&self, path: impl Into<ProjectPath>) -> Result<Option<String>> {
        let path = path.into();
        Ok(file_text(&path, &self.snapshot([&path])?)?.map(str::to_owned))
    }

    /// Returns true if `path` is a text file of the project.
    pub fn has_text_file(&self, path: &str) -> bool {
        ProjectPath::parse(path)
            .and_then(|path| self.snapshot([&path]))
            .is_ok_and(|snapshot| snapshot.text(path).is_some())
    }

    /// Returns the files below a folder, sorted. A folder that is missing or outside of the project has no files.
    pub fn files_below(&self, folder: &'static str) -> Vec<ProjectPath> {
        self.files_in(&ProjectPath::from(folder))
    }

    /// Returns the files below a folder, like [`Workspace::files_below`], but for a folder whose name is known only at
    /// run time.
    pub fn files_in(&self, folder: &ProjectPath) -> Vec<ProjectPath> {
        let mut files = Vec::new();
        let mut next: Vec<ProjectPath> =
            Some(folder.clone()).filter(|folder| snapshot::is_folder(&self.root, folder)).into_iter().collect();
        while let Some(folder) = next.pop() {
            for entry in std::fs::read_dir(self.root.join(&folder)).into_iter().flatten().flatten() {
                // opctl gives no file such a name.
                let Some(path) = entry.file_name().to_str().and_then(|name| folder.join(name).ok()) else { continue };
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

    /// Writes all changes of the plan, or no change if one fails.
    pub fn commit(&self, plan: &Plan) -> Result<()> {
        let Some((_, sealer)) = &self.writing else {
            return Err(Error::bug("opctl tried to write to a project that it had opened only for reading"));
        };
        commit::commit(&self.root, plan, sealer, &RealDisk)
    }
}

/// Returns true if a killed command has left a journal. Waits first for an opctl command that still writes.
fn was_stopped(root: &Path, console: &Console) -> bool {
    if journal::exists(root) {
        lock::wait(root, console);
    }
    journal::exists(root)
}
