//! The files that a plan reads, as they were when the plan was made.

use crate::model::ProjectPath;
use std::collections::BTreeMap;

/// The content at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The path has no file.
    Missing,
    /// A file with UTF-8 text.
    Text(String),
    /// A file that is not UTF-8 text.
    Binary,
    /// A folder or a special file, such as a socket.
    NotAFile,
    /// A file in place of a folder in the path. Holds the path of the file.
    NotAFolder(String),
    /// A symlink that leads out of the project, or a path through such a symlink. Holds the symlink's target.
    Outside(String),
}

/// The contents at the paths that a plan reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot(BTreeMap<ProjectPath, Entry>);

impl Snapshot {
    /// Adds the entry of a path to the snapshot.
    pub fn insert(&mut self, path: impl Into<ProjectPath>, entry: Entry) {
        self.0.insert(path.into(), entry);
    }

    /// Returns the content at `path`. A path that the plan has not read counts as missing.
    pub fn entry(&self, path: &str) -> &Entry {
        self.0.get(path).unwrap_or(&Entry::Missing)
    }

    /// Returns the texts of the files below `folder`, by path.
    pub fn texts_below(&self, folder: &str) -> impl Iterator<Item = (&ProjectPath, &str)> {
        let below = move |path: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        self.0.keys().filter(move |path| below(path)).filter_map(|path| Some((path, self.text(path)?)))
    }

    /// Returns the text at `path`, if the path has a text file.
    pub fn text(&self, path: &str) -> Option<&str> {
        match self.entry(path) {
            Entry::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns true if the file at `path` has this text; if `text` is `None`, returns true if the file is missing.
    pub fn has_text(&self, path: &str, text: Option<&str>) -> bool {
        match self.entry(path) {
            Entry::Missing => text.is_none(),
            Entry::Text(now) => text == Some(now),
            _ => false,
        }
    }
}
