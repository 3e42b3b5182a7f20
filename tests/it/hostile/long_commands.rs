//! Commands that take minutes start only the programs that `opctl help safety` lists.

use super::programs::{PROGRAMS, real, rows};
use crate::support::{opctl, program, project, separate_target_folder, target_folder, temporary, text, variable};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// Returns the programs that a command of opctl starts itself, without the programs that cargo starts.
fn started(mut command: Command) -> BTreeSet<String> {
    let folder = temporary();
    let (programs, log) = (folder.path().join("programs"), folder.path().join("log"));
    fs::create_dir(&programs).unwrap();
    let path = variable("PATH").unwrap();
    for (name, real) in PROGRAMS.into_iter().filter_map(|name| Some((name, real(name)?))) {
        let parent = "read -r parent </proc/$PPID/comm; [ \"$parent\" != opctl ] ||";
        program(&programs, name, &format!("{parent} echo {name} >>'{}'; exec '{real}' \"$@\"", log.display()));
    }
    let folders = std::iter::once(programs).chain(std::env::split_paths(&path));
    let output = command.env("PATH", std::env::join_paths(folders).unwrap()).output().unwrap();
    assert!(output.status.code().is_some(), "{command:?}: {}", text(&output.stderr));
    let log = fs::read_to_string(log).unwrap_or_else(|_| panic!("nothing ran\n{}", text(&output.stderr)));
    log.lines().map(str::to_owned).collect()
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn commands_that_take_minutes_run_what_the_topic_says() {
    let in_project = |words: &[&str]| {
        let mut command = opctl(words);
        command.current_dir(project("shop-operator")).env("CARGO_TARGET_DIR", target_folder());
        command
    };
    let state = temporary();
    let mut demo = opctl(&["demo"]);
    demo.env("XDG_STATE_HOME", state.path()).env("CARGO_TARGET_DIR", separate_target_folder("demo"));
    let explore = ["explore", "--budget", "5s"];
    let plain = ["--command", "true", "--crds", "config/crd/bases", "--samples", "config/samples"];
    let tried = [
        ("demo", vec![demo], &["cargo"][..]),
        ("test", vec![in_project(&["test"])], &["cargo"]),
        ("explore", vec![in_project(&explore), in_project(&[&explore[..], &plain].concat())], &["cargo", "sh"]),
    ];
    for (name, commands, least) in tried {
        let seen: BTreeSet<String> = commands.into_iter().flat_map(started).collect();
        let (_, stated) = &rows()[name];
        assert!(seen.is_subset(stated), "`opctl {name}` ran {seen:?}, and the topic names {stated:?}");
        assert!(least.iter().all(|program| seen.contains(*program)), "`opctl {name}` ran only {seen:?}");
    }
}
