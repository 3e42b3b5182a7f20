//! Finds the dependencies between source files: lists the names that a file defines for other files, and all words in
//! the text of a file. A file can use a name only if the name is one of its words.

use crate::attributes::USUAL_DERIVES;
use crate::source::module_items::uses;
use std::collections::BTreeSet;
use syn::{Attribute, Item, Type, Visibility};

/// The attributes that are known to add no item to the crate, or to add only items whose names stand in the source
/// file. If a file has an attribute that is not in this list, opctl does not know all names that the file defines.
const ATTRIBUTES: [&str; 21] = [
    "allow",
    "automatically_derived",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "forbid",
    "garde",
    "inline",
    "kube",
    "must_use",
    "non_exhaustive",
    "repr",
    "schemars",
    "serde",
    "track_caller",
    "validate",
    "warn",
    "x_kube",
];

/// Returns all words of a text, including the words in comments and strings, because a string in an attribute may be
/// the name of a function or a type.
pub(super) fn words(text: &str) -> BTreeSet<&str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
        .filter(|word| !word.is_empty())
        .collect()
}

/// Returns the names by which other files can use the items of this file; `None` if an item may affect other files that
/// do not name it.
pub(super) fn names(items: &[Item], roots: &[&str]) -> Option<BTreeSet<String>> {
    let mut own: BTreeSet<String> = roots.iter().map(|root| (*root).to_owned()).collect();
    let mut names = own.clone();
    for item in items.iter().filter(|item| !for_tests(attributes(item))) {
        if !attributes(item).iter().all(harmless) {
            return None;
        }
        let (visibility, name) = match item {
            Item::Struct(item) => {
                own.insert(item.ident.to_string());
                (&item.vis, &item.ident)
            }
            Item::Enum(item) => {
                own.insert(item.ident.to_string());
                (&item.vis, &item.ident)
            }
            Item::Const(item) => (&item.vis, &item.ident),
            Item::Static(item) => (&item.vis, &item.ident),
            Item::Type(item) => (&item.vis, &item.ident),
            Item::Fn(item) => (&item.vis, &item.sig.ident),
            Item::Use(item) => {
                if !matches!(item.vis, Visibility::Inherited) {
                    for used in uses(&item.tree) {
                        // The names of a glob are unknown.
                        names.insert(used.name?);
                    }
                }
                continue;
            }
            // Checked below, when all types of the file are known.
            Item::Impl(_) => continue,
            _ => return None,
        };
        if !matches!(visibility, Visibility::Inherited) {
            names.insert(name.to_string());
        }
    }
    let local = |item: &Item| match item {
        Item::Impl(item) => match &*item.self_ty {
            Type::Path(path) => path.path.get_ident().is_some_and(|ident| own.contains(&ident.to_string())),
            _ => false,
        },
        _ => true,
    };
    items.iter().filter(|item| !for_tests(attributes(item))).all(local).then_some(names)
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

fn harmless(attribute: &Attribute) -> bool {
    let known = |path: &syn::Path, list: &[&str]| {
        path.segments.last().is_some_and(|last| list.iter().any(|one| last.ident == one))
    };
    if !attribute.path().get_ident().is_some_and(|_| known(attribute.path(), &ATTRIBUTES)) {
        return false;
    }
    let mut fits = true;
    if attribute.path().is_ident("derive") {
        let read = attribute.parse_nested_meta(|meta| {
            // `CustomResource` adds the root type, whose name is in `roots`.
            fits &= known(&meta.path, &["CustomResource"]) || known(&meta.path, &USUAL_DERIVES);
            Ok(())
        });
        fits &= read.is_ok();
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::{names, words};

    fn of(text: &str) -> Option<Vec<String>> {
        names(&syn::parse_file(text).expect("parses").items, &["Root"]).map(|names| names.into_iter().collect())
    }

    #[test]
    fn only_what_others_can_name_counts() {
        let text = "use a::B; pub use c::{D, E as F}; struct G; pub(crate) enum H { I } fn j() {} pub const K: u8 = 1;
            impl G { pub fn l() {} } impl Default for Root { } #[cfg(test)] mod tests {}";
        assert_eq!(of(text).expect("names"), ["D", "F", "H", "K", "Root"]);
    }

    #[test]
    fn items_that_may_affect_files_not_naming_them_prevent_narrowing() {
        for text in [
            "macro_rules! m { () => {} }",
            "m! {}",
            "impl Default for Other {}",
            "impl<T> From<T> for T {}",
            "pub use a::*;",
            "pub trait T {}",
            "pub mod inner { pub struct A; }",
            "#[derive(Builder)] pub struct A;",
            "#[cfg(feature = \"x\")] pub struct A;",
            "#[some::attribute] pub struct A;",
            "extern crate a;",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn words_are_found_in_strings_and_comments_too() {
        let words = words("#[kube(status = \"FooStatus\")] // see a_b\nx::Y<'c>");
        assert!(["kube", "status", "FooStatus", "a_b", "x", "Y", "c"].iter().all(|word| words.contains(word)));
    }
}
