//! Renames parts of a project in the files that opctl generates for it.
//!
//! Both renderings are by the same opctl and of the same commands, so that they consist of the same operations in the
//! same order: the paths in the second rendering are the new paths of the files in the first one. A file that nobody
//! edited is replaced by its text under the new names. In an edited file the names are replaced, and lines that opctl
//! places elsewhere under the new names are merged in.

use super::super::bases::rebase;
use super::super::resolve::{same, with_records};
use super::super::{Action, Change, Edit, Ledger, Plan, PlanContext, Snapshot, readable, with_line_ends_of};
use super::Generated;
use super::merge::three_way;
use super::wanted::{Wanted, sequence, wanted_in};
use crate::edit::{Names, replace_fragment};
use crate::error::hint;
use crate::model::{Project, ProjectPath};
use crate::{Error, Result, conflict};
use std::collections::{BTreeMap, BTreeSet};

/// A project under its old and its new names.
#[derive(Debug)]
pub struct Renaming<'a> {
    /// Everything that opctl generates for the project as it is.
    pub before: Generated,
    /// Everything that opctl generates for the project under its new names.
    pub after: Generated,
    /// The names to replace: in the files of the renamed part, which get another path or are in `folders`, and in all
    /// other files.
    pub names: (&'a Names, &'a Names),
    /// The folders of types that keep their paths and have a renamed type.
    pub folders: &'a [String],
    /// Files that opctl generated only once, from the project as it was then: their old and new paths.
    pub files: &'a [(ProjectPath, ProjectPath)],
    /// Further files in which names are replaced: the user's own.
    pub others: &'a [ProjectPath],
}

/// A plan, and the files in which a user's lines were renamed.
#[derive(Debug)]
pub struct Renamed {
    /// The changes of the files.
    pub plan: Plan,
    /// The edited files, by their new paths.
    pub edited: Vec<ProjectPath>,
}

/// A file under its new name.
struct Moved<'a> {
    from: &'a ProjectPath,
    to: &'a ProjectPath,
    is_pristine: bool,
    ours: String,
    text: String,
}

impl Renaming<'_> {
    /// Decides about every file.
    ///
    /// # Errors
    /// Fails if a file is in the way of a renamed one, or if a file to be renamed has conflict markers.
    pub fn plan(
        &self,
        (ledger, snapshot): (&Ledger, &Snapshot),
        project: &Project,
        context: &PlanContext<'_>,
    ) -> Result<Renamed> {
        let places = self.places()?;
        // An insertion under the new name takes the place that the tree has for the one under the old name.
        let sequence = sequence(&self.before, ledger, snapshot);
        let (before, after) = (wanted_in(&self.before, &sequence)?, wanted_in(&self.after, &sequence)?);
        let (mut recorded, mut bases, mut edited) = (ledger.clone(), Vec::new(), Vec::new());
        let mut moved: Vec<Moved<'_>> = Vec::new();
        let paths: BTreeSet<&ProjectPath> = places.keys().copied().chain(self.others).collect();
        for from in paths {
            let to = places
                .get(from)
                .map_or(from, |to| if to.contains(from) { from } else { to.first().copied().unwrap_or(from) });
            let Some(ours) = readable(from, snapshot)? else { continue };
            conflict::check(from, &ours)?;
            let made = before.get(from).zip(after.get(to));
            let is_pristine =
                ledger.is_pristine(from, &ours) || made.is_some_and(|(before, _)| same(&before.text, &ours));
            let text = match made {
                Some((_, after)) if is_pristine => after.text.clone(),
                Some((before, after)) => self.merged((from, to), before, &ours, after),
                None => self.names(from, to).rename(&ours.replace("\r\n", "\n"), from),
            };
            let text = with_line_ends_of(&ours, &text);
            // Another base is recorded also for a file from which the user took the names.
            let has_other_base = made.is_some_and(|(before, after)| !same(&before.text, &after.text));
            if text == ours && to == from && !has_other_base {
                continue;
            }
            if !is_pristine && text != ours {
                edited.push(to.clone());
            }
            if let Some(hashes) = recorded.files.remove(from.as_str()) {
                match made {
                    _ if is_pristine => recorded.record(to, &text),
                    Some((_, after)) => {
                        recorded.files.insert(to.clone(), hashes);
                        bases.extend(rebase(to, &after.text, &mut recorded, snapshot)?);
                    }
                    None => drop(recorded.files.insert(to.clone(), hashes)),
                }
            }
            if text != ours || to != from {
                moved.push(Moved { from, to, is_pristine, ours, text });
            }
        }
        let mut changes = changes(moved, snapshot)?;
        changes.extend(bases.into_iter().map(|base| (base.path.clone(), base)));
        // Two groups may have shared a module: each new path gets its file.
        let parted = places.iter().filter(|(from, _)| snapshot.text(from).is_some()).flat_map(|(_, to)| to);
        for to in parted.filter(|to| snapshot.text(to).is_none()) {
            if let (Some(after), false) = (after.get(*to), changes.contains_key(*to)) {
                recorded.record(*to, &after.text);
                changes.insert((*to).clone(), change(to, None, Some(after.text.clone())));
            }
        }
        let plan = with_records(changes.into_values().collect(), (ledger, recorded), project, snapshot, context)?;
        Ok(Renamed { plan, edited })
    }

    /// Returns the new paths of each file: more than one if two groups shared a module.
    fn places(&self) -> Result<BTreeMap<&ProjectPath, BTreeSet<&ProjectPath>>> {
        let (before, after): (Vec<_>, Vec<_>) = (self.before.operations().collect(), self.after.operations().collect());
        if before.len() != after.len() {
            return Err(Error::bug("a renamed project is made by other operations"));
        }
        let made = before.into_iter().zip(after).map(|(before, after)| (&before.path, &after.path));
        let mut places: BTreeMap<&ProjectPath, BTreeSet<&ProjectPath>> = BTreeMap::new();
        for (from, to) in made.chain(self.files.iter().map(|(from, to)| (from, to))) {
            places.entry(from).or_default().insert(to);
        }
        Ok(places)
    }

    fn names(&self, from: &str, to: &str) -> &Names {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_of_it = from != to || self.folders.iter().any(|own| own == folder);
        if is_of_it { self.names.0 } else { self.names.1 }
    }

    /// Returns the user's text with the new names, and with the lines that opctl places elsewhere under the new names
    /// if they can be merged.
    fn merged(&self, (from, to): (&str, &str), before: &Wanted, ours: &str, after: &Wanted) -> String {
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

fn changes(moved: Vec<Moved<'_>>, snapshot: &Snapshot) -> Result<BTreeMap<ProjectPath, Change>> {
    let goes: BTreeSet<&ProjectPath> = moved.iter().filter(|file| file.from != file.to).map(|file| file.from).collect();
    let stays: BTreeSet<&ProjectPath> =
        moved.iter().filter(|file| file.from == file.to).map(|file| file.from).collect();
    let mut changes = BTreeMap::new();
    for Moved { from, to, is_pristine, ours, text } in moved {
        let there = if to == from { Some(ours.clone()) } else { readable(to, snapshot)? };
        let is_one_with_it = is_pristine && stays.contains(to);
        let comes = changes.get(to).and_then(|change: &Change| change.after.as_ref());
        let is_taken = comes.is_some_and(|comes| *comes != text) || to != from && there.is_some() && !goes.contains(to);
        if is_taken && !is_one_with_it {
            return Err(in_the_way(from, to));
        }
        if to == from || !is_one_with_it {
            changes.insert(to.clone(), change(to, there, Some(text)));
        }
        if to != from {
            // Another file may move to the old path, before or after this one.
            changes.entry(from.clone()).or_insert_with(|| change(from, Some(ours), None));
        }
    }
    Ok(changes)
}

fn change(path: &ProjectPath, before: Option<String>, after: Option<String>) -> Change {
    let action = match (&before, &after) {
        (None, _) => Action::Create,
        (_, None) => Action::Remove,
        _ => Action::Update,
    };
    Change { path: path.clone(), action, before, after }
}

fn in_the_way(from: &str, to: &str) -> Error {
    Error::conflict(format!("`{to}` is in the way"))
        .caused_by(format!("`{from}` would be renamed to it"))
        .hint(hint!("git mv {to} {to}.old    # or choose another name", to))
}
