//! The files that opctl makes of a project.

use super::super::edited::edited;
use super::super::merge::{has, position, without};
use super::super::{Edit, Existing, Operation, Snapshot, Step, hash};
use crate::Result;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that opctl makes of a project.
#[derive(Clone, Debug, Default)]
pub struct Generated {
    /// The operations that every project has.
    pub made: Vec<Operation>,
    /// The operations that commands have added, in their order.
    pub added: Vec<Operation>,
    /// Files that an earlier opctl had elsewhere: where they were, and where they are.
    pub moved: Vec<(String, String)>,
    /// Files that an update leaves as they are.
    pub left: BTreeSet<String>,
}

impl Generated {
    /// All operations, in the order in which they are carried out.
    pub(super) fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.made.iter().chain(&self.added)
    }
}

/// A file as opctl generates it.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// Its text.
    pub(super) text: String,
    /// True if the command that makes it leaves a file of the user's that stands there.
    pub(super) spares_others: bool,
    /// The text before each edit.
    stages: Vec<String>,
    edits: Vec<(Edit, IsAdded)>,
}

/// True of what a command has added.
type IsAdded = bool;

impl Wanted {
    /// The text that has one of the hashes, where it is this one with fewer edits: what a command inserts into an edited file
    /// does not change the hash that the ledger has of it.
    pub(super) fn stage(&self, hashes: &BTreeSet<String>) -> Option<&str> {
        self.stages.iter().map(String::as_str).find(|text| hashes.contains(&hash(text)))
    }

    /// What is inserted into it.
    pub(super) fn edits(&self) -> Vec<&Edit> {
        self.edits.iter().map(|(edit, _)| edit).collect()
    }

    /// True if opctl has nothing to insert into `ours`, which began with the stage: what commands have added is in it, unless its
    /// user took it out.
    pub(super) fn adds_nothing(&self, path: &str, stage: &str, ours: &str) -> bool {
        let mut made = self.edits.iter().filter(|(_, is_added)| !is_added);
        made.all(|(edit, _)| has(edit, stage, path) || has(edit, ours, path))
    }

    /// The base and the text without differences that only opctl's insertions make: what it has inserted into `ours` since is in
    /// the base, too, and what the user has taken out of it is in neither.
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

/// The files by path. Fragments at a marker stand in the order in which they stand in the tree.
pub(super) fn wanted(generated: &Generated, snapshot: &Snapshot) -> Result<BTreeMap<String, Wanted>> {
    wanted_in(generated, &sequence(generated, snapshot))
}

/// The files by path, with the operations in the order of `sequence`.
pub(super) fn wanted_in(generated: &Generated, sequence: &[usize]) -> Result<BTreeMap<String, Wanted>> {
    let operations: Vec<&Operation> = generated.operations().collect();
    let file = |text: &str, spares_others| Wanted {
        text: text.to_owned(),
        spares_others,
        stages: Vec::new(),
        edits: Vec::new(),
    };
    let mut files: BTreeMap<String, Wanted> = BTreeMap::new();
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
            // Files of other commands, which keep them up to date.
            Step::Generate { .. } | Step::Record(_) | Step::Remove { .. } => {}
        }
    }
    Ok(files)
}

/// The order of the operations: the insertions of each file are exchanged among their places.
pub(super) fn sequence(generated: &Generated, snapshot: &Snapshot) -> Vec<usize> {
    let operations: Vec<&Operation> = generated.operations().collect();
    let mut sequence: Vec<usize> = (0..operations.len()).collect();
    let mut insertions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, operation) in operations.iter().enumerate() {
        if matches!(operation.step, Step::Edit(Edit::AtMarker { .. })) {
            insertions.entry(operation.path.as_str()).or_default().push(index);
        }
    }
    for (path, indices) in insertions {
        let Some(text) = snapshot.text(path) else { continue };
        let mut sorted = indices.clone();
        sorted.sort_by_key(|index| match &operations[*index].step {
            Step::Edit(edit) => position(edit, text).unwrap_or(usize::MAX),
            _ => usize::MAX,
        });
        for (index, operation) in indices.into_iter().zip(sorted) {
            sequence[index] = operation;
        }
    }
    sequence
}
