//! Checks that `testdata/promises.md` names the tests of each promise that README makes.

use crate::support::{rows, test_names};
use std::collections::BTreeSet;
use std::path::Path;

/// Rows of README's table that promise nothing.
const NO_PROMISES: [&str; 2] = ["plugins", "age"];

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_default()
}

/// Returns the words in bold at the beginning of README's bullets, and the first cells of its table.
fn promises(readme: &str) -> BTreeSet<String> {
    let bullets = readme.lines().filter_map(|line| line.strip_prefix("- **")?.split("**").next());
    let cells = rows(readme).into_iter().map(|row| row[0]).filter(|cell| !NO_PROMISES.contains(cell));
    bullets.chain(cells).map(str::to_owned).collect()
}

#[test]
fn each_promise_of_readme_has_tests() {
    let (readme, table) = (read("README.md"), read("testdata/promises.md"));
    let words = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut promised, mut wrong) = (BTreeSet::new(), Vec::new());
    for row in rows(&table) {
        let [promise, tests] = row[..] else { panic!("a row has two cells: {row:?}") };
        if !words.contains(promise) {
            wrong.push(format!("README does not say `{promise}`"));
        }
        for test in tests.split(", ").map(|test| test.trim_matches('`')) {
            let (path, _) = test.split_once("::").unwrap_or((test, ""));
            if !test_names(path, &read(path)).contains(test) {
                wrong.push(format!("`{promise}`: there is no test `{test}`"));
            }
        }
        promised.insert(promise.to_owned());
    }
    let missing = promises(&readme).into_iter().filter(|promise| !promised.contains(promise));
    wrong.extend(missing.map(|promise| format!("no row of the table has `{promise}`")));
    assert!(promised.len() >= 15 && wrong.is_empty(), "{}", wrong.join("\n"));
}
