//! The projects of testdata/operators: what opctl makes, and over it what a user writes.

use crate::golden::{must, target_folder, words};
use crate::life::opctl;
use crate::support::{lay, tree};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where `commands` and the folder `edit` of a project are.
fn recipe(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/operators").join(name)
}

/// Makes the project anew, and gives its folder: always the same one, in which only what differs is written, so that
/// cargo finds what it has compiled.
pub(super) fn made(name: &str) -> PathBuf {
    let temporary = tempfile::tempdir().unwrap();
    let fresh = temporary.path().join(name);
    fs::create_dir(&fresh).unwrap();
    let root = target_folder().with_file_name("operators").join(name);
    let commands = fs::read_to_string(recipe(name).join("commands")).unwrap();
    let (scaffold, generate) = commands.split_once("# edit\n").expect("a line says when the user's files are laid");
    run(scaffold, &fresh);
    lay(&recipe(name).join("edit"), &fresh);
    update(&fresh, &root);
    run(generate, &root);
    root
}

fn run(commands: &str, root: &Path) {
    for line in commands.lines() {
        let words = words(line);
        let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        must(opctl(&arguments).current_dir(root).env("CARGO_TARGET_DIR", target_folder()));
    }
}

/// Makes `to` equal to `from`, and leaves the files alone that are.
fn update(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    let (wanted, there) = (tree(from), tree(to));
    for path in there.keys().rev().filter(|path| !wanted.contains_key(*path)) {
        let remove = if path.ends_with('/') { fs::remove_dir } else { fs::remove_file };
        remove(to.join(path)).unwrap();
    }
    for (path, content) in wanted.iter().filter(|(path, content)| there.get(*path) != Some(content)) {
        if path.ends_with('/') {
            fs::create_dir_all(to.join(path)).unwrap();
        } else {
            fs::write(to.join(path), content).unwrap();
        }
    }
}

/// A cargo command for a project that was made.
pub(super) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments).current_dir(root).env("CARGO_TARGET_DIR", target_folder());
    // Settings of the outer cargo are not the project's.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo
}

/// Builds the operator; its program.
pub(super) fn built(root: &Path) -> PathBuf {
    must(&mut cargo(root, &["build", "--locked"]));
    target_folder().join("debug").join(root.file_name().unwrap())
}
