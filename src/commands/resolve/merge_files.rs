//! Reads the files of an unfinished merge, and the versions of these files in git.

use crate::error::hint;
use crate::exec::GitState;
use crate::model::{PROJECT_FILE, ProjectPath};
use crate::plan::{Entry, LEDGER_FILE, Ledgers, Unfinished, Versions};
use crate::workspace::Workspace;
use crate::{Result, conflict};
use std::collections::BTreeSet;

/// Reads the files that git lists as unmerged, and the files that opctl writes. Also reads the ledgers, which list
/// opctl's files on each side of the merge.
pub(super) fn read(workspace: &Workspace, git: Option<&GitState>) -> Result<(Unfinished, Ledgers)> {
    let own = ProjectPath::from(LEDGER_FILE);
    let ledger = versions(LEDGER_FILE, text(workspace, &own)?, git);
    let ledgers = Ledgers::of(&ledger)?;
    let mut paths: BTreeSet<ProjectPath> = ledgers.paths();
    for path in git.into_iter().flat_map(GitState::unmerged_files) {
        let known = ProjectPath::parse(path).map_err(|refused| {
            refused.hint(hint!(
                "git add {path}    # once you have resolved it by hand; then run `opctl resolve` again",
                path
            ))
        })?;
        paths.insert(known);
    }
    paths.remove(LEDGER_FILE);
    let mut files = Unfinished::from([(own, ledger)]);
    for path in paths {
        let text = text(workspace, &path)?;
        let is_marked = text.as_ref().is_some_and(|text| conflict::line_of(&path, text).is_some());
        // Git needs a process for each text, so it is not asked for every file.
        let is_asked = is_marked || path == PROJECT_FILE || ledgers.merged.is_merged(&path);
        let git = git.filter(|git| is_asked || git.is_unmerged(&path));
        let versions = versions(&path, text, git);
        files.insert(path, versions);
    }
    Ok((files, ledgers))
}

fn versions(path: &str, text: Option<String>, git: Option<&GitState>) -> Versions {
    let Some(git) = git else { return Versions { text, ..Versions::default() } };
    let is_unmerged = git.is_unmerged(path);
    let base = match path {
        _ if is_unmerged => git.base(path),
        PROJECT_FILE | LEDGER_FILE => git.common_ancestor_text(path),
        _ => None,
    };
    let (ours, theirs) = (git.ours(path), git.theirs(path));
    Versions { text, base, ours, theirs, is_unmerged, is_removed: git.is_removed(path) }
}

fn text(workspace: &Workspace, path: &ProjectPath) -> Result<Option<String>> {
    Ok(match workspace.snapshot([path])?.entry(path) {
        Entry::Text(text) => Some(text.clone()),
        _ => None,
    })
}
