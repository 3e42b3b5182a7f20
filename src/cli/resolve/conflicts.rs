//! The files in conflict: both sides of each, and what they began with.

use crate::Result;
use crate::conflict::{self, Sides};
use crate::exec::Merge;
use crate::model::PROJECT_FILE;
use crate::plan::{Entry, LEDGER_FILE, Ledger, with_line_ends_of};
use crate::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const LOCK: &str = "Cargo.lock";

/// A file with conflict markers.
pub(super) struct Conflict {
    pub(super) text: String,
    pub(super) sides: Sides,
    pub(super) base: Option<String>,
}

/// The files of a project that are in conflict.
pub(super) struct Conflicts<'a> {
    workspace: &'a Workspace,
    pub(super) git: Option<&'a Merge>,
    pub(super) files: BTreeMap<String, Conflict>,
    /// The ledgers of the base and of both sides.
    pub(super) ledgers: [Ledger; 3],
    /// The ledger as it stands there, if it has no markers.
    pub(super) ledger: Option<String>,
}

impl<'a> Conflicts<'a> {
    /// Looks for markers in the files that git names, and in those that opctl writes.
    pub(super) fn find(workspace: &'a Workspace, git: Option<&'a Merge>) -> Result<Self> {
        let mut conflicts =
            Conflicts { workspace, git, files: BTreeMap::new(), ledgers: Default::default(), ledger: None };
        conflicts.look(LEDGER_FILE)?;
        conflicts.ledger = conflicts.text(LEDGER_FILE)?.filter(|_| !conflicts.files.contains_key(LEDGER_FILE));
        conflicts.ledgers = conflicts.read_ledgers()?;
        let known = conflicts.ledgers.iter().flat_map(|ledger| ledger.files.keys()).map(String::as_str);
        let unmerged = git.into_iter().flat_map(Merge::unmerged);
        let paths: BTreeSet<String> = known.chain(unmerged).chain([PROJECT_FILE, LOCK]).map(str::to_owned).collect();
        for path in paths {
            conflicts.look(&path)?;
        }
        conflicts.look_at_project()?;
        Ok(conflicts)
    }

    /// Looks at `PROJECT` where both sides changed it: git may have mixed the lines of two entries without a word.
    fn look_at_project(&mut self) -> Result<()> {
        let Some(git) = self.git.filter(|git| !git.is_unmerged(PROJECT_FILE)) else { return Ok(()) };
        let Some(text) = self.text(PROJECT_FILE)?.filter(|_| !self.files.contains_key(PROJECT_FILE)) else {
            return Ok(());
        };
        if let (Some(base), Some(ours), Some(theirs)) =
            (git.common(PROJECT_FILE), git.ours(PROJECT_FILE), git.theirs(PROJECT_FILE))
            && base != ours
            && base != theirs
            && only_lines_of(&text, [&ours, &theirs, &base])
        {
            let ours = with_line_ends_of(&text, &ours);
            let sides = Sides { line: 0, ours, theirs, names: Default::default(), base: None };
            self.files.insert(PROJECT_FILE.to_owned(), Conflict { text, sides, base: Some(base) });
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub(super) fn text(&self, path: &str) -> Result<Option<String>> {
        Ok(match self.workspace.snapshot([path])?.entry(path) {
            Entry::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    fn look(&mut self, path: &str) -> Result<()> {
        if let Some(text) = self.text(path)?
            && conflict::line_of(path, &text).is_some()
            && let Some(mut sides) = conflict::sides(&text)
        {
            let base = match self.git {
                Some(git) if git.is_unmerged(path) => git.base(path),
                // Of a file that is new on both sides the markers show an empty one.
                _ => sides.base.clone().filter(|base| !base.is_empty()),
            };
            // Git takes entries of many lines apart; as long as nobody edited the file, the sides are as they were committed.
            if [PROJECT_FILE, LEDGER_FILE, LOCK].contains(&path)
                && let Some(git) = self.git.filter(|git| git.is_unmerged(path))
                && let (Some(ours), Some(theirs)) = (git.ours(path), git.theirs(path))
                && only_lines_of(&text, [&ours, &theirs, base.as_deref().unwrap_or_default()])
            {
                (sides.ours, sides.theirs) = (with_line_ends_of(&sides.ours, &ours), theirs);
            }
            self.files.insert(path.to_owned(), Conflict { text, sides, base });
        }
        Ok(())
    }

    fn read_ledgers(&self) -> Result<[Ledger; 3]> {
        let parse = |text: Option<&str>| text.map_or_else(|| Ok(Ledger::default()), Ledger::parse);
        if let Some(Conflict { sides, base, .. }) = self.files.get(LEDGER_FILE) {
            return Ok([parse(base.as_deref())?, parse(Some(&sides.ours))?, parse(Some(&sides.theirs))?]);
        }
        let now = parse(self.ledger.as_deref())?;
        // Git may have put the lines of both sides together.
        let side =
            |text: Option<String>| text.and_then(|text| Ledger::parse(&text).ok()).unwrap_or_else(|| now.clone());
        let ours = side(self.git.and_then(|git| git.ours(LEDGER_FILE)));
        let theirs = side(self.git.and_then(|git| git.theirs(LEDGER_FILE)));
        Ok([now, ours, theirs])
    }
}

/// Whether a text with markers holds nothing but lines of these texts: nobody has begun to edit it.
pub(super) fn only_lines_of(text: &str, texts: [&str; 3]) -> bool {
    let known: BTreeSet<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let marker =
        |line: &str| ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|marker| line.starts_with(marker));
    text.lines().all(|line| known.contains(line) || marker(line))
}
