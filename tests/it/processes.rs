//! The opctl binary: killed at random times, run many times at once, and on disks that fail.

use crate::support::{Place, Tree, assert_same, content, differences, text, tool};
use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Instant;

const INIT: [&str; 5] = ["init", "--domain", "example.com", "--name", "webserver-operator"];
const CREATE: [&str; 4] = ["create", "api", "--kind", "WebServer"];

fn copy_of(tree: &Place) -> Place {
    let place = Place::new();
    crate::support::lay(&tree.root(), &place.root());
    place
}

fn start(place: &Place, arguments: &[&str]) -> Child {
    place.command(arguments).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
}

/// Kills the command `times` times, at delays spread over its duration. After each kill, checks that the command
/// `next` repairs the project. If the kill left a journal (the list of unfinished changes in `.opctl/journal`),
/// also checks that commands that only read change nothing before the repair. Returns the number of kills that left
/// a journal.
fn killed(prepared: &Place, arguments: &[&str], next: &[&str], times: u32) -> u32 {
    let before = prepared.content();
    let whole = copy_of(prepared);
    let begun = Instant::now();
    start(&whole, arguments).wait().unwrap();
    let duration = begun.elapsed();
    let after = whole.content();
    let mut fixed = 0;
    for number in 0..times {
        let place = copy_of(prepared);
        let mut child = start(&place, arguments);
        // The delays reach beyond the measured duration, because the files are written in its second half.
        thread::sleep(duration.mul_f64(f64::from(number) / f64::from(times) * 1.1));
        child.kill().unwrap();
        child.wait().unwrap();
        let journal = place.root().join(".opctl/journal");
        let left = journal.is_dir();
        if left {
            nothing_is_completed_by_reading(&place);
        }
        let output = place.run(next);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        assert!(!journal.exists(), "a journal is left: {said}");
        let told = ["Completed", "Undone", "Removed"].iter().any(|verb| said.contains(verb));
        assert_eq!(left, told, "what was left has to be told: {said}");
        fixed += u32::from(left);
        let now = place.content();
        let to = |tree: &Tree| differences(tree, &now);
        assert!(
            now == before || now == after,
            "{arguments:?}: neither before nor after:\n{}\nor\n{}",
            to(&before).join("\n"),
            to(&after).join("\n")
        );
    }
    fixed
}

fn nothing_is_completed_by_reading(place: &Place) {
    let stopped = place.tree();
    for (arguments, sign) in [
        (["list"].as_slice(), "warning: an opctl command was stopped in this project"),
        (&["update", "--check"], "error: an opctl command was stopped in this project"),
        (&["create", "api", "--kind", "Other", "--dry-run"], "error: an opctl command was stopped in this project"),
    ] {
        let output = place.run(arguments);
        let said = text(&output.stderr);
        if place.root().join("PROJECT").exists() {
            let code = if sign.starts_with("error") { 3 } else { 0 };
            assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
            assert!(said.contains(sign) && said.contains("opctl update"), "{arguments:?}: {said}");
        } else {
            assert!(said.contains("an `opctl init` was stopped in this folder"), "{arguments:?}: {said}");
        }
        assert_same(&stopped, &place.tree(), "a command that reads changes nothing");
    }
}

/// Kills four kinds of commands, each `times` times. Returns the number of kills that left a journal of unfinished
/// changes, which the next command had to complete or undo.
fn several_killed(times: u32) -> u32 {
    let (empty, project, kind) = (Place::new(), Place::with_project(), Place::with_project());
    kind.ok(&CREATE);
    killed(&empty, &INIT, &INIT, times)
        + killed(&project, &CREATE, &["update"], times)
        + killed(&kind, &["delete", "api", "--kind", "WebServer"], &["update"], times)
        + killed(&kind, &["rename", "api", "--kind", "WebServer", "--to", "Site"], &["update"], times)
}

#[test]
fn after_two_hundred_kills_the_next_command_mends_the_tree() {
    let fixed = several_killed(25) + several_killed(25);
    println!("{fixed} of 200 kills left something to fix");
}

#[test]
#[ignore = "it takes minutes"]
fn after_many_kills_the_next_command_mends_the_tree() {
    let fixed: u32 = (0..6).map(|_| several_killed(50)).sum();
    println!("{fixed} of 1200 kills left something to fix");
}

#[test]
fn sixteen_commands_at_once_all_land() {
    let place = Place::with_project();
    let kinds: Vec<String> = (b'A'..=b'P').map(|letter| format!("Kind{}", char::from(letter))).collect();
    let children: Vec<Child> = kinds.iter().map(|kind| start(&place, &["create", "api", "--kind", kind])).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let listed = place.json(&["list"]);
    let mut found: Vec<&str> =
        listed["data"]["resources"].as_array().unwrap().iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    found.sort_unstable();
    assert_eq!(found, kinds);
    let before = place.tree();
    for kind in &kinds {
        place.ok(&["create", "api", "--kind", kind]);
    }
    assert_same(&before, &place.tree(), "everything had landed whole");
}

#[test]
fn two_inits_at_once_make_one_project() {
    let place = Place::new();
    let mut children = [start(&place, &INIT), start(&place, &INIT), start(&place, &INIT)];
    assert!(children.iter_mut().all(|child| child.wait().unwrap().success()));
    let alone = Place::new();
    alone.ok(&INIT);
    assert_same(&alone.content(), &place.content(), "two inits");
}

/// Runs a shell script with opctl as `$OPCTL`, in a new mount namespace. Returns the exit code and stderr.
fn in_namespace(place: &Place, script: &str) -> (Option<i32>, String) {
    let opctl = place.command::<&str>(&[]);
    let mut command = tool("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-ec", script]);
    command.current_dir(place.root()).env("OPCTL", opctl.get_program()).env("NO_COLOR", "1").stdin(Stdio::null());
    command.env("XDG_STATE_HOME", place.root().with_file_name("home/state"));
    let output = command.output().expect("unshare is there");
    (output.status.code(), text(&output.stderr))
}

#[test]
fn a_process_with_little_memory_does_its_work() {
    let place = Place::new();
    let limited = "ulimit -v 250000 && exec \"$@\"";
    let program = env!("CARGO_BIN_EXE_opctl");
    let output = tool("sh").args(["-c", limited, "sh", program]).args(INIT).current_dir(place.root()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn a_folder_that_cannot_be_written_is_one_error() {
    for (place, command) in
        [(Place::new(), "init --domain example.com"), (Place::with_project(), "create api --kind WebServer")]
    {
        let script = format!("mount --bind . .\nmount -o remount,ro,bind .\ncd \"$PWD\"\n\"$OPCTL\" {command}");
        let before = place.content();
        let (code, said) = in_namespace(&place, &script);
        assert_eq!(code, Some(4), "{command}: {said}");
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
        assert!(said.contains("hint: make the folder writable"), "{said}");
        assert_same(&before, &content(&place.root()), command);
    }
}

#[test]
fn a_full_disk_leaves_the_tree_as_it_was() {
    // From no space at all up to the first disk with enough space.
    let mut refused = 0;
    for kibibytes in (4..).step_by(32) {
        let place = Place::new();
        let script = format!(
            "mount -t tmpfs -o size={kibibytes}k none \"$PWD\"\ncd \"$PWD\"\ncode=0\n\
             \"$OPCTL\" init --domain example.com --name x-operator || code=$?\n\
             rm -f .opctl/lock\n[ $code = 0 ] || rmdir .opctl 2>/dev/null || true\n\
             [ $code = 0 ] || [ -z \"$(ls -A)\" ] || {{ ls -lAR >&2; exit 99; }}\nexit $code"
        );
        let (code, said) = in_namespace(&place, &script);
        assert!(matches!(code, Some(0 | 4)), "{kibibytes} KiB: {code:?} {said}");
        if code == Some(0) {
            break;
        }
        assert!(said.contains("hint: free some space"), "{said}");
        assert!(kibibytes < 4096, "a disk of {kibibytes} KiB is too small for a new project");
        refused += 1;
    }
    assert!(refused > 8, "most of the disks were too small: {refused}");
}

#[test]
fn a_killed_command_says_so_once() {
    let place = Place::with_project();
    let journal = place.root().join(".opctl/journal");
    let before = place.content();
    for (left, said) in [
        (Some("new-0"), "Undone an opctl command that was stopped before it changed anything"),
        (
            Some("done.json"),
            "Removed the journal of an opctl command that was stopped after it had made all its changes",
        ),
        (None, "Removed the empty journal of an opctl command that was stopped"),
    ] {
        fs::create_dir(&journal).unwrap();
        if let Some(file) = left {
            fs::write(journal.join(file), "half").unwrap();
        }
        let first = place.ok(&["update"]);
        assert!(first.contains(said), "{left:?}: {first}");
        let second = place.ok(&["update"]);
        assert!(!second.contains("Undone") && !second.contains("Removed"), "{left:?}: {second}");
        assert_same(&before, &place.content(), "the journal goes");
    }
    fs::create_dir(place.root().join(".opctl/journal")).unwrap();
    fs::write(place.root().join(".opctl/journal/plan.json"), "{").unwrap();
    let output = place.run(&["update"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("hint: rm -r .opctl/journal"), "{}", text(&output.stderr));
}
