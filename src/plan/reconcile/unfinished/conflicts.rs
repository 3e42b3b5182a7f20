//! Finds the files in conflict after a merge that git could not finish.

use super::conflict::Conflict;
use super::ledgers::Ledgers;
use super::versions::Unfinished;
use crate::Result;
use crate::model::{PROJECT_FILE, Project, ProjectPath, merge_projects};
use std::collections::BTreeMap;

/// The files of a project that are in conflict.
#[derive(Clone, Debug)]
pub struct Conflicts<'a> {
    pub(super) versions: &'a Unfinished,
    pub(super) files: BTreeMap<ProjectPath, Conflict>,
    pub(super) ledgers: &'a Ledgers,
}

impl<'a> Conflicts<'a> {
    /// Finds the files with conflict markers, and a `PROJECT` without markers in which git may have mixed the lines of
    /// different entries.
    pub fn find(versions: &'a Unfinished, ledgers: &'a Ledgers) -> Self {
        let marked = versions.iter().filter_map(|(path, of)| Some((path.clone(), Conflict::of(path, of)?)));
        let mut files: BTreeMap<_, _> = marked.collect();
        if !files.contains_key(PROJECT_FILE) {
            let unseen = versions.get(PROJECT_FILE).and_then(Conflict::from_mixed_entries);
            files.extend(unseen.map(|conflict| (PROJECT_FILE.into(), conflict)));
        }
        Conflicts { versions, files, ledgers }
    }

    /// Returns true if no file is in conflict.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the project that `PROJECT` describes. If `PROJECT` is in conflict, returns the project of each branch,
    /// and leaves out a branch whose `PROJECT` cannot be read.
    ///
    /// # Errors
    /// Fails if a `PROJECT` without conflict cannot be read.
    pub fn projects(&self) -> Result<Vec<Project>> {
        match self.files.get(PROJECT_FILE) {
            Some(Conflict { sides, .. }) => {
                Ok([&sides.ours, &sides.theirs].into_iter().filter_map(|text| Project::parse(text).ok()).collect())
            }
            None => Ok(vec![Project::parse(self.text(PROJECT_FILE).unwrap_or_default())?]),
        }
    }

    /// Returns the project with the changes of both sides; `None` if the changes contradict each other.
    pub fn merged_project(&self) -> Option<Project> {
        let text = match self.files.get(PROJECT_FILE) {
            Some(Conflict { sides, base, .. }) => merge_projects(base.as_deref(), &sides.ours, &sides.theirs).ok()?,
            None => self.text(PROJECT_FILE)?.to_owned(),
        };
        Project::parse(&text).ok()
    }

    /// Returns the file's text in the working tree.
    pub(super) fn text(&self, path: &str) -> Option<&'a str> {
        self.versions.get(path)?.text.as_deref()
    }
}
