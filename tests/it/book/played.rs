//! Executes the commands of chapters, and checks that other tests execute the commands of all other chapters.

use super::chapters::names;
use super::commands::{Block, blocks, commands};
use crate::support::{Place, Plane, lay, must, program, project, target_folder, temporary, text, tool, variable};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns a script of the blocks, which prints each command before running it, and ends at the first command with
/// an unexpected result. The script leaves out `cargo run`, which the caller has to run.
fn script_of(blocks: &[Block]) -> String {
    let mut script = String::from("set -uo pipefail\n");
    for block in blocks {
        for (number, line) in block.lines.iter().enumerate().filter(|(_, line)| *line != "cargo run") {
            let fails = block.fails && number + 1 == block.lines.len();
            let quoted = line.replace('\'', "'\\''");
            script.push_str(&format!("echo '$ {quoted}' >&2\n"));
            let after = if fails { "&& exit 1" } else { "|| exit 1" };
            script.push_str(&format!("{line} {after}\n"));
        }
    }
    script + "exit 0\n"
}

/// Returns a command that executes the blocks of a chapter in `root`.
fn shell(blocks: &[Block], root: &Path) -> Command {
    let opctl = Path::new(env!("CARGO_BIN_EXE_opctl")).parent().unwrap().to_owned();
    let machine = variable("PATH").unwrap_or_default();
    let path = std::env::join_paths([opctl].into_iter().chain(std::env::split_paths(&machine))).unwrap();
    let mut shell = tool("bash");
    shell.args(["-c", &script_of(blocks)]).current_dir(root).env("PATH", path).env("NO_COLOR", "1");
    shell.env("CARGO_TARGET_DIR", target_folder());
    shell
}

/// Returns a command that executes the commands of a chapter in the project at `root`. Leaves out the blocks before the
/// first block with a command that begins with `from`.
pub(crate) fn script(chapter: &str, from: &str, root: &Path) -> Command {
    let mut blocks = blocks(chapter);
    let first = blocks.iter().position(|block| block.lines.iter().any(|line| line.starts_with(from)));
    blocks.drain(..first.unwrap_or_else(|| panic!("{chapter} has no `{from}`")));
    shell(&blocks, root)
}

/// The tutorials whose operators are in testdata, each with the name of its operator.
const OPERATORS: [(&str, &str); 5] = [
    ("tutorials/web-server", "my-domain-operator"),
    ("tutorials/vote-config", "voteconfig-operator"),
    ("tutorials/demo-volume", "demovolume-operator"),
    ("tutorials/whale-say", "whalesay-operator"),
    ("tutorials/web-app", "webapp-operator"),
];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Checks that each tutorial makes its project with the same commands as the tests of its operator, and then runs
/// `opctl test`. The tests of the operator also run `opctl test` and the rest of the chapter.
#[test]
fn tutorials_have_the_commands_of_the_tested_operators() {
    for (chapter, operator) in OPERATORS {
        let written = commands(chapter);
        let scaffold = written.iter().take_while(|line| !line.starts_with("export "));
        let scaffold: Vec<&str> = scaffold.map(String::as_str).collect();
        let made = read(&format!("testdata/operators/{operator}/commands"));
        let folder = format!("mkdir {operator} && cd {operator}");
        let expected = std::iter::once(folder.as_str()).chain(made.lines().filter(|line| *line != "# edit"));
        assert_eq!(scaffold, expected.chain(["opctl test"]).collect::<Vec<_>>(), "{chapter}");
    }
}

/// The chapter `quick-start` has the commands of README.md, which `.ci/readme` executes.
#[test]
fn the_quick_start_has_the_commands_of_readme() {
    let readme = read("README.md");
    let (_, below) = readme.split_once("\n## Install\n").unwrap();
    let (steps, _) = below.split_once("\n## A bug that `opctl explore` finds\n").unwrap();
    let lines = super::commands::of_text(steps).into_iter().flat_map(|block| block.lines);
    let by_hand: Vec<String> = lines.filter(|line| line != "opctl demo").collect();
    assert_eq!(commands("quick-start"), by_hand);
}

/// Checks that the first commands of the tutorial of `opctl explore` are the commands that create the test project
/// `shop-operator`. The test `explore::a_remembered_plan_is_played_by_the_tests` executes the other commands in that
/// project.
#[test]
fn the_tutorial_of_explore_makes_the_golden_project() {
    let made = read("testdata/golden/shop-operator.commands");
    let written = commands("tutorials/explore");
    assert_eq!(written[1..4], made.lines().collect::<Vec<_>>());
    assert_eq!(
        written[4..].iter().map(|line| line.split(" '").next().unwrap()).collect::<Vec<_>>(),
        ["opctl explore --list", "opctl explore --remember", "opctl test --color never", "opctl test --color never",]
    );
}

/// Copies the project `webserver-operator` from `testdata/golden` into a new git repository. Returns the temporary
/// folder and the project's path.
fn golden() -> (tempfile::TempDir, PathBuf) {
    let folder = temporary();
    let root = folder.path().join("webserver-operator");
    lay(&project("webserver-operator"), &root);
    for line in [&["init", "-q"][..], &["add", "."], &["commit", "-q", "-m", "Begin"]] {
        must(tool("git").args(line).current_dir(&root));
    }
    (folder, root)
}

#[test]
fn commands_of_how_to_and_reference_pages_succeed() {
    for chapter in ["how-to/gitops", "how-to/metrics-and-alerts", "how-to/upgrades"] {
        let (_folder, root) = golden();
        must(&mut shell(&blocks(chapter), &root));
    }
    let place = Place::new();
    must(&mut shell(&blocks("how-to/multi-tenancy"), &place.root()));
    let (_folder, root) = golden();
    must(&mut shell(&blocks("reference/exit-codes-and-json"), &root));
}

#[test]
fn the_move_from_kubebuilder_is_executed() {
    let folder = crate::support::projects().join("definitions/book");
    let _ = fs::remove_dir_all(&folder);
    lay(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/definitions/config"), &folder.join("go-operator/config"));
    must(&mut shell(&blocks("tutorials/from-kubebuilder"), &folder));
    let crds = fs::read_dir(folder.join("my-operator/config/crd/bases")).unwrap().count();
    assert!(crds > 5, "{crds}");
}

/// Checks that a test executes every chapter with commands. The test is in this file, or in the file that `elsewhere`
/// lists for the chapter. The listed file must contain the name of the chapter as a string.
#[test]
fn no_chapter_with_commands_is_forgotten() {
    let elsewhere = [
        ("how-to/debug-a-pass", "tests/it/operators/web_server.rs"),
        ("tutorials/adopt", "tests/it/adopted/mod.rs"),
        ("tutorials/explore", "tests/it/explore/mod.rs"),
        ("tutorials/web-server", "tests/it/operators/web_server.rs"),
        ("tutorials/vote-config", "tests/it/operators/vote_config.rs"),
        ("tutorials/demo-volume", "tests/it/operators/demo_volume.rs"),
        ("tutorials/whale-say", "tests/it/operators/whale_say.rs"),
        ("tutorials/web-app", "tests/it/operators/web_app.rs"),
        ("tutorials/webhooks-and-versions", "tests/it/conversion.rs"),
    ];
    for (chapter, test) in elsewhere {
        assert!(read(test).contains(&format!("\"{chapter}\"")), "{test} does not read {chapter}");
    }
    let here = read("tests/it/book/played.rs");
    let forgotten = |name: &String| !commands(name).is_empty() && !here.contains(&format!("\"{name}\""));
    let forgotten: Vec<String> = names().into_iter().filter(forgotten).collect();
    assert_eq!(forgotten, [""; 0]);
}

#[test]
fn a_script_ends_with_the_first_unexpected_result() {
    let folder = temporary();
    program(folder.path(), "fails", "exit 1");
    let run = |chapter: &str| {
        let blocks = super::commands::of_text(chapter);
        let output = shell(&blocks, folder.path()).output().unwrap();
        (output.status.success(), text(&output.stderr))
    };
    assert_eq!(run("```sh\nexport A=1\ntrue\n```\n"), (true, "$ export A=1\n$ true\n".into()));
    assert_eq!(run("```sh\n./fails\ntrue\n```\n"), (false, "$ ./fails\n".into()));
    assert_eq!(run("```sh,fails\ntrue\n./fails\n```\n"), (true, "$ true\n$ ./fails\n".into()));
    assert_eq!(run("```sh,fails\ntrue\n```\n"), (false, "$ true\n".into()));
}

/// Sets the environment variables of `command`, which executes commands of a chapter, so that these commands use the
/// control plane `plane`.
pub(crate) fn on_plane<'a>(command: &'a mut Command, plane: &Plane) -> &'a mut Command {
    command.env("XDG_STATE_HOME", plane.state()).env("KUBECONFIG", &plane.kubeconfig)
}
