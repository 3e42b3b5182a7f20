//! Makes the projects of testdata/operators: runs opctl's commands, and copies a user's edited files over the output.

use crate::support::{cargo_in, keep, lay, must, opctl, target_folder, temporary, words};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder with the `commands` and the folder `edit` of a project.
fn recipe(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/operators").join(name)
}

/// Makes the project in an empty folder, and copies it to its fixed folder. Returns the fixed folder.
pub(super) fn made(name: &str) -> PathBuf {
    let temporary = temporary();
    let fresh = temporary.path().join(name);
    fs::create_dir(&fresh).unwrap();
    let commands = fs::read_to_string(recipe(name).join("commands")).unwrap();
    let (scaffold, generate) = commands.split_once("# edit\n").expect("a line says when the user's files are laid");
    run(scaffold, &fresh);
    lay(&recipe(name).join("edit"), &fresh);
    let root = keep(&format!("operators/{name}"), &fresh);
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

/// Builds the operator, and returns the path of its program.
pub(super) fn built(root: &Path) -> PathBuf {
    must(&mut cargo_in(root, &["build", "--locked"]));
    target_folder().join("debug").join(root.file_name().unwrap())
}
