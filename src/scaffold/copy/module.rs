//! Finds the owner of each name in a version's module. The owner is the part that defines the name: the copied kind, a
//! helper module, another kind, or the version's module itself.

use super::crate_files::{Files, not_rust};
use super::source_file::Text;
use crate::attributes::{attributes, parts, text};
use crate::error::hint;
use crate::model::Key;
use crate::scaffold::storage::type_folder;
use crate::source::module_items::{modules_with_files, uses};
use crate::syntax;
use crate::{Error, Result};
use std::collections::BTreeSet;
use syn::{Attribute, Item, Meta, Visibility};

/// A helper module: a module that defines no kind, in the same folder as the kind's module.
#[derive(Clone, Debug)]
pub(super) struct Helper {
    pub(super) name: String,
    pub(super) file: String,
    pub(super) visibility: &'static str,
    /// The `use` lines in the version's module that import from the helper module.
    pub(super) uses: Option<String>,
    defines: BTreeSet<String>,
}

/// The names that a version's module declares, and their owners.
#[derive(Debug)]
pub(super) struct VersionModule {
    /// The name of the module with the kind's types.
    pub(super) own: String,
    /// The names that the kind's own file defines.
    own_names: BTreeSet<String>,
    helpers: Vec<Helper>,
    /// The names that the modules of other kinds define.
    others: BTreeSet<String>,
    /// The names that the version's module itself defines, each with true if the new version can use the name.
    roots: Vec<(String, bool)>,
    file: String,
}

/// The owner of a name in the version's module, which determines how the copy refers to the name.
pub(super) enum Place<'a> {
    /// The kind itself, which is copied.
    Own,
    /// A helper module, which is also copied.
    Helper(&'a Helper),
    /// Another kind, or the version's module itself. The item with this name is not copied, but the copy can name it.
    Stays,
    /// The version's module itself, if the item with this name is private. The item is not copied, and the copy cannot
    /// name it.
    Private,
}

impl VersionModule {
    pub(super) fn read(key: &Key, own: &str, files: &Files<'_>) -> Result<Self> {
        let folder = type_folder(key);
        let own_module = name_below(key, own).unwrap_or_default();
        let mut module = VersionModule {
            own: own_module,
            own_names: defined_names(&files.items(own)?),
            helpers: Vec::new(),
            others: BTreeSet::new(),
            roots: Vec::new(),
            file: files.module(&folder).unwrap_or_else(|| format!("{folder}.rs")),
        };
        let items = files.items(&module.file)?;
        for item in &items {
            match item {
                Item::Mod(item) if item.content.is_none() => module.add(item, &items, &folder, files)?,
                Item::Use(_) => {}
                item => module.roots.extend(name(item).map(|(name, visibility)| (name, is_reachable(visibility)))),
            }
        }
        for item in &items {
            let Item::Use(item) = item else { continue };
            for used in uses(&item.tree) {
                let from = used.local_path().first().cloned().unwrap_or_default();
                let Some(name) = used.name else { continue };
                if from == module.own {
                    module.own_names.insert(name);
                } else if let Some(helper) = module.helpers.iter_mut().find(|helper| helper.name == from) {
                    helper.defines.insert(name);
                } else {
                    module.roots.push((name, is_reachable(&item.vis)));
                }
            }
        }
        Ok(module)
    }

    fn add(&mut self, item: &syn::ItemMod, items: &[Item], folder: &str, files: &Files<'_>) -> Result<()> {
        let name = item.ident.to_string();
        let Some(file) = files.module(&format!("{folder}/{name}")) else { return Ok(()) };
        if name == self.own {
            return Ok(());
        }
        let parsed = files.items(&file)?;
        let defines = defined_names(&parsed);
        if parsed.iter().any(|item| kube_argument(item, &["kind"]).is_some()) {
            self.others.extend(defines);
            return Ok(());
        }
        let uses: Vec<String> = items.iter().filter_map(|item| use_lines(item, &name)).collect();
        let uses = (!uses.is_empty()).then(|| uses.join("\n"));
        self.helpers.push(Helper { visibility: visibility_keyword(&item.vis), name, file, uses, defines });
        Ok(())
    }

    /// Returns the owner of a name in the version's module.
    pub(super) fn place(&self, name: &str) -> Place<'_> {
        if name == self.own || self.own_names.contains(name) {
            return Place::Own;
        }
        let helper = |helper: &&Helper| helper.name == name || helper.defines.contains(name);
        if let Some(helper) = self.helpers.iter().find(helper) {
            return Place::Helper(helper);
        }
        let root = self.roots.iter().find(|(root, _)| root == name);
        if root.is_some_and(|(_, reachable)| !reachable) { Place::Private } else { Place::Stays }
    }

    /// Returns the items that a source file uses through a glob import of the version's module: the used helper
    /// modules, which are copied, and the names of the used items that are not copied. `names` are the identifiers in
    /// the source file.
    pub(super) fn used_items(&self, names: &BTreeSet<String>) -> (Vec<&Helper>, Vec<String>) {
        let helpers = self.helpers.iter().filter(|one| names.contains(&one.name) || !one.defines.is_disjoint(names));
        let roots = self.roots.iter().map(|(name, _)| name);
        let helpers: Vec<&Helper> = helpers.collect();
        let known = |name: &str| {
            self.own_names.contains(name) || helpers.iter().any(|one| one.name == name || one.defines.contains(name))
        };
        let stay: BTreeSet<&String> =
            self.others.iter().chain(roots).filter(|name| names.contains(*name) && !known(name)).collect();
        (helpers, stay.into_iter().cloned().collect())
    }

    /// Returns the error for an item that the new version cannot name.
    pub(super) fn private(&self, name: &str, user: &str) -> Error {
        Error::user(format!("`{user}` uses `{name}`, which is private in `{}`", self.file))
            .caused_by(
                "opctl copies the code into the module of the new version, which cannot use private items of \
                        another module",
            )
            .hint(hint!(
                "make `{name}` `pub(crate)`, or move it to a separate file in the same folder, then run the same \
                 command again",
                name
            ))
    }
}

/// Returns the module name of the file at `path`, if the file is directly in the version's folder.
pub(super) fn name_below(key: &Key, path: &str) -> Option<String> {
    let name = path.strip_prefix(&type_folder(key))?.strip_prefix('/')?;
    let name = name.strip_suffix("/mod.rs").or_else(|| name.strip_suffix(".rs"))?;
    (!name.contains('/') && name != "mod").then(|| name.to_owned())
}

/// Returns a kind other than `key`'s kind whose type the text defines, if any.
pub(super) fn other_kind(text: &str, key: &Key) -> Option<String> {
    let items = syntax::parse_file(text).ok()?.items;
    items.iter().filter_map(|item| kube_argument(item, &["kind"])).find(|kind| kind != key.kind.as_str())
}

/// Returns the files of the modules that a source file declares with `mod` items.
pub(super) fn children(text: &Text, files: &Files<'_>) -> Result<Vec<Text>> {
    let folder = match text.file.strip_suffix("/mod.rs") {
        Some(folder) => folder.to_owned(),
        None => text.file.trim_end_matches(".rs").to_owned(),
    };
    let items = syntax::parse_file(&text.content).map_err(|wrong| not_rust(&text.file, &wrong))?.items;
    let mut children = Vec::new();
    for item in modules_with_files(&items) {
        if item.attrs.iter().any(|one| one.path().is_ident("path")) {
            continue;
        }
        let name = item.ident.to_string();
        let Some(file) = files.module(&format!("{folder}/{name}")) else { continue };
        let module = text.module.iter().cloned().chain([name]).collect();
        let content = files.text(&file).unwrap_or_default().replace("\r\n", "\n");
        children.push(Text { file, module, content, test: text.test || item.attrs.iter().any(is_test) });
    }
    Ok(children)
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|argument| argument == "test")
}

/// Returns the value of the first argument in `names` that the `#[kube(..)]` of an item sets.
fn kube_argument(item: &Item, names: &[&str]) -> Option<String> {
    let attrs = match item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        _ => return None,
    };
    let parts: Vec<Meta> = attributes(attrs, "kube").flat_map(parts).collect();
    names.iter().find_map(|name| parts.iter().find(|part| part.path().is_ident(name)).and_then(text))
}

/// Returns the names that other modules can import from a file, including re-exports.
fn defined_names(items: &[Item]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in items {
        match item {
            Item::Use(item) if !matches!(item.vis, Visibility::Inherited) => {
                names.extend(uses(&item.tree).into_iter().filter_map(|used| used.name));
            }
            item => {
                let public = name(item).filter(|(_, visibility)| !matches!(visibility, Visibility::Inherited));
                names.extend(public.map(|(name, _)| name));
            }
        }
        names.extend(kube_argument(item, &["root", "kind"]));
    }
    names
}

fn name(item: &Item) -> Option<(String, &Visibility)> {
    let (name, visibility) = match item {
        Item::Struct(item) => (&item.ident, &item.vis),
        Item::Enum(item) => (&item.ident, &item.vis),
        Item::Union(item) => (&item.ident, &item.vis),
        Item::Type(item) => (&item.ident, &item.vis),
        Item::Fn(item) => (&item.sig.ident, &item.vis),
        Item::Const(item) => (&item.ident, &item.vis),
        Item::Static(item) => (&item.ident, &item.vis),
        Item::Trait(item) => (&item.ident, &item.vis),
        Item::Mod(item) if item.content.is_some() => (&item.ident, &item.vis),
        _ => return None,
    };
    Some((name.to_string(), visibility))
}

/// Returns true if every module of the crate can name an item with this visibility.
fn is_reachable(visibility: &Visibility) -> bool {
    match visibility {
        Visibility::Public(_) => true,
        Visibility::Restricted(restricted) => restricted.path.is_ident("crate"),
        Visibility::Inherited => false,
    }
}

fn visibility_keyword(visibility: &Visibility) -> &'static str {
    match visibility {
        Visibility::Public(_) => "pub",
        Visibility::Restricted(restricted) if restricted.path.is_ident("crate") => "pub(crate)",
        Visibility::Restricted(_) => "pub(super)",
        Visibility::Inherited => "",
    }
}

/// Returns the `use` lines of an item that import from `module`.
fn use_lines(item: &Item, module: &str) -> Option<String> {
    let Item::Use(item) = item else { return None };
    let visibility = visibility_keyword(&item.vis);
    let lines =
        uses(&item.tree).into_iter().filter(|used| used.local_path().first().is_some_and(|first| first == module));
    let lines = lines.map(|used| {
        let glob = if used.name.is_none() { "::*" } else { "" };
        let renamed = used.name.as_ref().filter(|_| used.is_renamed()).map(|name| format!(" as {name}"));
        format!("{visibility} use {}{glob}{};", used.local_path().join("::"), renamed.unwrap_or_default())
            .trim_start()
            .to_owned()
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
