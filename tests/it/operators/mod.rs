//! Tests five operators known from tutorials. Each operator is made by the commands in its folder of
//! testdata/operators, changed with the files of the folder `edit` next to the commands, deployed, and used as a user
//! would use it with kubectl.

mod demo_volume;
mod door;
mod project;
mod stage;
mod trials;
mod vote_config;
mod web_app;
mod web_server;
mod whale_say;

use crate::support::{cargo_in, must, opctl, target_folder};
use project::made;

/// The projects of testdata/operators.
const OPERATORS: [&str; 5] =
    ["voteconfig-operator", "my-domain-operator", "demovolume-operator", "whalesay-operator", "webapp-operator"];

#[test]
fn the_first_tutorial_operators_pass_fmt_clippy_and_their_tests() {
    pass_the_checks(&OPERATORS[..2]);
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_other_tutorial_operators_pass_fmt_clippy_and_their_tests() {
    pass_the_checks(&OPERATORS[2..]);
}

fn pass_the_checks(operators: &[&str]) {
    for name in operators {
        let root = made(name);
        must(&mut cargo_in(&root, &["fmt", "--check"]));
        must(&mut cargo_in(&root, &["clippy", "--locked", "--all-targets", "--", "-D", "warnings"]));
        // On a server of its own, with the rights in the operator's role.
        let tested = must(opctl(&["test"]).current_dir(&root).env("CARGO_TARGET_DIR", target_folder()));
        let said = [tested.stdout, tested.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(said.matches("test result: ok").count() >= 3, "both packages have tests:\n{said}");
        let mut results = said.lines().filter(|line| line.starts_with("test result"));
        assert!(said.contains("Running tests/") && results.all(|line| line.contains("; 0 ignored;")), "{said}");
    }
}
