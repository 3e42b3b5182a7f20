//! The ledgers (`.opctl/files.yaml`, the hashes of generated files) of both sides of a git merge.

use super::super::draft::LOCK;
use super::conflict::{Conflict, only_lines_of};
use super::versions::Versions;
use crate::Result;
use crate::model::{PROJECT_FILE, ProjectPath};
use crate::plan::{LEDGER_FILE, Ledger};
use std::collections::BTreeSet;

/// The ledgers (`.opctl/files.yaml`, the hashes of generated files) of both sides of a git merge, and the merged
/// ledger.
#[derive(Clone, Debug)]
pub struct Ledgers {
    /// The ledger (`.opctl/files.yaml`) of the side that is checked out.
    pub ours: Ledger,
    /// The ledger (`.opctl/files.yaml`) of the side that is merged in.
    pub theirs: Ledger,
    /// The ledger (`.opctl/files.yaml`) with the changes of both sides.
    pub merged: Ledger,
}

impl Ledgers {
    /// Reads the ledgers from the versions of `.opctl/files.yaml`: in the working tree, and on both sides of a git
    /// merge.
    ///
    /// # Errors
    /// Fails if the merged ledger is damaged or, in a conflict, if the ledger of a side is damaged.
    pub fn of(versions: &Versions) -> Result<Self> {
        let parse = |text: Option<&str>| text.map_or_else(|| Ok(Ledger::default()), Ledger::parse);
        if let Some(Conflict { sides, base, .. }) = Conflict::of(LEDGER_FILE, versions) {
            let [base, ours, theirs] =
                [base.as_deref(), Some(sides.ours.as_str()), Some(sides.theirs.as_str())].map(parse);
            let (ours, theirs) = (ours?, theirs?);
            let merged = Ledger::merge(&base?, &ours, &theirs);
            return Ok(Ledgers { ours, theirs, merged });
        }
        // Git may have merged the lines of both sides without a conflict.
        let merged = parse(versions.text.as_deref())?;
        let side =
            |text: Option<&String>| text.and_then(|text| Ledger::parse(text).ok()).unwrap_or_else(|| merged.clone());
        let (ours, theirs) = (side(versions.ours.as_ref()), side(versions.theirs.as_ref()));
        let merged = match versions {
            // The lines of both sides stay, also those that one side has removed.
            Versions { text: Some(text), base: Some(base), ours: Some(our), theirs: Some(their), .. }
                if only_lines_of(text, [our, their, base]) =>
            {
                Ledger::parse(base).map_or(merged, |base| Ledger::merge(&base, &ours, &theirs))
            }
            _ => merged,
        };
        Ok(Ledgers { ours, theirs, merged })
    }

    /// Returns the paths of the files that opctl may have written on either side.
    pub fn paths(&self) -> BTreeSet<ProjectPath> {
        let known = [&self.merged, &self.ours, &self.theirs].into_iter().flat_map(|ledger| ledger.files.keys());
        known.cloned().chain([PROJECT_FILE, LOCK].map(ProjectPath::from)).collect()
    }
}
