//! Rewrites source code from the module of one version for its copy in the module of another version.

use super::module::{Helper, Place, VersionModule};
use super::source_file::Text;
use crate::Result;
use crate::edit::{self, Leaf, PathItem, replace_ranges};
use crate::model::Key;
use std::collections::BTreeSet;
use std::ops::Range;

/// The copied version and the new version.
pub(super) struct Versions<'a> {
    pub(super) old: &'a Key,
    pub(super) new: &'a Key,
    /// The full API group, including the domain.
    pub(super) group: String,
    /// The names of the kind's module in the copied version and in the new version.
    pub(super) own: (String, String),
}

impl Versions<'_> {
    /// Returns the path of the copied version's module from the crate root, as a list of names.
    fn module(&self) -> Vec<String> {
        self.old.group_module().into_iter().chain([self.old.version.to_string()]).collect()
    }
}

/// The target of a path, which determines how the copy rewrites the path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The path leads out of the version's module.
    Elsewhere,
    /// The path leads to an item that is copied.
    Copied,
    /// The path leads to an item that is not copied, and stays in the copied version's module.
    Stays,
}

/// Returns the text for the new version, and the helper modules that must also be copied.
pub(super) fn rewritten<'a>(
    text: &Text,
    versions: &Versions<'_>,
    module: &'a VersionModule,
) -> Result<(String, Vec<&'a Helper>)> {
    let mut used: Vec<&Helper> = Vec::new();
    let mut edits = Vec::new();
    for named in edit::paths(&text.content).unwrap_or_default() {
        let about = About::of(&named, text, versions);
        let mut fates = Vec::new();
        for leaf in &named.leaves {
            fates.push(fate(leaf, &about, text, module, &mut used)?);
        }
        // The path in a visibility, such as `pub(in crate::v1)`.
        if named.line.is_none()
            && named.leaves.iter().all(|leaf| about.names_below_module(leaf).is_some_and(|rest| rest.is_empty()))
        {
            fates.fill(Fate::Copied);
        }
        let stays = fates.contains(&Fate::Stays);
        let mut more = BTreeSet::new();
        if named.leaves.iter().zip(&fates).any(|(leaf, fate)| *fate == Fate::Copied && about.is_everything(leaf)) {
            let (helpers, stay) = module.used_items(&edit::names(&text.content));
            used.extend(helpers);
            if let Some(private) = stay.iter().find(|name| matches!(module.place(name), Place::Private)) {
                return Err(module.private(private, &text.file));
            }
            more.extend(stay);
        }
        match &named.line {
            Some((line, visibility)) if stays && fates.contains(&Fate::Copied) => {
                edits.push((line.clone(), about.lines(&named, &fates, visibility, &text.content[..line.start])));
                continue;
            }
            Some((line, visibility)) if !more.is_empty() => {
                let indentation = indentation(&text.content[..line.start]);
                let names = more.into_iter().collect::<Vec<_>>().join(", ");
                let names = if names.contains(',') { format!("{{{names}}}") } else { names };
                let line_of = format!("\n{indentation}{visibility}use crate::{}::{names};", about.module.join("::"));
                edits.push((line.end..line.end, line_of));
            }
            _ => {}
        }
        if stays && about.below.is_some() {
            edits.push((named.start.clone(), format!("crate::{}", about.module.join("::"))));
        }
        for (leaf, _) in named.leaves.iter().zip(&fates).filter(|(_, fate)| **fate == Fate::Copied) {
            edits.extend(about.rename_edits(leaf));
        }
    }
    let content = replace_ranges(&text.content, edits);
    let (old, new) = (versions.old.version.as_str(), versions.new.version.as_str());
    Ok((edit::set_tested_version(&content, text.test, &versions.group, old, new), used))
}

fn fate<'a>(
    leaf: &Leaf,
    about: &About<'_>,
    text: &Text,
    module: &'a VersionModule,
    used: &mut Vec<&'a Helper>,
) -> Result<Fate> {
    let Some(rest) = about.names_below_module(leaf) else { return Ok(Fate::Elsewhere) };
    let Some(first) = rest.first() else {
        return Ok(if leaf.glob { Fate::Copied } else { Fate::Stays });
    };
    Ok(match module.place(first) {
        Place::Own => Fate::Copied,
        Place::Helper(helper) => {
            used.push(helper);
            Fate::Copied
        }
        Place::Stays => Fate::Stays,
        Place::Private => return Err(module.private(first, &text.file)),
    })
}

/// The context in which a path is rewritten.
struct About<'a> {
    versions: &'a Versions<'a>,
    /// The path of the copied version's module from the crate root.
    module: Vec<String>,
    /// The module that the path is relative to, as a path from the crate root.
    base: Vec<String>,
    /// The path of the module `base`, relative to the copied version's module; `None` if `base` is outside the copied
    /// version's module.
    below: Option<Vec<String>>,
}

impl<'a> About<'a> {
    fn of(named: &PathItem, text: &Text, versions: &'a Versions<'a>) -> Self {
        let module = versions.module();
        let mut base = Vec::new();
        if let Some(up) = named.up {
            base = module.iter().chain(&text.module).chain(&named.inside).cloned().collect();
            base.truncate(base.len().saturating_sub(up));
        }
        let below = base.strip_prefix(module.as_slice()).map(<[String]>::to_vec);
        About { versions, module, base, below }
    }

    /// Returns the names in the path after the version's module; `None` if the path leads out of the version's module.
    fn names_below_module(&self, leaf: &Leaf) -> Option<Vec<String>> {
        let names: Vec<String> = self.base.iter().chain(leaf.names.iter().map(|(name, _)| name)).cloned().collect();
        names.strip_prefix(self.module.as_slice()).map(<[String]>::to_vec)
    }

    fn is_everything(&self, leaf: &Leaf) -> bool {
        leaf.glob && self.names_below_module(leaf).is_some_and(|rest| rest.is_empty())
    }

    /// Returns the edits to a path that replace the name of the version and the name of the kind's module.
    fn rename_edits(&self, leaf: &Leaf) -> Vec<(Range<usize>, String)> {
        let mut edits = Vec::new();
        let mut at = |index: Option<usize>, new: &str| {
            if let Some((old, place)) = index.and_then(|index| leaf.names.get(index))
                && old != new
            {
                edits.push((place.clone(), new.to_owned()));
            }
        };
        if self.below.is_none() {
            at((self.module.len() - 1).checked_sub(self.base.len()), self.versions.new.version.as_str());
        }
        let (own, renamed) = &self.versions.own;
        if self.names_below_module(leaf).is_some_and(|rest| rest.first() == Some(own)) {
            at(self.module.len().checked_sub(self.base.len()), renamed);
        }
        edits
    }

    /// Returns a `use` line, with a path from the crate root, for each name that the `use` item `named` imports. The
    /// lines are indented like the last line of `before`.
    fn lines(&self, named: &PathItem, fates: &[Fate], visibility: &str, before: &str) -> String {
        let line = |(leaf, fate): (&Leaf, &Fate)| {
            let mut path: Vec<String> =
                self.base.iter().chain(leaf.names.iter().map(|(name, _)| name)).cloned().collect();
            if *fate == Fate::Copied {
                path[self.module.len() - 1] = self.versions.new.version.to_string();
                let (own, renamed) = &self.versions.own;
                if let Some(name) = path.get_mut(self.module.len()).filter(|name| *name == own) {
                    name.clone_from(renamed);
                }
            }
            path.extend(leaf.glob.then(|| "*".to_owned()));
            let renamed = leaf.renamed.as_ref().map(|name| format!(" as {name}")).unwrap_or_default();
            format!("{visibility}use crate::{}{renamed};", path.join("::"))
        };
        let mut lines: Vec<String> = named.leaves.iter().zip(fates).map(line).collect();
        lines.sort();
        lines.join(&format!("\n{}", indentation(before)))
    }
}

/// Returns the whitespace at the beginning of the last line of a text.
fn indentation(before: &str) -> String {
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    line.chars().take_while(|character| character.is_whitespace()).collect()
}
