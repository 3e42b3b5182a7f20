//! Journals (lists of unfinished changes in `.opctl/journal`) that another user or program wrote, and state files
//! of opctl that are links or belong to another user.

use super::scene::{KNOWN, Scene};
use crate::support::{FailingDisk, Fault, NOTHING_RENDERED, Place, assert_same, lay, text, tool};
use opctl::test_api::model::{PROJECT_FILE, Project};
use opctl::test_api::plan::{Existing, LEDGER_FILE, Operation, PlanContext, reconcile_operations};
use opctl::test_api::workspace::{Sealer, commit};
use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::Path;

const FOREIGN: &str = "`.opctl/journal` was written by another user or in another folder";
const DAMAGED: &str = ".opctl/journal/plan.json` is damaged";

/// Commands that write to the project, and that complete the journal of an interrupted command first.
const WRITING: [&[&str]; 4] =
    [&["update"], &["create", "api", "--kind", "Shop"], &["edit", "--enable", "network-policy"], &["resolve"]];

/// Commands that only read.
const READING: [&[&str]; 9] = [
    &["list"],
    &["status", "--timeout", "1"],
    &["doctor", "--timeout", "1"],
    &["logs"],
    &["update", "--check"],
    &["docs", "--check"],
    &["manifests", "--dry-run"],
    &["create", "api", "--kind", "Shop", "--dry-run"],
    &["resolve", "--dry-run"],
];

/// Writes a journal into the project: the list of entries `text` in the file `list`, and two files that opctl would
/// move into place if it trusted the list.
fn put(place: &Place, list: &str, text: &str) {
    let journal = place.root().join(".opctl/journal");
    fs::create_dir(&journal).unwrap();
    fs::write(journal.join(list), text).unwrap();
    for index in 0..2 {
        fs::write(journal.join(format!("new-{index}")), "attack\n").unwrap();
    }
}

fn sha256(text: &str) -> String {
    opctl::test_api::plan::hash(text)
}

/// Returns the list of a journal in three forms that opctl must not trust: without a seal (the signature by which
/// opctl recognizes its journals), as an earlier opctl wrote it; with a forged seal; and with null as its seal.
fn lists(entries: &str, folders: &str) -> [String; 3] {
    let list = format!(r#"{{"entries":[{entries}],"folders":[{folders}]}}"#);
    let sealed = format!(r#"{{"seal":"{}","journal":{list}}}"#, "A".repeat(43) + "=");
    [list.clone(), sealed, format!(r#"{{"seal":null,"journal":{list}}}"#)]
}

#[test]
fn a_journal_of_a_repository_is_not_carried_out() {
    let attack = sha256("attack\n");
    let absolute = |place: &Place| place.root().with_file_name("victim").join("made").display().to_string();
    let somewhere = absolute(&Place::new());
    for (what, list, entries, folders) in [
        ("create", "plan.json", format!(r#"{{"path":"../victim/made","before":null,"after":"{attack}"}}"#), ""),
        ("create, absolute", "plan.json", format!(r#"{{"path":"{somewhere}","before":null,"after":"{attack}"}}"#), ""),
        (
            "create in a new folder",
            "plan.json",
            format!(r#"{{"path":"h/new/made","before":null,"after":"{attack}"}}"#),
            r#""h/new""#,
        ),
        ("overwrite", "plan.json", format!(r#"{{"path":"h/known","before":"","after":"{attack}"}}"#), ""),
        (
            "overwrite what is known",
            "plan.json",
            format!(r#"{{"path":"h/known","before":"{}","after":"{attack}"}}"#, sha256(KNOWN)),
            "",
        ),
        ("a hook", "plan.json", format!(r#"{{"path":".git/hooks/made","before":null,"after":"{attack}"}}"#), ""),
        (
            "a hook through a symlink",
            "plan.json",
            format!(r#"{{"path":"g/made","before":null,"after":"{attack}"}}"#),
            "",
        ),
        ("delete", "plan.json", r#"{"path":"h/known","before":"","after":null}"#.to_owned(), ""),
        ("delete by undoing", "undo.json", r#"{"path":"h/known","before":null,"after":""}"#.to_owned(), ""),
        (
            "a file of the project",
            "plan.json",
            format!(r#"{{"path":"build.rs","before":null,"after":"{attack}"}}"#),
            "",
        ),
    ] {
        for text in lists(&entries, folders) {
            let scene = Scene::new(|place| put(place, list, &text));
            let is_readable = text.contains("journal")
                && !entries.contains("..")
                && !entries.contains(".git/")
                && !entries.contains(":\"/");
            let error = match (is_readable, list) {
                (true, _) => FOREIGN,
                (false, "plan.json") => DAMAGED,
                (false, _) => ".opctl/journal/undo.json` is damaged",
            };
            for arguments in &WRITING[..2] {
                scene.refused(what, arguments, 1, error);
            }
        }
    }
}

#[test]
fn a_command_that_reads_carries_no_journal_out() {
    let entry = format!(r#"{{"path":"made","before":null,"after":"{}"}}"#, sha256("attack\n"));
    let list = &lists(&entry, "")[1];
    let scene = Scene::new(|place| put(place, "plan.json", list));
    let before = scene.place.tree();
    for arguments in READING {
        let (code, said) = scene.run(arguments);
        assert!(said.contains("an opctl command was stopped in this project"), "{arguments:?}: {said}");
        assert!(said.contains("opctl update"), "{arguments:?}: {said}");
        if arguments.contains(&"--check") || arguments.contains(&"--dry-run") {
            assert_eq!(code, Some(3), "{arguments:?}: {said}");
        }
        assert_same(&before, &scene.place.tree(), &format!("{arguments:?}: {said}"));
    }
    for arguments in WRITING {
        scene.refused("a journal", arguments, 1, FOREIGN);
    }
    // Follow the hint of the error.
    fs::remove_dir_all(scene.place.root().join(".opctl/journal")).unwrap();
    assert_eq!(scene.run(&["update"]).0, Some(0));
}

fn fifo(path: &Path) {
    assert!(tool("mkfifo").arg(path).status().unwrap().success());
}

/// A function that puts an attack into the folder `.opctl`.
type Prepare = fn(&Path);

/// Attacks through opctl's state files: symlinks, FIFOs, folders and unknown files in `.opctl`. Each has the exit code
/// and the error of the commands that refuse it.
const ATTACKS: [(&str, Prepare, i32, &str); 8] = [
    (
        "the journal is a symlink",
        |state| symlink("../../victim/keys", state.join("journal")).unwrap(),
        3,
        "`.opctl/journal` is in the way",
    ),
    (
        "the journal is a symlink within",
        |state| symlink("../config", state.join("journal")).unwrap(),
        3,
        "`.opctl/journal` is in the way",
    ),
    (
        "the lock is a symlink",
        |state| symlink("../../victim/made", state.join("lock")).unwrap(),
        3,
        "`.opctl/lock` is in the way",
    ),
    ("the lock is a FIFO", |state| fifo(&state.join("lock")), 3, "`.opctl/lock` is in the way"),
    ("the lock is a folder", |state| fs::create_dir(state.join("lock")).unwrap(), 3, "`.opctl/lock` is in the way"),
    (
        "the list is a symlink",
        |state| {
            fs::create_dir(state.join("journal")).unwrap();
            symlink("/dev/zero", state.join("journal/plan.json")).unwrap();
        },
        4,
        ".opctl/journal/plan.json`",
    ),
    (
        "the list is a FIFO",
        |state| {
            fs::create_dir(state.join("journal")).unwrap();
            fifo(&state.join("journal/plan.json"));
        },
        4,
        ".opctl/journal/plan.json`",
    ),
    (
        "the journal has other files",
        |state| {
            fs::create_dir(state.join("journal")).unwrap();
            fs::write(state.join("journal/mine"), "").unwrap();
        },
        3,
        "the folder contains a file that opctl does not create, `mine`",
    ),
];

#[test]
fn state_that_leads_out_is_refused() {
    for (attack, prepare, code, error) in ATTACKS {
        let scene = Scene::new(|place| {
            fs::remove_file(place.root().join(".opctl/lock")).unwrap();
            prepare(&place.root().join(".opctl"));
        });
        for arguments in WRITING {
            scene.refused(attack, arguments, code, error);
        }
        for arguments in READING {
            scene.run(arguments);
        }
    }
}

#[test]
fn a_state_folder_that_is_a_symlink_is_refused() {
    let scene = Scene::new(|place| {
        fs::rename(place.root().join(".opctl"), place.root().with_file_name("elsewhere")).unwrap();
        symlink("../elsewhere", place.root().join(".opctl")).unwrap();
    });
    for arguments in WRITING {
        scene.refused("`.opctl` is a symlink", arguments, 3, "`.opctl` is in the way");
    }
}

#[test]
fn state_of_another_user_is_refused() {
    let place = Place::with_project();
    let state = place.root().join(".opctl");
    let error = "`.opctl` belongs to another user";
    let said = if chown(&state, Some(65534), None).is_ok() {
        text(&place.run(&["update"]).stderr)
    } else {
        // Without privileges, a folder of the system stands for one of another user.
        let script = "mount --bind /usr .opctl && cd \"$PWD\" && \"$0\" update";
        let opctl = place.command::<&str>(&[]);
        let mut command = tool("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]).arg(opctl.get_program());
        text(&command.current_dir(place.root()).output().unwrap().stderr)
    };
    assert!(said.contains(error) && said.contains("hint: sudo chown"), "{said}");
}

#[test]
fn a_folder_above_is_no_project_because_of_a_journal() {
    let place = Place::new();
    let above = place.root().parent().unwrap().to_owned();
    fs::create_dir_all(above.join(".opctl/journal")).unwrap();
    let list = &lists(r#"{"path":"made","before":null,"after":"0"}"#, "")[1];
    fs::write(above.join(".opctl/journal/plan.json"), list).unwrap();
    fs::write(above.join(".opctl/journal/new-0"), "attack\n").unwrap();
    for arguments in READING.iter().chain(&WRITING).filter(|arguments| arguments[0] != "doctor") {
        let output = place.run(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains("error: no project in"), "{arguments:?}: {said}");
        assert!(!said.contains("was stopped"), "{arguments:?}: {said}");
    }
    assert!(!above.join("made").exists() && above.join(".opctl/journal/new-0").exists());
}

/// Interrupts a command that creates `made/file` and changes the ledger (the list of generated files): the disk fails
/// after this many operations.
fn stop(place: &Place, sealer: &Sealer, operations: usize) {
    let workspace = place.writing().unwrap();
    let project = Project::parse(&fs::read_to_string(place.root().join(PROJECT_FILE)).unwrap()).unwrap();
    let wanted = [Operation::create("made/file", "made\n", Existing::Conflict)];
    let snapshot = workspace.snapshot(["made/file", LEDGER_FILE, PROJECT_FILE]).unwrap();
    let plan = reconcile_operations(
        &wanted,
        &project,
        &snapshot,
        NOTHING_RENDERED,
        &PlanContext { version: "0.1.0", force: None },
    )
    .unwrap();
    commit(&place.root(), &plan, sealer, &FailingDisk::new(operations, Fault::FromThenOn)).unwrap_err();
}

/// The number of disk operations that write a journal: they create two folders, write two new files, save one old file,
/// and write and then rename the list of entries.
const STAGED: usize = 7;

#[test]
fn only_the_user_who_was_stopped_goes_on_and_only_there() {
    let of = |place: &Place| Sealer::new(Some(place.root().with_file_name("other-home")));
    let foreign = |scene: &Scene, what: &str| {
        assert!(scene.place.root().join(".opctl/journal/plan.json").exists(), "{what}: it was stopped too early");
        for arguments in WRITING {
            scene.refused(what, arguments, 1, FOREIGN);
        }
    };
    foreign(&Scene::new(|place| stop(place, &of(place), STAGED)), "another user's");
    foreign(&Scene::new(|place| stop(place, &Sealer::new(None), STAGED)), "of a user without a home");
    let own = Scene::new(|place| stop(place, &place.sealer(), STAGED));
    let copy = Scene::new(|place| {
        fs::remove_dir_all(place.root().join(".opctl")).unwrap();
        lay(&own.place.root().join(".opctl"), &place.root().join(".opctl"));
    });
    // The key is the same one: only the folder is another.
    lay(&own.place.root().with_file_name("home"), &copy.place.root().with_file_name("home"));
    foreign(&copy, "a copy");
    for staged in [".opctl/journal/new-1", ".opctl/journal/tree-0/file"] {
        let path = own.place.root().join(staged);
        let content = fs::read_to_string(&path).unwrap();
        fs::write(&path, "attack\n").unwrap();
        own.refused("another content", &["update"], 1, &format!("{staged}` is damaged"));
        fs::write(&path, content).unwrap();
    }
    let (code, said) = own.run(&["update"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Completed an opctl command that was stopped (2 files)"), "{said}");
    assert!(own.place.root().join(".opctl/files.yaml").exists() && !own.place.root().join(".opctl/journal").exists());
}

#[test]
fn a_command_works_where_no_key_can_be_kept() {
    let place = Place::with_project();
    let output =
        place.command(&["create", "api", "--kind", "Shop"]).env("XDG_STATE_HOME", "/proc/none").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output =
        place.command(&["create", "api", "--kind", "Site"]).env_remove("XDG_STATE_HOME").env_remove("HOME").output();
    assert_eq!(output.unwrap().status.code(), Some(0));
}
