//! Bugs that the runtime of generated projects once had: each patch below testdata/runtime-bugs brings one back and
//! names a test, which must then fail. The number in a patch's name identifies the bug. Several patches with the same
//! number are parts of one bug.
//!
//! The patches below testdata/runtime-trials change the runtime so that a test sees in minutes what takes months otherwise.
//!
//! ```text
//! cargo test --test it mutations::bugs -- --ignored --nocapture
//! ```

use crate::support::{cargo_in, lay, must, projects, text, tool, tree};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A change of the runtime, and the test that it is made for.
struct Patch {
    path: PathBuf,
    /// The arguments for cargo that select the test target.
    target: Vec<String>,
    test: String,
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn patches(folder: &str) -> Vec<Patch> {
    let entries = fs::read_dir(here("testdata").join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let patch = |path: PathBuf| {
        let content = fs::read_to_string(&path).unwrap();
        let named = content.lines().find_map(|line| line.strip_prefix("Test: ")).expect("a line `Test: ..`");
        let mut words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
        let test = words.pop().unwrap();
        Patch { path, target: words, test }
    };
    paths.into_iter().map(patch).collect()
}

fn apply(patch: &Path, root: &Path, how: &[&str]) {
    must(tool("git").args(["apply", "--unsafe-paths"]).args(how).arg(patch).current_dir(root));
}

/// Copies the runtime with its tests into a new workspace, which has the name of the folder `patches`. The path of
/// the package in the workspace is unique: by this path, cargo distinguishes packages in a shared target folder.
/// The copy reuses compiled dependencies.
fn copy(patches: &str) -> PathBuf {
    let workspace = &projects().join("patched").join(patches);
    let root = workspace.join(patches);
    let _ = fs::remove_dir_all(workspace);
    for folder in ["templates/project/runtime/src", "tests/runtime", "testdata/orders"] {
        lay(&here(folder), &root.join(folder));
    }
    let package = root.join("tests/runtime");
    fs::rename(package.join("Cargo.lock"), workspace.join("Cargo.lock")).unwrap();
    let manifest: toml_edit::DocumentMut = fs::read_to_string(package.join("Cargo.toml")).unwrap().parse().unwrap();
    let with = |of_workspace: bool| {
        let mut part = manifest.clone();
        part.retain(|table, _| ["profile", "workspace"].contains(&table) == of_workspace);
        part
    };
    let mut whole = with(true);
    whole["workspace"]["members"] = toml_edit::value(toml_edit::Array::from_iter([format!("{patches}/tests/runtime")]));
    whole["workspace"]["resolver"] = toml_edit::value("3");
    fs::write(workspace.join("Cargo.toml"), whole.to_string()).unwrap();
    fs::write(package.join("Cargo.toml"), with(false).to_string()).unwrap();
    root
}

/// Returns a cargo command that runs tests of the copy at `root`, with the dependencies that are compiled already.
fn tests_of(root: &Path, target: &[String], options: &[&str]) -> Command {
    let features = "second-provider,testing,webhooks";
    let mut cargo = cargo_in(root, &["test", "--offline", "--package", "runtime", "--features", features]);
    cargo.args(target).args(["--", "--exact"]).args(options);
    cargo
}

#[test]
fn each_patch_of_the_runtime_applies() {
    for patch in patches("runtime-bugs").iter().chain(&patches("runtime-trials")) {
        apply(&patch.path, &here(""), &["--check"]);
    }
}

#[test]
#[ignore = "compiles the runtime sixty times: half an hour"]
fn each_bug_fails_its_test() {
    let root = copy("runtime-bugs");
    let bugs = patches("runtime-bugs");
    let all: Vec<&str> = bugs.iter().map(|bug| bug.test.as_str()).collect();
    let targets: BTreeSet<&[String]> = bugs.iter().map(|bug| &bug.target[..]).collect();
    must(&mut tests_of(&root, &targets.into_iter().collect::<Vec<_>>().concat(), &all));
    let sources = tree(&root.join("templates"));
    let mut unnoticed = Vec::new();
    for Patch { path, target, test } in &bugs {
        let (name, start) = (path.file_stem().unwrap().to_string_lossy().into_owned(), Instant::now());
        apply(path, &root, &[]);
        let ended = tests_of(&root, target, &[test.as_str()]).output().unwrap();
        let said = text(&ended.stdout);
        let noticed = said.contains(&format!("test {test} ... FAILED"));
        println!("{name}: {test} {} ({:.0?})", if noticed { "fails" } else { "does not fail" }, start.elapsed());
        if !noticed {
            unnoticed.push(format!("{name}\n{said}{}", text(&ended.stderr)));
        }
        apply(path, &root, &["--reverse"]);
    }
    assert!(tree(&root.join("templates")) == sources, "a patch is not undone");
    assert!(unnoticed.is_empty(), "{}", unnoticed.join("\n"));
}

#[test]
#[ignore = "five minutes for each trial"]
fn each_trial_ends_well() {
    let root = copy("runtime-trials");
    for Patch { path, target, test } in patches("runtime-trials") {
        apply(&path, &root, &[]);
        let ended = must(&mut tests_of(&root, &target, &["--ignored", "--nocapture", test.as_str()]));
        println!("{}", text(&ended.stdout));
        assert!(text(&ended.stdout).contains("1 passed"), "{test} is not there");
        apply(&path, &root, &["--reverse"]);
    }
}
