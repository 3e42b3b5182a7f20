//! The files that a plan reads, as they were when the plan was made.

use crate::model::ProjectPath;
use std::collections::BTreeMap;

/// The content at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// No file.
    Missing,
    /// A text file.
    Text(String),
    /// A file that is not UTF-8 text.
    Binary,
    /// A folder, a socket or the like.
    NotAFile,
    /// A file, at the given path, in the place of a folder of the path.
    NotAFolder(String),
    /// A symlink, or a path through a symlink, that leads out of the project to the given place.
    Outside(String),
}

/// Entries by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot(BTreeMap<ProjectPath, Entry>);

impl Snapshot {
    /// Adds an entry.
    pub fn insert(&mut self, path: impl Into<ProjectPath>, entry: Entry) {
        self.0.insert(path.into(), entry);
    }

    /// Returns the content at `path`; a path that was not read counts as missing.
    pub fn entry(&self, path: &str) -> &Entry {
        self.0.get(path).unwrap_or(&Entry::Missing)
    }

    /// Returns the texts below `folder`, by path.
    pub fn texts_below(&self, folder: &str) -> impl Iterator<Item = (&ProjectPath, &str)> {
        let below = move |path: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        self.0.keys().filter(move |path| below(path)).filter_map(|path| Some((path, self.text(path)?)))
    }

    /// Returns the text at `path`, if there is a text file.
    pub fn text(&self, path: &str) -> Option<&str> {
        match self.entry(path) {
            Entry::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns true if the file at `path` has this text; for `None`, if there is no file.
    pub fn holds(&self, path: &str, text: Option<&str>) -> bool {
        match self.entry(path) {
            Entry::Missing => text.is_none(),
            Entry::Text(now) => text == Some(now),
            _ => false,
        }
    }
}
