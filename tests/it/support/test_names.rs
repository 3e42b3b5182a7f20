//! Tables in `testdata` that name tests.

use std::collections::BTreeSet;
use syn::{Attribute, Item};

/// Returns the tests of a file, as `path::name`.
pub(crate) fn test_names(path: &str, source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left = syn::parse_file(source).unwrap().items;
    while let Some(item) = left.pop() {
        let is_test = |attribute: &Attribute| attribute.path().segments.last().is_some_and(|name| name.ident == "test");
        match item {
            Item::Fn(function) if function.attrs.iter().any(is_test) => {
                found.insert(format!("{path}::{}", function.sig.ident));
            }
            Item::Mod(module) => left.extend(module.content.into_iter().flat_map(|(_, items)| items)),
            _ => {}
        }
    }
    found
}

/// Returns the cells of each row of a Markdown table, without the heading.
pub(crate) fn rows(table: &str) -> Vec<Vec<&str>> {
    let lines = table.lines().filter(|line| line.starts_with('|')).skip(2);
    lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}
