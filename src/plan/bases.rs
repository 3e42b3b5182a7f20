//! Stores generated texts that no git commit contains. Each text is the base of a later merge into an edited file.

use super::{Change, Ledger, Snapshot, hash};
use crate::Result;
use crate::model::ProjectPath;
use std::collections::BTreeSet;

/// The folder of the stored texts. The name of each file is the hash of its text.
pub const BASES: &str = ".opctl/generated";

pub(super) fn base_file(hash: &str) -> Result<ProjectPath> {
    ProjectPath::from(BASES).join(hash)
}

/// Returns the generated text that is stored in [`BASES`] under one of these hashes, if any.
pub(super) fn stored_base<'a>(hashes: &BTreeSet<String>, snapshot: &'a Snapshot) -> Option<&'a str> {
    let stored = |known: &String| snapshot.text(&base_file(known).ok()?).filter(|text| hash(text) == *known);
    hashes.iter().find_map(stored)
}

/// Returns the changes that store `texts` in [`BASES`], and that remove the stored texts whose hashes are not in the
/// ledger (`.opctl/files.yaml`, the hashes of generated files).
pub(super) fn base_changes(texts: &BTreeSet<String>, ledger: &Ledger, tree: &Snapshot) -> Result<Vec<Change>> {
    let named: BTreeSet<&str> = ledger.files.values().flatten().map(String::as_str).collect();
    let unused = tree
        .texts_below(BASES)
        .filter(|(path, _)| !path.rsplit('/').next().is_some_and(|hash| named.contains(hash)))
        .map(|(path, text)| Change::new(path.clone(), Some(text.to_owned()), None));
    let mut changes: Vec<Change> = unused.collect();
    for text in texts {
        let path = base_file(&hash(text))?;
        if tree.text(&path).is_none() {
            changes.push(Change::new(path, None, Some(text.clone())));
        }
    }
    Ok(changes)
}
