//! The paths in the journal's folder, where new files and folders are staged until they are moved into the project.

use super::journal::{self, Journal};
use crate::model::ProjectPath;
use std::path::{Path, PathBuf};

/// The staging paths of a journal's new files and folders. A new folder is staged with all its content, so that a
/// single rename moves the folder into the project.
pub(super) struct Staging<'a> {
    folder: PathBuf,
    journal: &'a Journal,
    /// The new folders that are not in another new folder.
    trees: Vec<&'a ProjectPath>,
}

impl<'a> Staging<'a> {
    pub(super) fn new(root: &Path, journal: &'a Journal) -> Self {
        let is_new = |folder: &ProjectPath| journal.folders.contains(folder);
        let trees = journal.folders.iter().filter(|folder| !folder.folders().any(|above| is_new(&above)));
        Staging { folder: journal::folder(root), journal, trees: trees.collect() }
    }

    /// Returns the staged outermost folders, each with its path in the project.
    pub(super) fn trees(&self) -> impl Iterator<Item = (PathBuf, &'a ProjectPath)> {
        self.trees.iter().map(|path| (self.place_in_tree(path), *path))
    }

    /// Returns the outermost new folder that contains `path`.
    pub(super) fn tree_of(&self, path: &str) -> Option<&'a ProjectPath> {
        Some(self.trees[self.number_and_rest(path)?.0])
    }

    /// Returns the staging path of `path`, which must be in a new folder.
    pub(super) fn place_in_tree(&self, path: &str) -> PathBuf {
        let (number, rest) = self.number_and_rest(path).unwrap_or_default();
        self.folder.join(format!("{}{number}{rest}", journal::TREE))
    }

    /// Returns the staging path of the new content of the file with this index in the journal.
    pub(super) fn file(&self, index: usize) -> PathBuf {
        let path = &self.journal.entries[index].path;
        if self.tree_of(path).is_some() {
            self.place_in_tree(path)
        } else {
            self.folder.join(format!("{}{index}", journal::NEW))
        }
    }

    /// Returns the index in `trees` of the outermost new folder that contains `path`, and the part of `path` below it.
    fn number_and_rest<'b>(&self, path: &'b str) -> Option<(usize, &'b str)> {
        let rest = |tree: &&ProjectPath| path.strip_prefix(tree.as_str());
        let inside = |rest: &&str| rest.is_empty() || rest.starts_with('/');
        self.trees.iter().enumerate().find_map(|(number, tree)| Some((number, rest(tree).filter(inside)?)))
    }
}
