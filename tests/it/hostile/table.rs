//! Checks that `testdata/attacks.md` names the test of each attack.

use crate::support::{rows, test_names, text, tree};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn each_attack_has_a_test_and_each_test_here_is_of_an_attack() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(root.join("testdata/attacks.md")).unwrap();
    let rows = rows(&table);
    assert!(rows.len() >= 10, "{}", rows.len());
    let (mut named, mut wrong) = (BTreeSet::new(), Vec::new());
    for row in &rows {
        let [_, attack, test] = row[..] else { panic!("a row has three cells: {row:?}") };
        let test = test.trim_matches('`');
        let (path, _) = test.split_once("::").unwrap_or((test, ""));
        let source = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        if !test_names(path, &source).contains(test) {
            wrong.push(format!("`{attack}`: there is no test `{test}`"));
        }
        named.insert(test.to_owned());
    }
    for (path, source) in tree(&root.join("tests/it/hostile")) {
        let is_code = Path::new(&path).extension().is_some_and(|extension| extension == "rs") && path != "table.rs";
        if is_code {
            let all = test_names(&format!("tests/it/hostile/{path}"), &text(&source));
            wrong.extend(all.difference(&named).map(|test| format!("no row of the table has `{test}`")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
