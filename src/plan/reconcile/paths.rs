//! Returns the paths of the files that an update reads.

use super::Rendering;
use crate::model::{PROJECT_FILE, ProjectPath};
use crate::plan::{LEDGER_FILE, Ledger};
use std::collections::{BTreeMap, BTreeSet};

/// The texts that opctl generated for edited files, without the user's edits, by path. They are the bases of three-way
/// merges.
pub type Bases = BTreeMap<ProjectPath, String>;

/// Returns the paths of the files that an update reads.
pub fn paths(generated: &Rendering, ledger: &Ledger) -> BTreeSet<ProjectPath> {
    let operations = generated.made.iter().chain(&generated.added).map(|operation| operation.path.clone());
    let moved = generated.moved.iter().flat_map(|(from, to)| [from.clone(), to.clone()]);
    let own = [LEDGER_FILE, PROJECT_FILE].map(ProjectPath::from);
    operations.chain(moved).chain(ledger.files.keys().cloned()).chain(own).collect()
}
