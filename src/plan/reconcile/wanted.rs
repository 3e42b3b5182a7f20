//! The files that opctl generates for a project.

use super::super::bases::stored_base;
use super::super::edited::edited;
use super::super::merge::{has, position, without};
use super::super::{Edit, Existing, Ledger, Operation, Snapshot, Step, hash};
use crate::Result;
use crate::model::ProjectPath;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that opctl generates for a project.
#[derive(Clone, Debug, Default)]
pub struct Generated {
    /// The operations that every project has.
    pub made: Vec<Operation>,
    /// The operations that commands have added, in their order.
    pub added: Vec<Operation>,
    /// Files that an earlier opctl generated elsewhere: their old and new paths.
    pub moved: Vec<(ProjectPath, ProjectPath)>,
    /// Files that an update leaves as they are.
    pub left: BTreeSet<ProjectPath>,
}

impl Generated {
    /// Returns all operations, in the order in which they are carried out.
    pub(in crate::plan) fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.made.iter().chain(&self.added)
    }
}

/// A file as opctl generates it.
#[derive(Clone, Debug)]
pub(in crate::plan) struct Wanted {
    pub(in crate::plan) text: String,
    /// True if the command that creates the file keeps an existing file of the user's.
    pub(super) spares_others: bool,
    /// The text before each edit.
    stages: Vec<String>,
    edits: Vec<(Edit, IsAdded)>,
}

/// True for an edit that a command has added.
type IsAdded = bool;

impl Wanted {
    /// Returns the text before one of the edits, if its hash is among `hashes`: when a command inserts into an edited
    /// file, the ledger keeps the hash of the earlier text.
    pub(super) fn stage(&self, hashes: &BTreeSet<String>) -> Option<&str> {
        self.stages.iter().map(String::as_str).find(|text| hashes.contains(&hash(text)))
    }

    /// Returns the edits of the file.
    pub(super) fn edits(&self) -> Vec<&Edit> {
        self.edits.iter().map(|(edit, _)| edit).collect()
    }

    /// Returns true if opctl has nothing to insert into `ours`, which started from the stage. Edits that commands have
    /// added do not count: they are in `ours` unless the user removed them.
    pub(super) fn adds_nothing(&self, path: &str, stage: &str, ours: &str) -> bool {
        let mut made = self.edits.iter().filter(|(_, is_added)| !is_added);
        made.all(|(edit, _)| has(edit, stage, path) || has(edit, ours, path))
    }

    /// Returns the base and the generated text without differences that come only from opctl's insertions: insertions
    /// that are in `ours` are added to the base, and those that the user has removed are removed from both.
    pub(super) fn around(&self, path: &str, base: &str, ours: &str) -> (String, String) {
        let (mut base, mut text) = (base.to_owned(), self.text.clone());
        for (edit, _) in &self.edits {
            if has(edit, ours, path) {
                base = edited(edit, Some(&base), path).unwrap_or(base);
            } else if has(edit, &base, path) {
                (base, text) = (without(edit, &base), without(edit, &text));
            }
        }
        (base, text)
    }
}

/// Returns the files by path. Fragments at a marker stand in the order that the project has: see [`sequence`].
pub(in crate::plan) fn wanted(
    generated: &Generated,
    ledger: &Ledger,
    snapshot: &Snapshot,
) -> Result<BTreeMap<ProjectPath, Wanted>> {
    wanted_in(generated, &sequence(generated, ledger, snapshot))
}

/// Returns the files by path, with the operations in the order of `sequence`.
pub(super) fn wanted_in(generated: &Generated, sequence: &[usize]) -> Result<BTreeMap<ProjectPath, Wanted>> {
    let operations: Vec<&Operation> = generated.operations().collect();
    let file = |text: &str, spares_others| Wanted {
        text: text.to_owned(),
        spares_others,
        stages: Vec::new(),
        edits: Vec::new(),
    };
    let mut files: BTreeMap<ProjectPath, Wanted> = BTreeMap::new();
    for index in sequence {
        let Operation { path, step } = operations[*index];
        if generated.left.contains(path) {
            continue;
        }
        match step {
            Step::Create { content, existing } => {
                let spares_others = !matches!(existing, Existing::Conflict | Existing::Overwrite);
                files.entry(path.clone()).or_insert_with(|| file(content, spares_others));
            }
            Step::Edit(edit) => {
                let file = files.entry(path.clone()).or_insert_with(|| file("", true));
                let text = edited(edit, Some(&file.text), path)?;
                file.stages.push(std::mem::replace(&mut file.text, text));
                file.edits.push((edit.clone(), *index >= generated.made.len()));
            }
            // Other commands write these files and keep them up to date.
            Step::Generate { .. } | Step::Record(_) | Step::Remove { .. } => {}
        }
    }
    Ok(files)
}

/// Returns the order of the operations: the insertions into each file are reordered among themselves as the text that
/// opctl generated last has them, or else as the working tree has them. An insertion whose lines are not there follows the
/// one before it.
pub(super) fn sequence(generated: &Generated, ledger: &Ledger, snapshot: &Snapshot) -> Vec<usize> {
    let operations: Vec<&Operation> = generated.operations().collect();
    let mut sequence: Vec<usize> = (0..operations.len()).collect();
    let mut insertions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, operation) in operations.iter().enumerate() {
        if matches!(operation.step, Step::Edit(Edit::AtMarker { .. })) {
            insertions.entry(operation.path.as_str()).or_default().push(index);
        }
    }
    for (path, indices) in insertions {
        let base = ledger.files.get(path).and_then(|hashes| stored_base(hashes, snapshot));
        let texts = [base, snapshot.text(path)];
        let mut last = None;
        let places: Vec<_> = indices
            .iter()
            .map(|index| {
                let Step::Edit(edit) = &operations[*index].step else { return last };
                last = texts
                    .iter()
                    .flatten()
                    .enumerate()
                    .find_map(|(rank, text)| Some((rank, position(edit, text)?)))
                    .or(last);
                last
            })
            .collect();
        let mut sorted: Vec<_> = places.into_iter().zip(indices.iter().copied()).collect();
        sorted.sort_by_key(|(place, _)| *place);
        for (index, (_, operation)) in indices.into_iter().zip(sorted) {
            sequence[index] = operation;
        }
    }
    sequence
}
