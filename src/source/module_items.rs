//! The `mod` and `use` items of a module: the files of its child modules, and the names that it imports.

use std::path::{Path, PathBuf};
use syn::{Expr, ExprLit, Item, ItemMod, Lit, Meta, UseTree};

/// Returns the items of the form `mod name;`, whose modules are in separate files.
pub(crate) fn modules_with_files(items: &[Item]) -> impl Iterator<Item = &ItemMod> {
    items.iter().filter_map(|item| match item {
        Item::Mod(item) if item.content.is_none() => Some(item),
        _ => None,
    })
}

/// Returns the possible files of the module that `mod name;` in `file` declares, each with the folder that contains the
/// files of this module's child modules. `folder` contains the files of the child modules of `file`, and `path` is the
/// value of a `#[path]` attribute (The Rust Reference, "Module source filenames").
pub(crate) fn files_of_module(name: &str, path: Option<&str>, file: &Path, folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    if let Some(path) = path {
        // `#[path]` is relative to the folder of the file that it stands in.
        let moved = file.parent().unwrap_or(Path::new("")).join(path);
        let folder = moved.parent().unwrap_or(Path::new("")).to_owned();
        return vec![(moved, folder)];
    }
    let own = folder.join(name);
    vec![(folder.join(format!("{name}.rs")), own.clone()), (own.join("mod.rs"), own)]
}

/// Returns the path in a `#[path = ".."]` attribute.
pub(crate) fn path_attribute(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    }
}

/// A name that a `use` item imports.
#[derive(Debug)]
pub(crate) struct Use {
    pub(crate) path: Vec<String>,
    /// The imported name; `None` for a glob import.
    pub(crate) name: Option<String>,
}

impl Use {
    /// Returns the path without a leading `self`.
    pub(crate) fn local_path(&self) -> &[String] {
        match &self.path[..] {
            [first, rest @ ..] if first == "self" => rest,
            path => path,
        }
    }

    /// Returns true if the imported name differs from the item's name.
    pub(crate) fn is_renamed(&self) -> bool {
        self.name.is_some() && self.name.as_ref() != self.path.last()
    }
}

/// Returns all names that a use tree imports.
pub(crate) fn uses(tree: &UseTree) -> Vec<Use> {
    let mut uses = Vec::new();
    collect(tree, &mut Vec::new(), &mut uses);
    uses
}

fn collect(tree: &UseTree, prefix: &mut Vec<String>, uses: &mut Vec<Use>) {
    let path = |last: &syn::Ident| prefix.iter().cloned().chain([last.to_string()]).collect();
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            collect(&path.tree, prefix, uses);
            prefix.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            uses.push(Use { path: prefix.clone(), name: prefix.last().cloned() });
        }
        UseTree::Name(name) => uses.push(Use { path: path(&name.ident), name: Some(name.ident.to_string()) }),
        UseTree::Rename(rename) => {
            uses.push(Use { path: path(&rename.ident), name: Some(rename.rename.to_string()) });
        }
        UseTree::Glob(_) => uses.push(Use { path: prefix.clone(), name: None }),
        UseTree::Group(group) => group.items.iter().for_each(|tree| collect(tree, prefix, uses)),
    }
}

#[cfg(test)]
mod tests {
    use super::uses;

    #[test]
    fn every_name_of_a_use_has_its_path() {
        let item: syn::ItemUse =
            syn::parse_str("use self::a::{self, b::C, D as E, f::{*, G}};").expect("a use is valid Rust");
        let found: Vec<String> = uses(&item.tree)
            .iter()
            .map(|one| format!("{} {:?} {}", one.local_path().join("::"), one.name.as_deref(), one.is_renamed()))
            .collect();
        let expected = [
            "a Some(\"a\") false",
            "a::b::C Some(\"C\") false",
            "a::D Some(\"E\") true",
            "a::f None false",
            "a::f::G Some(\"G\") false",
        ];
        assert_eq!(found, expected);
    }
}
