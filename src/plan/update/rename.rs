//! Gives what opctl makes of a project other names.
//!
//! Both renderings are of one opctl and of the same commands, so they consist of the same operations in the same order: the paths of the
//! second one are where the files of the first one go. A file that nobody edited becomes what opctl makes under the new names.
//! In an edited one the names are replaced, and what opctl makes in another order or on other lines is merged in.

use super::super::resolve::{same, with_records};
use super::super::{Action, Change, Ledger, Plan, PlanContext, Snapshot, hash, readable, with_line_ends_of};
use super::merge::three_way;
use super::wanted::wanted;
use super::{Generated, base_file};
use crate::edit::Names;
use crate::model::Project;
use crate::{Error, Result, conflict};
use std::collections::{BTreeMap, BTreeSet};

/// A project under its old names and its new ones.
#[derive(Debug)]
pub struct Renaming<'a> {
    /// Everything that opctl makes of the project as it is.
    pub before: Generated,
    /// Everything that opctl makes of it afterwards.
    pub after: Generated,
    /// The names in texts.
    pub names: &'a Names,
    /// Further files in which names are replaced: the user's own.
    pub others: &'a [String],
}

/// A plan, and the files in which a user's lines were renamed.
#[derive(Debug)]
pub struct Renamed {
    /// What happens to each file.
    pub plan: Plan,
    /// The edited files, by their new paths.
    pub edited: Vec<String>,
}

impl Renaming<'_> {
    /// Decides about every file.
    ///
    /// # Errors
    /// A file in the way of a renamed one, and conflict markers in a file that is to be renamed.
    pub fn plan(
        &self,
        (ledger, snapshot): (&Ledger, &Snapshot),
        project: &Project,
        context: &PlanContext<'_>,
    ) -> Result<Renamed> {
        let moved = self.moved()?;
        let (before, after) = (wanted(&self.before, snapshot)?, wanted(&self.after, snapshot)?);
        let paths: BTreeSet<&String> = moved.keys().chain(self.others).collect();
        let (mut ledger_after, mut changes, mut edited) = (ledger.clone(), BTreeMap::new(), Vec::new());
        let mut free: BTreeSet<&str> = BTreeSet::new();
        let mut taken: Vec<(String, Option<String>, String)> = Vec::new();
        for path in paths {
            let to = moved.get(path).unwrap_or(path);
            let Some(ours) = readable(path, snapshot)? else { continue };
            conflict::check(path, &ours)?;
            let made = before.get(path).zip(after.get(to));
            let is_pristine =
                ledger.is_pristine(path, &ours) || made.is_some_and(|(before, _)| same(&before.text, &ours));
            let text = match made {
                Some((_, after)) if is_pristine => after.text.clone(),
                Some((before, after)) => self.merged(path, &before.text, &ours, &after.text),
                None => self.names.rename(&ours, path),
            };
            let text = with_line_ends_of(&ours, &text);
            if text == ours && to == path {
                continue;
            }
            if !is_pristine && text != ours {
                edited.push(to.clone());
            }
            if let Some(hashes) = ledger_after.files.remove(path) {
                match made {
                    _ if is_pristine => ledger_after.record(to, &text),
                    Some((_, after)) => {
                        // No commit has this text, and the next update merges with it.
                        ledger_after.record(to, &after.text);
                        let base = base_file(&hash(&after.text));
                        if snapshot.text(&base).is_none() {
                            changes.insert(base.clone(), change(&base, None, Some(after.text.clone())));
                        }
                    }
                    None => drop(ledger_after.files.insert(to.clone(), hashes)),
                }
            }
            if to != path {
                free.insert(path);
                taken.push((to.clone(), Some(path.clone()), text));
                changes.insert(path.clone(), change(path, Some(ours), None));
            } else {
                taken.push((to.clone(), None, text));
            }
        }
        for (to, from, text) in taken {
            let there = readable(&to, snapshot)?;
            if let (Some(from), Some(_), false) = (&from, &there, free.contains(to.as_str())) {
                return Err(in_the_way(from, &to));
            }
            changes.insert(to.clone(), change(&to, there, Some(text)));
        }
        let plan = with_records(changes.into_values().collect(), (ledger, ledger_after), project, snapshot, context)?;
        Ok(Renamed { plan, edited })
    }

    /// Where each file of opctl's goes.
    fn moved(&self) -> Result<BTreeMap<String, String>> {
        let operations = |generated: &Generated| -> Vec<String> {
            generated.made.iter().chain(&generated.added).map(|operation| operation.path.clone()).collect()
        };
        let (before, after) = (operations(&self.before), operations(&self.after));
        if before.len() != after.len() {
            return Err(Error::bug("a renamed project is made by other operations"));
        }
        Ok(before.into_iter().zip(after).collect())
    }

    /// A user's text with the new names, and with what opctl places in another way under them.
    fn merged(&self, path: &str, before: &str, ours: &str, after: &str) -> String {
        let (base, renamed) = (self.names.rename(before, path), self.names.rename(&ours.replace("\r\n", "\n"), path));
        let merged = three_way(path, &base, &renamed, after, "");
        if merged.is_conflicted { renamed } else { merged.text }
    }
}

fn change(path: &str, before: Option<String>, after: Option<String>) -> Change {
    let action = match (&before, &after) {
        (None, _) => Action::Create,
        (_, None) => Action::Remove,
        _ => Action::Update,
    };
    Change { path: path.to_owned(), action, before, after }
}

fn in_the_way(from: &str, to: &str) -> Error {
    Error::conflict(format!("`{to}` is in the way"))
        .caused_by(format!("`{from}` would be renamed to it"))
        .hint(format!("git mv {to} {to}.old    # or choose another name"))
}
