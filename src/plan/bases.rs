//! The texts that opctl generated and that no commit has: each is the base of a later merge into an edited file.

use super::{Action, Change, Ledger, Snapshot, hash};
use crate::Result;
use crate::model::ProjectPath;
use std::collections::BTreeSet;

/// The folder of the texts, each named by its hash.
pub const BASES: &str = ".opctl/generated";

pub(super) fn base_file(hash: &str) -> Result<ProjectPath> {
    ProjectPath::from(BASES).join(hash)
}

/// Returns the stored text that has one of these hashes.
pub(super) fn stored_base<'a>(hashes: &BTreeSet<String>, snapshot: &'a Snapshot) -> Option<&'a str> {
    let stored = |known: &String| snapshot.text(&base_file(known).ok()?).filter(|text| hash(text) == *known);
    hashes.iter().find_map(stored)
}

/// Records that opctl generates `text` for the file at `path`, which also has changes of the user's. Returns the changes
/// of the stored texts: this one is stored, and the one before is removed unless another file needs it.
pub(super) fn rebase(path: &ProjectPath, text: &str, ledger: &mut Ledger, snapshot: &Snapshot) -> Result<Vec<Change>> {
    let earlier = ledger.files.get(path.as_str()).cloned().unwrap_or_default();
    ledger.record(path, text);
    let mut changes = Vec::new();
    for hash in earlier.into_iter().filter(|hash| !ledger.files.values().any(|known| known.contains(hash))) {
        let path = base_file(&hash)?;
        if let Some(before) = snapshot.text(&path) {
            changes.push(Change { before: Some(before.to_owned()), path, action: Action::Remove, after: None });
        }
    }
    let path = base_file(&hash(text))?;
    if snapshot.text(&path).is_none() {
        changes.push(Change { path, action: Action::Create, before: None, after: Some(text.to_owned()) });
    }
    Ok(changes)
}
