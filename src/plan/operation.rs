//! The operations on files that a command requests, independent of the current contents of the files.

use crate::model::ProjectPath;

/// An operation: a step, and the path of the file to which opctl applies the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The path of the file that the operation changes.
    pub path: ProjectPath,
    /// The step to apply to the file.
    pub step: Step,
}

/// An action on a file: to create, write, edit or remove the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Create a file that the user owns from then on.
    Create {
        /// The content that the new file gets.
        content: String,
        /// The treatment of an existing file at the path, if the file's text differs from `content`.
        existing: Existing,
    },
    /// Write a file that opctl owns. Unless `force` is true, the step fails if the user edited the existing file, or if
    /// opctl did not generate the existing file.
    Generate {
        /// The content that the file gets.
        content: String,
        /// True if the user passed `--force`: any existing file is replaced.
        force: bool,
    },
    /// Write a file that opctl keeps for its own use, such as `tests/explore.toml`, over any existing file. The hash of
    /// the file is not recorded in `.opctl/files.yaml`.
    Record(String),
    /// Edit an existing file, or a file that an earlier step creates.
    Edit(Edit),
    /// Remove a file that opctl generated. Unless `force` is true, the step fails if the user edited the file.
    Remove {
        /// True if the user passed `--force`: an edited file is also removed.
        force: bool,
    },
}

/// The treatment of an existing file that differs from the file that opctl would create.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Keep the file, which was created earlier and belongs to the user now.
    Keep,
    /// Keep the file, and report the file as skipped.
    Skip,
    /// Replace a file that opctl generated and the user has not edited. Keep any other file, and report it as skipped.
    KeepEdits,
    /// The command fails with a conflict.
    Conflict,
    /// Replace the file: the user passed `--force`.
    Overwrite,
}

/// A change of a file that the user owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A fragment to insert above a marker line.
    AtMarker {
        /// The marker line at which the lines are inserted.
        marker: String,
        /// The lines to insert, without indentation.
        fragment: String,
    },
    /// A `mod` line to insert, in rustfmt's order.
    Module {
        /// The visibility: `pub`, or an empty string.
        visibility: &'static str,
        /// The name of the module to declare.
        name: String,
    },
    /// A `use` line to insert, in rustfmt's order.
    Use {
        /// The module from which the line imports.
        name: String,
        /// The `use` item, in one or several lines.
        line: String,
    },
    /// Lines that the file must contain, at any place.
    Lines(String),
    /// A line to remove, with any indentation.
    RemoveLine(String),
    /// An entry to remove from a YAML list, such as an entry of a kustomization.
    RemoveEntry {
        /// The lines of the entry.
        fragment: String,
        /// The path of the file or folder that the entry names. The edit fails if another line still names this path.
        path: String,
    },
    /// A dependency to add to a Cargo.toml.
    Dependency {
        /// The name of the package to add.
        name: String,
        /// The text after the `=` in the line of the dependency.
        value: String,
        /// True if the user passed `--force`: an existing entry is replaced.
        force: bool,
    },
    /// A feature of a dependency to enable in a Cargo.toml.
    Feature {
        /// The name of the dependency in `Cargo.toml`.
        dependency: String,
        /// The name of the feature of the dependency.
        feature: String,
    },
    /// A difference between two texts that opctl generated, to merge into the user's text.
    Merge {
        /// The text that opctl generates for the project before the command.
        base: String,
        /// The text that opctl generates for the project after the command.
        new: String,
    },
    /// The manager's image to set in a kustomization.
    Image(String),
    /// The value of `storage` to set in the `#[kube(..)]` attribute of the type of one version.
    Storage {
        /// The kind to which the version belongs.
        kind: String,
        /// The version whose type the edit changes.
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

    /// Returns the operation that writes a file that opctl owns; see [`Step::Generate`].
    pub fn generate(path: impl Into<ProjectPath>, content: impl Into<String>, force: bool) -> Self {
        Operation { path: path.into(), step: Step::Generate { content: content.into(), force } }
    }

    /// Returns the operation that writes a file that opctl keeps for its own use; see [`Step::Record`].
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
