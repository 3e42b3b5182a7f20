//! Checks that `opctl manifests` reports each finding at the file and line of its cause, in projects with two versions,
//! two groups, types of the same name, and a module that all versions and groups share.
//!
//! `testdata/places/<project>` holds the sources of such a project. A line with findings ends with their codes, such as
//! `//~ OP101 OP102`. `//~^ OP401` is about the line above. There must be no other findings, and every code of `opctl
//! explain` must occur in one of the projects.

use crate::corpus::cases::folder as corpus;
use crate::support::{opctl, projects, target_folder, text, tree};
use opctl::test_api::manifest::lints;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The codes of findings with their places, each as `file:line code`.
type Found = BTreeSet<String>;

fn places() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/places")
}

/// Writes the project to its fixed path. Unchanged files keep their times, so that cargo has little to compile.
fn project(name: &str) -> PathBuf {
    let root = projects().join("places").join(name);
    let mut files = tree(&places().join(name));
    let skeleton = corpus().join("project");
    for file in ["Cargo.toml", "Cargo.lock", "api/Cargo.toml", "config/crd/kustomization.yaml"] {
        files.insert(file.to_owned(), fs::read(skeleton.join(file)).unwrap());
    }
    fs::create_dir_all(&root).unwrap();
    let is_file = |name: &&String| !name.ends_with('/');
    for file in tree(&root).keys().filter(is_file).filter(|file| !files.contains_key(*file)) {
        fs::remove_file(root.join(file)).unwrap();
    }
    for (file, content) in files.iter().filter(|(file, _)| is_file(file)) {
        let path = root.join(file);
        if fs::read(&path).ok().as_ref() != Some(content) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
    }
    root
}

/// Returns the findings of `opctl manifests`, and its output.
fn found(root: &Path, arguments: &[&str]) -> (Found, String) {
    let mut command = opctl(&["manifests", "--dry-run", "-o", "json"]);
    command.args(arguments).current_dir(root);
    let output = command.env("CARGO_TARGET_DIR", target_folder()).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let each = document["findings"].as_array().into_iter().flatten();
    let found = each.map(|one| format!("{}:{} {}", word(&one["file"]), one["line"], word(&one["code"]))).collect();
    (found, format!("{}\n{}", text(&output.stdout), text(&output.stderr)))
}

/// Returns the findings that the sources of a project expect.
fn expected(folder: &Path) -> Found {
    let mut expected = Found::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let file = path.strip_prefix(folder).unwrap().display().to_string();
            for (index, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
                let Some((_, codes)) = line.split_once("//~") else { continue };
                let above = codes.chars().take_while(|one| *one == '^').count();
                let codes = codes.trim_start_matches('^').split_whitespace().take_while(|word| word.starts_with("OP"));
                expected.extend(codes.map(|code| format!("{file}:{} {code}", index + 1 - above)));
            }
        }
    }
    expected
}

/// Checks that `opctl manifests` reports exactly those expected findings for which `counts` returns true.
fn check(root: &Path, name: &str, arguments: &[&str], counts: impl Fn(&str) -> bool) {
    let (found, said) = found(root, arguments);
    let expected: Found = expected(&places().join(name)).into_iter().filter(|one| counts(one)).collect();
    let lines = |all: &Found, others: &Found| all.difference(others).cloned().collect::<Vec<_>>().join("\n    ");
    assert!(
        found == expected,
        "{name} {arguments:?}\nmissing:\n    {}\nnot expected:\n    {}\n{}",
        lines(&expected, &found),
        lines(&found, &expected),
        if found.is_empty() { &said } else { "" },
    );
}

#[test]
fn every_code_is_provoked() {
    let folders = fs::read_dir(places()).unwrap().map(|entry| entry.unwrap().path());
    let mut provoked: BTreeSet<String> = BTreeSet::new();
    for line in folders.flat_map(|folder| expected(&folder)) {
        provoked.extend(line.rsplit_once(' ').map(|(_, code)| code.to_owned()));
    }
    let missing: Vec<&str> = lints().iter().map(|lint| lint.code).filter(|code| !provoked.contains(*code)).collect();
    assert!(missing.is_empty(), "no line of testdata/places has {}", missing.join(", "));
}

#[test]
fn errors_stand_at_their_cause() {
    check(&project("errors"), "errors", &[], |_| true);
    check(&project("attributes"), "attributes", &[], |_| true);
}

#[test]
fn warnings_and_what_breaks_others_stand_at_their_cause() {
    let root = project("warnings");
    let older_types = |one: &str| one.contains(" OP431");
    let later = |one: &str| one.contains(" OP6") || older_types(one);
    check(&root, "warnings", &[], |one| !later(one));
    // After an error opctl has not checked everything, so an allowance may seem to be unused (OP404).
    check(&root, "warnings", &["--against", "older.yaml"], |one| !one.contains(" OP404") && !older_types(one));
    check(&root, "warnings", &["--kubernetes", "1.34"], |one| !one.contains(" OP6"));
}

#[test]
fn findings_of_a_server_are_reported_at_their_cause() {
    check(&project("verified"), "verified", &["--verify"], |_| true);
}
