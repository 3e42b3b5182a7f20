//! Renames parts of a project in the files that opctl generates.
//!
//! The same opctl renders the project under its old and under its new names. Both renderings consist of the same
//! operations in the same order, so that each path in the new rendering is the new path of a file in the old
//! rendering. An unedited file is replaced by its text under the new names. In an edited file the names are
//! replaced, and lines that opctl generates at another position under the new names are merged in.

use super::super::{Edit, Ledger, Plan, PlanContext, Snapshot, file_text};
use super::Rendering;
use super::decision::{Next, State};
use super::draft::Draft;
use super::file::{Combined, File, state};
use super::records::same;
use super::rules::{Rules, reconcile};
use super::three_way::three_way;
use super::wanted::{RenderedFile, rendered_files};
use crate::edit::{Names, replace_fragment};
use crate::error::hint;
use crate::model::{Project, ProjectPath};
use crate::{Error, Result, conflict};
use std::collections::{BTreeMap, BTreeSet};

/// A renaming: a project under its old names and under its new names.
#[derive(Debug)]
pub struct Renaming<'a> {
    /// Everything that opctl generates for the project under its old names.
    pub before: Rendering,
    /// Everything that opctl generates for the project under its new names.
    pub after: Rendering,
    /// The names to replace: the first element of the pair applies to the files of the renamed part, the second element
    /// to all other files. A file belongs to the renamed part if the renaming changes the file's path or if the file is
    /// in one of `folders`.
    pub names: (&'a Names, &'a Names),
    /// The folders that contain a renamed type and whose paths do not change.
    pub folders: &'a [String],
    /// The old and new paths of the files that opctl generated once from the state of the project at that time, and
    /// cannot generate again from `PROJECT`, such as conversions.
    pub files: &'a [(ProjectPath, ProjectPath)],
    /// Further files in which names are replaced: files that the user created.
    pub others: &'a [ProjectPath],
}

/// The plan of a renaming, and the files in which the user's lines changed.
#[derive(Debug)]
pub struct Renamed {
    /// The changes of the files.
    pub plan: Plan,
    /// The new paths of the edited files in which names were replaced.
    pub edited: Vec<ProjectPath>,
}

impl Renaming<'_> {
    /// Returns the plan of the renaming.
    ///
    /// # Errors
    /// Fails if a file is already at the new path of a renamed file, or if a file to rename has conflict markers.
    pub fn plan(
        &self,
        (ledger, tree): (&Ledger, &Snapshot),
        project: &Project,
        context: &PlanContext<'_>,
    ) -> Result<Renamed> {
        let places = self.places()?;
        let (before, after) = (rendered_files(&self.before, ledger, tree)?, rendered_files(&self.after, ledger, tree)?);
        let mut files = Vec::new();
        let paths: BTreeSet<&ProjectPath> = places.keys().copied().chain(self.others).collect();
        for from in paths {
            let to = places
                .get(from)
                .map_or(from, |to| if to.contains(from) { from } else { to.first().copied().unwrap_or(from) });
            let ours = file_text(from, tree)?;
            conflict::check(from, ours.unwrap_or_default())?;
            let made = before.get(from).zip(after.get(to));
            let (before, after) = made.unzip();
            let state = state(from, ours, before, ledger);
            files.push(File { from, to, ours, state, next: Next::Other, before, after });
        }
        let files = apart(files, tree)?;
        let mut draft = Draft::new(ledger, tree);
        let mut names = Renames { renaming: self, edited: Vec::new() };
        reconcile(files, &mut names, &mut draft)?;
        // Two groups may have shared a module: each new path gets its file.
        let parted = places.iter().filter(|(from, _)| tree.text(from).is_some()).flat_map(|(_, to)| to);
        for to in parted.filter(|to| tree.text(to).is_none() && !draft.changes.contains_key(**to)).collect::<Vec<_>>() {
            if let Some(after) = after.get(*to) {
                draft.make(to, &after.text);
            }
        }
        draft.changes.retain(|_, change| change.is_effective());
        Ok(Renamed { plan: draft.finish(project, context)?, edited: names.edited })
    }

    /// Returns the new paths of each file, by its old path. A file has several new paths if two groups shared a module.
    fn places(&self) -> Result<BTreeMap<&ProjectPath, BTreeSet<&ProjectPath>>> {
        let (before, after): (Vec<_>, Vec<_>) = (self.before.operations().collect(), self.after.operations().collect());
        if before.len() != after.len() {
            return Err(Error::bug(
                "the number of file operations that generate the project differs before and after \
                                   the rename",
            ));
        }
        let made = before.into_iter().zip(after).map(|(before, after)| (&before.path, &after.path));
        let mut places: BTreeMap<&ProjectPath, BTreeSet<&ProjectPath>> = BTreeMap::new();
        for (from, to) in made.chain(self.files.iter().map(|(from, to)| (from, to))) {
            places.entry(from).or_default().insert(to);
        }
        Ok(places)
    }

    /// Returns the names to replace in the file with the old path `from` and the new path `to`.
    fn names(&self, from: &str, to: &str) -> &Names {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_of_it = from != to || self.folders.iter().any(|own| own == folder);
        if is_of_it { self.names.0 } else { self.names.1 }
    }

    /// Returns the user's text `ours` with the new names. Also moves the lines whose position in the generated file
    /// depends on the names, unless the move conflicts with the user's edits.
    fn renamed_text(
        &self,
        (from, to): (&str, &str),
        before: &RenderedFile,
        ours: &str,
        after: &RenderedFile,
    ) -> String {
        let names = self.names(from, to);
        let rename = |text: &str| {
            let pairs = before.edits().into_iter().zip(after.edits());
            let text = pairs.fold(text.replace("\r\n", "\n"), |text, pair| match pair {
                (Edit::AtMarker { fragment: old, .. }, Edit::AtMarker { fragment: new, .. }) if old != new => {
                    replace_fragment(&text, old, new)
                }
                _ => text,
            });
            names.rename(&text, from)
        };
        let (base, renamed) = (rename(&before.text), rename(ours));
        let merged = three_way(to, &base, &renamed, &after.text, "");
        if merged.is_conflicted { renamed } else { merged.text }
    }
}

/// Checks the new paths of the files for collisions, and returns the files. If the new path of a file is the path of
/// another generated file that does not move, marks the file for removal instead of renaming. This happens if the
/// renaming puts two groups into the same module.
///
/// # Errors
/// Fails if a file would replace another file, or if two files get the same new path and at least one of them is
/// edited.
fn apart<'a>(mut files: Vec<File<'a>>, tree: &Snapshot) -> Result<Vec<File<'a>>> {
    let there = || files.iter().filter(|file| file.ours.is_some());
    let made = there().filter(|file| file.from == file.to && file.after.is_some());
    let stays: BTreeSet<&ProjectPath> = made.map(|file| file.from).collect();
    let goes: BTreeSet<&ProjectPath> = there().filter(|file| file.from != file.to).map(|file| file.from).collect();
    let mut comes: BTreeMap<&ProjectPath, bool> = BTreeMap::new();
    for file in there().filter(|file| file.from != file.to) {
        let is_pristine = file.state == State::Pristine;
        let is_taken = match comes.insert(file.to, is_pristine) {
            Some(other) => !(other && is_pristine),
            None if stays.contains(file.to) => !is_pristine && file.state != State::Stale,
            None => !goes.contains(file.to) && file_text(file.to, tree)?.is_some(),
        };
        if is_taken {
            return Err(in_the_way(file.from, file.to));
        }
    }
    for file in files.iter_mut().filter(|file| file.from != file.to && stays.contains(file.to)) {
        (file.to, file.next) = (file.from, Next::Nothing);
    }
    Ok(files)
}

/// The rules of a renaming: names are also replaced in the user's lines, and edited lines never make the renaming fail.
struct Renames<'a> {
    renaming: &'a Renaming<'a>,
    /// The new paths of the edited files in which the renaming changed the text.
    edited: Vec<ProjectPath>,
}

impl Rules for Renames<'_> {
    fn merge(&mut self, file: &File<'_>, ours: &str) -> Result<Option<Combined>> {
        let text = match file.before.zip(file.after) {
            Some((before, after)) => self.renaming.renamed_text((file.from, file.to), before, ours, after),
            None => self.renaming.names(file.from, file.to).rename(&ours.replace("\r\n", "\n"), file.from),
        };
        if file.state != State::Stale && !same(&text, ours) {
            self.edited.push(file.to.clone());
        }
        // Another base is recorded also for a file from which the user took the names.
        let base = file.before.zip(file.after).filter(|(before, after)| !same(&before.text, &after.text));
        Ok(Some(Combined { text, base: base.map(|(_, after)| after.text.clone()), is_conflicted: false }))
    }
}

fn in_the_way(from: &str, to: &str) -> Error {
    Error::conflict(format!("`{to}` is in the way"))
        .caused_by(format!("opctl would rename `{from}` to this path"))
        .hint(hint!("git mv {to} {to}.old    # moves the existing file away; or choose another name with `--to`", to))
}
