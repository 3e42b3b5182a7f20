//! Resolves paths to types of a project (The Rust Reference, "Name resolution").

use crate::source::module_items::Use;
use std::collections::{BTreeMap, BTreeSet};
use syn::Type;

/// A module: the folder of its crate, then the names of the modules from the crate's root on.
pub(super) type Module = Vec<String>;

/// The arguments for type parameters, by the parameter's name.
pub(super) type TypeArguments<T> = BTreeMap<String, T>;

/// The item that a name refers to.
#[derive(Debug)]
pub(super) enum NamedItem {
    /// A struct or enum, by its index in the list of shapes.
    Shape(usize),
    /// An alias `type Name<..> = ..;`.
    Alias { parameters: Vec<String>, rust_type: Box<Type> },
}

/// The items and imports of each module.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) modules: BTreeSet<Module>,
    pub(super) named: BTreeMap<Module, BTreeMap<String, NamedItem>>,
    pub(super) uses: BTreeMap<Module, Vec<Use>>,
}

/// The maximum length of a chain of re-exports: without a limit, glob imports could form an endless cycle.
const DEEPEST: usize = 8;

impl Names {
    /// Finds the item to which `path` refers in `module`. Returns the item, and the module that defines the item.
    pub(super) fn find(&self, path: &[String], module: &Module) -> Option<(&NamedItem, &Module)> {
        self.path(path, module, DEEPEST)
    }

    fn path(&self, path: &[String], module: &Module, depth: usize) -> Option<(&NamedItem, &Module)> {
        let depth = depth.checked_sub(1)?;
        let (last, before) = path.split_last()?;
        let home = self.module(before, module, depth)?;
        if let Some((home, names)) = self.named.get_key_value(&home)
            && let Some(named) = names.get(last)
        {
            return Some((named, home));
        }
        let uses = self.uses.get(&home).map(Vec::as_slice).unwrap_or_default();
        let mut by_name = uses.iter().filter(|one| one.name.as_ref() == Some(last));
        by_name.find_map(|one| self.path(&one.path, &home, depth)).or_else(|| {
            let mut globs = uses.iter().filter(|one| one.name.is_none());
            globs.find_map(|one| self.path(&[one.path.as_slice(), std::slice::from_ref(last)].concat(), &home, depth))
        })
    }

    fn module(&self, path: &[String], from: &Module, depth: usize) -> Option<Module> {
        let Some((first, rest)) = path.split_first() else { return Some(from.clone()) };
        let depth = depth.checked_sub(1)?;
        let next = match first.as_str() {
            "crate" => from[..1].to_vec(),
            "self" => from.clone(),
            "super" => from[..from.len().checked_sub(1).filter(|left| *left > 0)?].to_vec(),
            name => self.child(name, from, depth)?,
        };
        self.module(rest, &next, depth)
    }

    fn child(&self, name: &str, from: &Module, depth: usize) -> Option<Module> {
        let child: Module = from.iter().cloned().chain([name.to_owned()]).collect();
        if self.modules.contains(&child) {
            return Some(child);
        }
        let uses = self.uses.get(from).map(Vec::as_slice).unwrap_or_default();
        let mut by_name = uses.iter().filter(|one| one.name.as_deref() == Some(name) && one.path.as_slice() != [name]);
        by_name.find_map(|one| self.module(&one.path, from, depth)).or_else(|| {
            // Another crate of the workspace is named after its folder.
            let folder =
                |module: &&Module| module.len() == 1 && module[0].replace('-', "_").ends_with(&format!("{name}/src"));
            self.modules.iter().find(folder).cloned()
        })
    }
}
