//! Checks that `testdata/attacks.md` names the test of each attack.

use crate::support::{text, tree};
use std::collections::BTreeSet;
use std::path::Path;
use syn::{Attribute, Item};

/// Returns the tests of a file, as `path::name`.
fn tests(path: &str, source: &str) -> BTreeSet<String> {
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

#[test]
fn each_attack_has_a_test_and_each_test_here_is_of_an_attack() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(root.join("testdata/attacks.md")).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() >= 10, "{}", rows.len());
    let (mut named, mut wrong) = (BTreeSet::new(), Vec::new());
    for row in &rows {
        let [_, attack, test] = row[..] else { panic!("a row has three cells: {row:?}") };
        let test = test.trim_matches('`');
        let (path, _) = test.split_once("::").unwrap_or((test, ""));
        let source = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        if !tests(path, &source).contains(test) {
            wrong.push(format!("`{attack}`: there is no test `{test}`"));
        }
        named.insert(test.to_owned());
    }
    for (path, source) in tree(&root.join("tests/it/hostile")) {
        let is_code = Path::new(&path).extension().is_some_and(|extension| extension == "rs") && path != "table.rs";
        if is_code {
            let all = tests(&format!("tests/it/hostile/{path}"), &text(&source));
            wrong.extend(all.difference(&named).map(|test| format!("no row of the table has `{test}`")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
