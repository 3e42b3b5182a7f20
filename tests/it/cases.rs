//! Runs the case folders below `testdata/cases`. Each folder has command lines and their expected results:
//!
//! - `in/`: files that are copied into the temporary project first
//! - `args`: command lines of opctl; the last line is the tested command, the lines before it must succeed
//! - `edit/`: files that are copied over the project before the last command, as a user's edits
//! - `stdout`, `stderr`, `exit`: the results; a file that is missing or empty means no output, and exit code 0
//! - `out/`: files that the project must contain after the last command; without `out/`, this command must not change
//!   anything
//!
//! `SNAPSHOTS=overwrite cargo test cases` overwrites the expected results, and fills empty files in `out/`.

use crate::support::{Place, assert_same, at_once, lay, text};
use snapbox::{Assert, Data, Redactions};
use std::fs;
use std::path::{Path, PathBuf};

fn folders() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases");
    let mut folders: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

#[test]
fn every_case_is_as_recorded() {
    let cases = folders();
    assert!(cases.len() > 50, "only {} cases", cases.len());
    let failed = at_once(&cases, |case| std::panic::catch_unwind(|| check(case)).err().map(|_| name(case)));
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    assert!(failed.is_empty(), "{} of {} cases differ: {}", failed.len(), cases.len(), failed.join(", "));
}

fn name(case: &Path) -> String {
    case.file_name().unwrap().to_string_lossy().into_owned()
}

fn check(case: &Path) {
    let place = Place::new();
    if case.join("in").is_dir() {
        lay(&case.join("in"), &place.root());
    }
    let lines = fs::read_to_string(case.join("args")).unwrap();
    let mut lines: Vec<Vec<String>> = lines.lines().map(words).collect();
    let last = lines.pop().expect("`args` has a line");
    for line in &lines {
        let output = place.run(line);
        assert!(output.status.success(), "{}: {line:?}: {}", name(case), text(&output.stderr));
    }
    if case.join("edit").is_dir() {
        lay(&case.join("edit"), &place.root());
    }
    let before = place.tree();
    // The messages of rustc about syntax depend on its version.
    let output = place.command(&last).env("RUSTC", "/nonexistent/rustc").output().unwrap();
    let root = fs::canonicalize(place.root()).unwrap();
    let check = |file: &str, actual: String| compare(&case.join(file), actual, &root);
    check("stdout", text(&output.stdout));
    check("stderr", text(&output.stderr));
    check(
        "exit",
        output
            .status
            .code()
            .map(|code| if code == 0 { String::new() } else { format!("{code}\n") })
            .expect("no signal"),
    );
    if !case.join("out").is_dir() {
        return assert_same(&before, &place.tree(), &format!("{}: the tree changed", name(case)));
    }
    for path in crate::support::tree(&case.join("out")).into_keys().filter(|path| !path.ends_with('/')) {
        let actual = fs::read(root.join(&path)).unwrap_or_else(|error| panic!("{}: {path}: {error}", name(case)));
        compare(&case.join("out").join(&path), text(&actual), &root);
    }
}

fn compare(expected: &Path, actual: String, root: &Path) {
    let mut redactions = Redactions::new();
    redactions.insert("[ROOT]", root.to_path_buf()).unwrap();
    redactions.insert("[VERSION]", env!("CARGO_PKG_VERSION")).unwrap();
    if actual.is_empty() && !expected.exists() {
        return;
    }
    let expected_data = Data::read_from(expected, Some(snapbox::data::DataFormat::Text));
    Assert::new()
        .action_env("SNAPSHOTS")
        .redact_with(redactions)
        .normalize_paths(false)
        .try_eq(Some(&expected.display()), Data::text(actual), expected_data)
        .unwrap_or_else(|error| panic!("{error}"));
}

/// Splits a line into words at spaces. Text between two `"` or two `'` stays in one word, without the quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}
