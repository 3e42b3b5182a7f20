//! The public path of each type: public modules and `pub use`, followed from the crate's root.

use super::modules::Tree;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Names that lead in circles end here.
const DEPTH: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(usize),
    Type(usize, String),
}

/// The shortest public path of each type that has one, by its module and its root's name.
pub(super) fn paths(tree: &Tree) -> BTreeMap<(usize, String), String> {
    let mut found = BTreeMap::new();
    let mut seen = BTreeSet::from([0]);
    let mut queue = VecDeque::from([(0_usize, Vec::<String>::new())]);
    while let Some((module, path)) = queue.pop_front() {
        for (name, target) in exports(tree, module, DEPTH) {
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

/// Returns the public names of a module, direct ones first.
fn exports(tree: &Tree, module: usize, depth: usize) -> Vec<(String, Target)> {
    let node = &tree.modules[module];
    let mut names: Vec<(String, Target)> = Vec::new();
    names.extend(
        node.types
            .iter()
            .filter(|found| found.public)
            .map(|found| (found.resource.root.clone(), Target::Type(module, found.resource.root.clone()))),
    );
    let children = node.children.iter().filter(|child| tree.modules[**child].public);
    names.extend(children.map(|child| (tree.modules[*child].name.clone(), Target::Module(*child))));
    for used in node.uses.iter().filter(|used| used.public && depth > 0) {
        match &used.name {
            Some(name) => {
                names.extend(resolve(tree, module, &used.path, depth - 1).map(|target| (name.clone(), target)));
            }
            None => {
                if let Some(Target::Module(module)) = resolve(tree, module, &used.path, depth - 1) {
                    names.extend(exports(tree, module, depth - 1));
                }
            }
        }
    }
    names
}

/// Resolves a path within `module`; `None` for other crates and for items that are no types or modules.
fn resolve(tree: &Tree, module: usize, path: &[String], depth: usize) -> Option<Target> {
    let mut at = module;
    let mut rest = path;
    while let Some((first, tail)) = rest.split_first() {
        match first.as_str() {
            "crate" => at = 0,
            "self" => {}
            "super" => at = tree.modules[at].parent?,
            name => {
                let target = lookup(tree, at, name, depth)?;
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

/// Resolves a name within a module, private or not.
fn lookup(tree: &Tree, module: usize, name: &str, depth: usize) -> Option<Target> {
    let node = &tree.modules[module];
    if node.types.iter().any(|found| found.resource.root == name) {
        return Some(Target::Type(module, name.to_owned()));
    }
    if let Some(child) = node.children.iter().find(|child| tree.modules[**child].name == name) {
        return Some(Target::Module(*child));
    }
    let depth = depth.checked_sub(1)?;
    node.uses.iter().find_map(|used| match &used.name {
        Some(used_name) if used_name == name => resolve(tree, module, &used.path, depth),
        None => match resolve(tree, module, &used.path, depth) {
            Some(Target::Module(module)) => lookup(tree, module, name, depth),
            _ => None,
        },
        _ => None,
    })
}
