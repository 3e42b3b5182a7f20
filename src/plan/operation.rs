//! Operations that a scaffold asks for, before the files are read.

/// One step for one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Path below the project's root, with `/` between parts.
    pub path: String,
    /// The step.
    pub step: Step,
}

/// A step on a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Make a file that is the user's from then on.
    Create {
        /// Its content.
        content: String,
        /// The treatment of a file of other content.
        existing: Existing,
    },
    /// Write a file that stays opctl's own. One that somebody wrote into, or that opctl did not make, is refused.
    Generate {
        /// Its content.
        content: String,
        /// Replace it all the same: the user said `--force`.
        force: bool,
    },
    /// Write a record of opctl's own, whatever stands there. It is not among what opctl generated for others to read.
    Record(String),
    /// Change a file that is there, or that an earlier step makes.
    Edit(Edit),
    /// Remove a file that opctl generated; one that somebody wrote into is refused.
    Remove {
        /// Remove it all the same: the user said `--force`.
        force: bool,
    },
}

/// The treatment of an existing file of other content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave it: it was made before and is the user's now.
    Keep,
    /// Leave it, and say that it was skipped.
    Skip,
    /// Replace it while it is as opctl generated it; leave it once somebody wrote into it, and say so.
    KeepEdits,
    /// Refuse.
    Conflict,
    /// Replace it: the user said `--force`.
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
        /// The module that it names first.
        name: String,
        /// The line, or lines.
        line: String,
    },
    /// Lines that must be somewhere in the file.
    Lines(String),
    /// A line that is to go, however indented.
    RemoveLine(String),
    /// An entry of a list that is to go.
    RemoveEntry {
        /// The lines that it was made of.
        fragment: String,
        /// The file or folder that it names.
        path: String,
    },
    /// A crate that a Cargo.toml is to name.
    Dependency {
        /// The package.
        name: String,
        /// The text behind the `=`.
        value: String,
        /// Replace what stands there: the user said `--force`.
        force: bool,
    },
    /// A feature of a crate that a Cargo.toml is to switch on.
    Feature {
        /// The crate.
        dependency: String,
        /// The feature.
        feature: String,
    },
    /// A file that opctl now makes in another way: the difference goes into what its user made of it.
    Merge {
        /// The text that opctl made before.
        base: String,
        /// The text that opctl makes now.
        new: String,
    },
    /// The image that a kustomization has the manager run.
    Image(String),
    /// Sets `storage` in the `#[kube(..)]` of a version.
    Storage {
        /// The kind.
        kind: String,
        /// The version.
        version: String,
        /// True if it is the stored one.
        stored: bool,
    },
}

impl Operation {
    /// Makes a file; see [`Step::Create`].
    pub fn create(path: impl Into<String>, content: impl Into<String>, existing: Existing) -> Self {
        Operation { path: path.into(), step: Step::Create { content: content.into(), existing } }
    }

    /// Writes a file of opctl's own; see [`Step::Generate`].
    pub fn generate(path: impl Into<String>, content: impl Into<String>, force: bool) -> Self {
        Operation { path: path.into(), step: Step::Generate { content: content.into(), force } }
    }

    /// Writes a record; see [`Step::Record`].
    pub fn record(path: impl Into<String>, content: impl Into<String>) -> Self {
        Operation { path: path.into(), step: Step::Record(content.into()) }
    }

    /// Edits a file.
    pub fn edit(path: impl Into<String>, edit: Edit) -> Self {
        Operation { path: path.into(), step: Step::Edit(edit) }
    }

    /// Removes a file; see [`Step::Remove`].
    pub fn remove(path: impl Into<String>, force: bool) -> Self {
        Operation { path: path.into(), step: Step::Remove { force } }
    }
}
