//! The files that opctl generates for a project.

use super::super::bases::stored_base;
use super::super::edited::apply_edit;
use super::super::merge::{is_edit_applied, remove_insertion};
use super::super::{Edit, Existing, Ledger, Operation, Snapshot, Step, hash};
use crate::Result;
use crate::edit::insert_at_marker_as_in;
use crate::model::ProjectPath;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that opctl generates for a project.
#[derive(Clone, Debug, Default)]
pub struct Rendering {
    /// The operations that opctl carries out in all projects.
    pub made: Vec<Operation>,
    /// The operations of commands such as `create api`, in the order of the commands.
    pub added: Vec<Operation>,
    /// Files that an earlier opctl generated at another path: their old and new paths.
    pub moved: Vec<(ProjectPath, ProjectPath)>,
    /// Files that an update leaves as they are.
    pub left: BTreeSet<ProjectPath>,
}

impl Rendering {
    /// Returns all operations, in the order in which they are carried out.
    pub(in crate::plan) fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.made.iter().chain(&self.added)
    }
}

/// A file as opctl generates it.
#[derive(Clone, Debug)]
pub(in crate::plan) struct RenderedFile {
    pub(in crate::plan) text: String,
    /// True if the command that creates the file keeps an existing file of the user.
    pub(super) spares_others: bool,
    /// The file's text before each of its edits, in the order of the edits.
    stages: Vec<String>,
    edits: Vec<(Edit, IsAdded)>,
}

/// True if a command added the edit to the project; false if opctl makes the edit in all projects.
type IsAdded = bool;

impl RenderedFile {
    /// Returns a file without edits.
    pub(super) fn whole(text: &str, spares_others: bool) -> Self {
        RenderedFile { text: text.to_owned(), spares_others, stages: Vec::new(), edits: Vec::new() }
    }

    /// Returns the generated file's text as it was before one of opctl's edits, if the hash of this text is among
    /// `hashes`. The ledger (`.opctl/files.yaml`) has such a hash if a command inserted lines into a file that the user
    /// had already edited: the ledger then keeps the hash of the text before the insertion.
    pub(super) fn stage(&self, hashes: &BTreeSet<String>) -> Option<&str> {
        self.stages.iter().map(String::as_str).find(|text| hashes.contains(&hash(text)))
    }

    /// Returns the edits of the file.
    pub(super) fn edits(&self) -> Vec<&Edit> {
        self.edits.iter().map(|(edit, _)| edit).collect()
    }

    /// Returns true if opctl has nothing to insert into the user's text `ours`, which is an edited form of the
    /// generated text `stage`. This is the case if each edit that opctl makes in all projects is already in `stage` or
    /// in `ours`. Ignores the edits that commands have added to the project: a command made such an edit directly in
    /// the user's file, and the user may have removed the edit since.
    pub(super) fn adds_nothing(&self, path: &str, stage: &str, ours: &str) -> bool {
        let mut made = self.edits.iter().filter(|(_, is_added)| !is_added);
        made.all(|(edit, _)| is_edit_applied(edit, stage, path) || is_edit_applied(edit, ours, path))
    }

    /// Returns the base and the generated text for a merge with the user's text `ours`, adjusted so that they differ
    /// only in changes that `ours` may lack. An edit of opctl that `ours` already contains is added to the base. An
    /// edit that the base contains and `ours` lacks, because the user removed the edit, is removed from both texts.
    pub(super) fn around(&self, path: &str, base: &str, ours: &str) -> (String, String) {
        let (mut base, mut text) = (base.to_owned(), self.text.clone());
        for (edit, _) in &self.edits {
            if is_edit_applied(edit, ours, path) {
                base = apply_edit(edit, Some(&base), path).unwrap_or(base);
            } else if is_edit_applied(edit, &base, path) {
                (base, text) = (remove_insertion(edit, &base), remove_insertion(edit, &text));
            }
        }
        (base, text)
    }
}

/// Returns the files that opctl generates, by path. The fragments that opctl inserts at the same marker are sorted, but
/// fragments that a reference text contains keep the order of that text. The reference text is the text that opctl
/// generated last or, if this text lacks a fragment, the file in the working tree.
pub(in crate::plan) fn rendered_files(
    generated: &Rendering,
    ledger: &Ledger,
    tree: &Snapshot,
) -> Result<BTreeMap<ProjectPath, RenderedFile>> {
    let mut files: BTreeMap<ProjectPath, RenderedFile> = BTreeMap::new();
    for (index, Operation { path, step }) in generated.operations().enumerate() {
        if generated.left.contains(path) {
            continue;
        }
        match step {
            Step::Create { content, existing } => {
                let spares_others = !matches!(existing, Existing::Conflict | Existing::Overwrite);
                files.entry(path.clone()).or_insert_with(|| RenderedFile::whole(content, spares_others));
            }
            Step::Edit(edit) => {
                let file = files.entry(path.clone()).or_insert_with(|| RenderedFile::whole("", true));
                let text = match edit {
                    Edit::AtMarker { marker, fragment } => {
                        let base = ledger.files.get(path).and_then(|hashes| stored_base(hashes, tree));
                        let references: Vec<&str> = base.into_iter().chain(tree.text(path)).collect();
                        insert_at_marker_as_in(&references, &file.text, marker, fragment).ok()
                    }
                    _ => None,
                };
                let text = text.map_or_else(|| apply_edit(edit, Some(&file.text), path), Ok)?;
                file.stages.push(std::mem::replace(&mut file.text, text));
                file.edits.push((edit.clone(), index >= generated.made.len()));
            }
            // Other commands write these files and keep them up to date.
            Step::Generate { .. } | Step::Record(_) | Step::Remove { .. } => {}
        }
    }
    Ok(files)
}
