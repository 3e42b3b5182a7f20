//! Bugs that the runtime of generated projects once had: each patch below testdata/runtime-bugs brings one back and
//! names a test, which must then fail. The number in a patch's name identifies the bug. Several patches with the same
//! number are parts of one bug.
//!
//! ```text
//! cargo test --test it mutations::bugs -- --ignored --nocapture
//! ```

use crate::support::{lay, must, text, tree};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

struct Bug {
    patch: PathBuf,
    /// The arguments for cargo that select the test target.
    target: Vec<String>,
    test: String,
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn bugs() -> Vec<Bug> {
    let entries = fs::read_dir(here("testdata/runtime-bugs")).unwrap();
    let mut patches: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    patches.sort();
    let bug = |patch: PathBuf| {
        let content = fs::read_to_string(&patch).unwrap();
        let named = content.lines().find_map(|line| line.strip_prefix("Test: ")).expect("a line `Test: ..`");
        let mut words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
        let test = words.pop().unwrap();
        Bug { patch, target: words, test }
    };
    patches.into_iter().map(bug).collect()
}

fn apply(patch: &Path, root: &Path, how: &[&str]) {
    must(Command::new("git").args(["apply", "--unsafe-paths"]).args(how).arg(patch).current_dir(root));
}

/// Copies the runtime with its tests into a workspace of its own. The path of the package differs from the one here:
/// cargo tells packages in one target folder apart by their path, and finds the dependencies that are compiled already.
fn copy(workspace: &Path) -> PathBuf {
    let root = workspace.join("with-a-bug");
    let _ = fs::remove_dir_all(workspace);
    for folder in ["templates/project/runtime/src", "tests/runtime", "testdata/orders"] {
        lay(&here(folder), &root.join(folder));
    }
    fs::copy(here("Cargo.lock"), workspace.join("Cargo.lock")).unwrap();
    let mut manifest: toml_edit::DocumentMut = fs::read_to_string(here("Cargo.toml")).unwrap().parse().unwrap();
    manifest.retain(|table, _| table == "profile");
    let members = "[workspace]\nmembers = [\"with-a-bug/tests/runtime\"]\nresolver = \"3\"";
    fs::write(workspace.join("Cargo.toml"), format!("{members}\n\n{manifest}")).unwrap();
    root
}

#[test]
fn each_bug_can_be_brought_back() {
    for bug in bugs() {
        apply(&bug.patch, &here(""), &["--check"]);
    }
}

#[test]
#[ignore = "compiles the runtime thirty times: ten minutes"]
fn each_bug_fails_its_test() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let target_folder = folder.parent().unwrap();
    let root = copy(&folder.join("runtime-bugs"));
    let cargo = |target: &[String], tests: &[&str]| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["test", "--offline", "--package", "runtime", "--features", "second-provider,testing,webhooks"]);
        cargo.args(target).args(["--", "--exact"]).args(tests).current_dir(&root);
        cargo.env("CARGO_TARGET_DIR", target_folder).env("RUST_BACKTRACE", "0");
        cargo
    };
    let bugs = bugs();
    let all: Vec<&str> = bugs.iter().map(|bug| bug.test.as_str()).collect();
    let targets: BTreeSet<&[String]> = bugs.iter().map(|bug| &bug.target[..]).collect();
    must(&mut cargo(&targets.into_iter().collect::<Vec<_>>().concat(), &all));
    let sources = tree(&root.join("templates"));
    let mut unnoticed = Vec::new();
    for Bug { patch, target, test } in &bugs {
        let (name, start) = (patch.file_stem().unwrap().to_string_lossy().into_owned(), Instant::now());
        apply(patch, &root, &[]);
        let ended = cargo(target, &[test.as_str()]).output().unwrap();
        let said = text(&ended.stdout);
        let noticed = said.contains(&format!("test {test} ... FAILED"));
        println!("{name}: {test} {} ({:.0?})", if noticed { "fails" } else { "does not fail" }, start.elapsed());
        if !noticed {
            unnoticed.push(format!("{name}\n{said}{}", text(&ended.stderr)));
        }
        apply(patch, &root, &["--reverse"]);
    }
    assert!(tree(&root.join("templates")) == sources, "a patch is not undone");
    assert!(unnoticed.is_empty(), "{}", unnoticed.join("\n"));
}
