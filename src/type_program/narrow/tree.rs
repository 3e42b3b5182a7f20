//! The files of the api crate, and the files that a change affects.

use super::defined_names::{names, words};
use crate::reading::{self, Limit};
use crate::source::module_items::{Use, files_of_module, modules_with_files, uses};
use crate::syntax;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::{Item, ItemMod};

/// A file of the crate.
pub(super) struct File {
    pub(super) path: PathBuf,
    /// The name of the file's module.
    pub(super) module: String,
    pub(super) text: String,
    /// The indexes of the child modules' files, in the order of the `mod` items.
    pub(super) children: Vec<usize>,
    /// The names that the file defines, see [`names`].
    pub(super) names: Option<BTreeSet<String>>,
}

/// Reads all files of the crate, the root first. Returns `None` if opctl always has to compile the whole crate.
pub(super) fn read(root: &Path, roots: &BTreeMap<PathBuf, Vec<&str>>) -> Option<Vec<File>> {
    let mut files = Vec::new();
    add(root, "crate", root.parent()?, roots, &mut files)?;
    Some(files)
}

fn add(
    path: &Path,
    module: &str,
    folder: &Path,
    roots: &BTreeMap<PathBuf, Vec<&str>>,
    files: &mut Vec<File>,
) -> Option<usize> {
    let text = reading::text(path, Limit::Source).ok()?;
    // The crate is compiled from another folder, and under another name.
    if ["CARGO_", "build_script", "module_path", "type_name"].iter().any(|word| text.contains(word)) {
        return None;
    }
    let parsed = syntax::parse_file(&text).ok()?;
    let index = files.len();
    let modules: Vec<&ItemMod> = modules_with_files(&parsed.items).collect();
    let own: Vec<Item> = parsed.items.iter().filter(|item| !is_module_file(item)).cloned().collect();
    // A file that declares modules is copied to another folder, so it may include no other file.
    if !modules.is_empty() && text.contains("include") {
        return None;
    }
    let roots_here = roots.get(path).map(Vec::as_slice).unwrap_or_default();
    let names = if modules.is_empty() { names(&own, roots_here) } else { Some(names_of_holder(&own)?) };
    files.push(File { path: path.to_owned(), module: module.to_owned(), text, children: Vec::new(), names });
    for item in modules {
        if item.attrs.iter().any(|attribute| !attribute.path().is_ident("doc")) {
            return None;
        }
        let name = item.ident.to_string();
        let (path, folder) = files_of_module(&name, None, path, folder).into_iter().find(|(file, _)| file.is_file())?;
        let child = add(&path, &name, &folder, roots, files)?;
        files[index].children.push(child);
    }
    // Globs of other things than these modules, such as re-exported variants of an enum, hide the dependencies between files.
    let modules: Vec<&str> = files[index].children.iter().map(|child| files[*child].module.as_str()).collect();
    let is_plain =
        |used: &Use| used.name.is_some() || used.path.last().is_some_and(|last| modules.contains(&last.as_str()));
    let plain = |item: &Item| match item {
        Item::Use(item) => uses(&item.tree).iter().all(is_plain),
        _ => true,
    };
    (files[index].children.is_empty() || own.iter().all(plain)).then_some(index)
}

/// Returns the names that `items`, the items of a file besides its `mod` items, define for other files: an empty set if
/// each item in `items` is a `use` item without attributes and renames, otherwise `None`.
fn names_of_holder(items: &[Item]) -> Option<BTreeSet<String>> {
    let plain = |item: &Item| match item {
        Item::Use(item) => item.attrs.is_empty() && !uses(&item.tree).iter().any(Use::is_renamed),
        _ => false,
    };
    items.iter().all(plain).then(BTreeSet::new)
}

fn is_module_file(item: &Item) -> bool {
    matches!(item, Item::Mod(ItemMod { content: None, .. }))
}

/// Returns two sets of files for a change of the files `changed`: the files whose types may differ, and the files that
/// are needed to compile these types. Both sets leave out the files that declare modules, which are always compiled.
/// Returns `None` if the whole crate must be compiled.
pub(super) fn affected_files(
    files: &[File],
    changed: &BTreeSet<usize>,
    former: &BTreeMap<usize, BTreeSet<String>>,
) -> Option<(BTreeSet<usize>, BTreeSet<usize>)> {
    let leaves: Vec<usize> = (0..files.len()).filter(|index| files[*index].children.is_empty()).collect();
    if !changed.iter().all(|index| leaves.contains(index) && files[*index].names.is_some()) {
        return None;
    }
    let words: BTreeMap<usize, BTreeSet<&str>> =
        leaves.iter().map(|index| (*index, words(&files[*index].text))).collect();
    let uses = |user: usize, used: usize| {
        let words = &words[&user];
        let Some(names) = &files[used].names else { return true };
        let old = former.get(&used).into_iter().flatten();
        words.contains(files[used].module.as_str()) || names.iter().chain(old).any(|name| words.contains(name.as_str()))
    };
    let grow = |from: &BTreeSet<usize>, edge: &dyn Fn(usize, usize) -> bool| {
        let (mut all, mut next) = (from.clone(), from.iter().copied().collect::<Vec<_>>());
        while let Some(one) = next.pop() {
            for other in
                leaves.iter().filter(|other| !all.contains(other) && edge(one, **other)).copied().collect::<Vec<_>>()
            {
                all.insert(other);
                next.push(other);
            }
        }
        all
    };
    let affected = grow(changed, &|one, other| uses(other, one));
    let needed = grow(&affected, &|one, other| uses(one, other));
    // Compiling most of a large crate gains nothing: the first time, all of it is new to the compiler.
    let few = needed.len() <= 4 || needed.len() * 2 <= leaves.len();
    (few && !files[0].children.is_empty()).then_some((affected, needed))
}

/// Returns the text of a file that declares modules, with changed `mod` items: a module that is not `needed` is
/// empty, and each other module gets a `#[path]` attribute with the file path that `place` returns.
pub(super) fn narrowed_text(
    file: &File,
    files: &[File],
    needed: &BTreeSet<usize>,
    place: &dyn Fn(usize) -> PathBuf,
) -> Option<String> {
    let parsed = syntax::parse_file(&file.text).ok()?;
    let mut edits: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    let mut gone = BTreeSet::new();
    for (item, child) in modules_with_files(&parsed.items).zip(&file.children) {
        if files[*child].children.is_empty() && !needed.contains(child) {
            edits.push((item.semi?.span.byte_range(), " {}".to_owned()));
            gone.insert(files[*child].module.as_str());
        } else {
            let start = start(&item.vis, item.mod_token.span);
            edits.push((start..start, format!("#[path = {:?}] ", place(*child).to_string_lossy())));
        }
    }
    for item in &parsed.items {
        let Item::Use(item) = item else { continue };
        let range = start(&item.vis, item.use_token.span)..item.semi_token.span.byte_range().end;
        let text = &file.text[range.clone()];
        if !text.contains('*') && words(text).iter().any(|word| gone.contains(word)) {
            edits.push((range, String::new()));
        }
    }
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = file.text.clone();
    for (range, with) in edits {
        text.replace_range(range, &with);
    }
    Some(text)
}

fn start(visibility: &syn::Visibility, keyword: proc_macro2::Span) -> usize {
    match visibility {
        syn::Visibility::Public(token) => token.span.byte_range().start,
        syn::Visibility::Restricted(restricted) => restricted.pub_token.span.byte_range().start,
        syn::Visibility::Inherited => keyword.byte_range().start,
    }
}
