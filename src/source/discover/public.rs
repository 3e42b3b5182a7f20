//! Finds the public path of each type: public modules and `pub use`, followed from the crate's root.

use super::modules::Tree;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(usize),
    Type(usize, String),
}

/// A map from a name in a module (the module's index, then the name) to the item that the name refers to, if such an
/// item exists. The value is `None` while the name is being resolved, so that cycles of imports end. Because of this
/// map, glob imports are not searched repeatedly.
type ResolvedNames = BTreeMap<(usize, String), Option<Target>>;

/// Returns the shortest public path of each root type (the struct that kube generates for a custom resource); a type
/// without a public path is omitted. The key is the index of the module that defines the type, and the type's name.
pub(super) fn paths(tree: &Tree) -> BTreeMap<(usize, String), String> {
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::from([0]);
    let mut queue = VecDeque::from([(0_usize, Vec::<String>::new())]);
    while let Some((module, path)) = queue.pop_front() {
        for (name, target) in exports(tree, module, &mut BTreeSet::new()) {
            let path: Vec<String> = path.iter().cloned().chain([name]).collect();
            match target {
                Target::Type(module, name) => {
                    found.entry((module, name)).or_insert_with(|| path.join("::"));
                }
                Target::Module(module) => {
                    if seen.insert(module) {
                        queue.push_back((module, path));
                    }
                }
            }
        }
    }
    found
}

/// Returns the public names of a module, each with the item that the name refers to; the module's own items are first.
/// Returns no names for a module in `seen`, which contains the modules that this search has already visited.
fn exports(tree: &Tree, module: usize, seen: &mut BTreeSet<usize>) -> Vec<(String, Target)> {
    let mut names: Vec<(String, Target)> = Vec::new();
    if !seen.insert(module) {
        return names;
    }
    let node = &tree.modules[module];
    names.extend(
        node.types
            .iter()
            .filter(|found| found.public)
            .map(|found| (found.resource.root.clone(), Target::Type(module, found.resource.root.clone()))),
    );
    let children = node.children.iter().filter(|child| tree.modules[**child].public);
    names.extend(children.map(|child| (tree.modules[*child].name.clone(), Target::Module(*child))));
    for (_, used) in node.uses.iter().filter(|(public, _)| *public) {
        let target = resolve(tree, module, &used.path, &mut ResolvedNames::new());
        match (&used.name, target) {
            (Some(name), Some(target)) => names.push((name.clone(), target)),
            (None, Some(Target::Module(module))) => names.extend(exports(tree, module, seen)),
            _ => {}
        }
    }
    names
}

/// Resolves a path within `module`; returns `None` for other crates, and for items that are neither types nor modules.
fn resolve(tree: &Tree, module: usize, path: &[String], known: &mut ResolvedNames) -> Option<Target> {
    let mut at = module;
    let mut rest = path;
    while let Some((first, tail)) = rest.split_first() {
        match first.as_str() {
            "crate" => at = 0,
            "self" => {}
            "super" => at = tree.modules[at].parent?,
            name => {
                let target = lookup(tree, at, name, known)?;
                if tail.is_empty() {
                    return Some(target);
                }
                let Target::Module(module) = target else { return None };
                at = module;
            }
        }
        rest = tail;
    }
    Some(Target::Module(at))
}

/// Resolves a public or private name within a module.
fn lookup(tree: &Tree, module: usize, name: &str, known: &mut ResolvedNames) -> Option<Target> {
    let node = &tree.modules[module];
    if node.types.iter().any(|found| found.resource.root == name) {
        return Some(Target::Type(module, name.to_owned()));
    }
    if let Some(child) = node.children.iter().find(|child| tree.modules[**child].name == name) {
        return Some(Target::Module(*child));
    }
    let key = (module, name.to_owned());
    if let Some(target) = known.get(&key) {
        return target.clone();
    }
    known.insert(key.clone(), None);
    let target = node.uses.iter().find_map(|(_, used)| match &used.name {
        Some(used_name) if used_name == name => resolve(tree, module, &used.path, known),
        None => match resolve(tree, module, &used.path, known) {
            Some(Target::Module(module)) => lookup(tree, module, name, known),
            _ => None,
        },
        _ => None,
    });
    known.insert(key, target.clone());
    target
}
