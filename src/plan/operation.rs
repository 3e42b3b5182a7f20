//! Operations that a scaffold asks for, before the files are read.

use crate::model::ProjectPath;

/// One step for one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The file's path.
    pub path: ProjectPath,
    /// The step.
    pub step: Step,
}

/// A step on a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Create a file that the user owns from then on.
    Create {
        /// The file's content.
        content: String,
        /// The treatment of an existing file with other content.
        existing: Existing,
    },
    /// Write a file that opctl owns. Fails if the existing file was edited, or if opctl did not generate it.
    Generate {
        /// The file's content.
        content: String,
        /// Replace the file all the same: the user passed `--force`.
        force: bool,
    },
    /// Write a record of opctl's own over any existing file. The ledger does not list it.
    Record(String),
    /// Edit an existing file, or a file that an earlier step creates.
    Edit(Edit),
    /// Remove a file that opctl generated. Fails if the file was edited.
    Remove {
        /// Remove the file all the same: the user passed `--force`.
        force: bool,
    },
}

/// The treatment of an existing file with other content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Keep the file: it was created before and belongs to the user now.
    Keep,
    /// Keep the file, and report that it was skipped.
    Skip,
    /// Replace the file if it is as opctl generated it; otherwise keep it, and report that it was skipped.
    KeepEdits,
    /// Fail.
    Conflict,
    /// Replace the file: the user passed `--force`.
    Overwrite,
}

/// A change of a file that the user owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A fragment above a marker line.
    AtMarker {
        /// The marker line.
        marker: String,
        /// One or several lines without indentation.
        fragment: String,
    },
    /// A `mod` line in rustfmt's order.
    Module {
        /// `pub`, or nothing.
        visibility: &'static str,
        /// The module.
        name: String,
    },
    /// A `use` line in rustfmt's order.
    Use {
        /// The module that the line names first.
        name: String,
        /// The line, or lines.
        line: String,
    },
    /// Lines that must be somewhere in the file.
    Lines(String),
    /// A line to remove, with any indentation.
    RemoveLine(String),
    /// An entry to remove from a list.
    RemoveEntry {
        /// The lines of the entry.
        fragment: String,
        /// The file or folder that the entry names.
        path: String,
    },
    /// A dependency to add to a Cargo.toml.
    Dependency {
        /// The package.
        name: String,
        /// The text after the `=`.
        value: String,
        /// Replace an existing entry: the user passed `--force`.
        force: bool,
    },
    /// A feature of a dependency to enable in a Cargo.toml.
    Feature {
        /// The dependency.
        dependency: String,
        /// The feature.
        feature: String,
    },
    /// A file for which opctl generates another text now: the difference is merged into the user's text.
    Merge {
        /// The text that opctl generated before.
        base: String,
        /// The text that opctl generates now.
        new: String,
    },
    /// The image of the manager in a kustomization.
    Image(String),
    /// Sets `storage` in the `#[kube(..)]` of a version.
    Storage {
        /// The kind.
        kind: String,
        /// The version.
        version: String,
        /// True if this version is the storage version.
        stored: bool,
    },
}

impl Operation {
    /// Returns the operation that creates a file; see [`Step::Create`].
    pub fn create(path: impl Into<ProjectPath>, content: impl Into<String>, existing: Existing) -> Self {
        Operation { path: path.into(), step: Step::Create { content: content.into(), existing } }
    }

    /// Returns the operation that writes a file of opctl's own; see [`Step::Generate`].
    pub fn generate(path: impl Into<ProjectPath>, content: impl Into<String>, force: bool) -> Self {
        Operation { path: path.into(), step: Step::Generate { content: content.into(), force } }
    }

    /// Returns the operation that writes a record; see [`Step::Record`].
    pub fn record(path: impl Into<ProjectPath>, content: impl Into<String>) -> Self {
        Operation { path: path.into(), step: Step::Record(content.into()) }
    }

    /// Returns the operation that edits a file.
    pub fn edit(path: impl Into<ProjectPath>, edit: Edit) -> Self {
        Operation { path: path.into(), step: Step::Edit(edit) }
    }

    /// Returns the operation that removes a file; see [`Step::Remove`].
    pub fn remove(path: impl Into<ProjectPath>, force: bool) -> Self {
        Operation { path: path.into(), step: Step::Remove { force } }
    }
}
