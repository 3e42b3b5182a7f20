//! Tests that every command in a project's AGENTS.md works.

use crate::support::{cargo, lay, must, opctl, project, target_folder, temporary, words};
use std::path::Path;
use std::process::Command;

const NAME: &str = "webserver-operator";

/// Returns the commands in the code blocks of the operator's `AGENTS.md`, one list for each block.
fn blocks() -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(project(NAME).join("AGENTS.md")).unwrap();
    let blocks = page.split("```").skip(1).step_by(2);
    let command = |line: &str| line.split(" # ").next().unwrap().trim().to_owned();
    blocks.map(|block| block.lines().skip(1).map(command).collect()).collect()
}

fn opctl_in(root: &Path, arguments: &[&str]) -> Command {
    let mut command = opctl(arguments);
    command.current_dir(root).env("CARGO_TARGET_DIR", target_folder());
    command
}

#[test]
fn every_command_of_the_page_works() {
    let blocks = blocks();
    assert_eq!(blocks.len(), 2, "{blocks:?}");
    for line in &blocks[0] {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["opctl", ref arguments @ ..] => drop(must(&mut opctl_in(&project(NAME), arguments))),
            ["cargo", ref arguments @ ..] => drop(must(&mut cargo(NAME, arguments))),
            _ => panic!("`{line}` starts neither opctl nor cargo"),
        }
    }
    let copy = temporary();
    lay(&project(NAME), copy.path());
    for line in &blocks[1] {
        let line = line.replace("KIND", "Shop").replace("OTHER", "Store").replace('\'', "\"");
        // The kind has another name by then.
        let line = if line.contains("delete") { line.replace("Shop", "Store") } else { line };
        let words = words(&line);
        let arguments: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        must(&mut opctl_in(copy.path(), &arguments));
    }
    must(&mut opctl_in(copy.path(), &["list"]));
}

#[test]
fn a_page_of_the_user_stays() {
    let place = crate::support::Place::new();
    let page = place.root().join("AGENTS.md");
    std::fs::write(&page, "Ours.\n").unwrap();
    place.ok(&["init", "--domain", "example.com"]);
    assert_eq!(std::fs::read_to_string(&page).unwrap(), "Ours.\n");
    place.ok(&["update"]);
    assert_eq!(std::fs::read_to_string(&page).unwrap(), "Ours.\n");
    let without = crate::support::Place::new();
    without.ok(&["init", "--domain", "example.com", "--agents=false"]);
    without.ok(&["update", "--check"]);
    assert!(!without.root().join("AGENTS.md").exists());
}
