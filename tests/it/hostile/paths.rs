//! Paths in the files of a repository that lead out of it.

use super::scene::{KNOWN, Scene};
use crate::cache::MARK;
use crate::support::{Place, edit, text, tool};
use opctl::test_api::plan::hash;
use std::fs;
use std::os::unix::fs::symlink;

#[test]
fn a_ledger_names_no_file_outside() {
    let absolute = |place: &Place| place.root().with_file_name("victim").join("known").display().to_string();
    for (spelling, reason) in [
        ("../victim/known", "`../victim/known` leads outside of the project"),
        ("ABSOLUTE", "leads outside of the project"),
        ("config/rbac/../../../victim/known", "`config/rbac/../../../victim/known` leads outside of the project"),
        ("./config/../../victim/known", "`./config/../../victim/known` has a `.` in it"),
        ("h/../../victim/known", "`h/../../victim/known` leads outside of the project"),
        (".git/hooks/known", "`.git/hooks/known` is in git's own folder"),
        (".GIT/hooks/known", "`.GIT/hooks/known` is in git's own folder"),
        ("\"..\\\\victim\\\\known\"", "leads outside of the project"),
        ("h/known", "`h/known` leads out of the project"),
        ("g/known", "`g/known` leads out of the project"),
        ("h/keys/id", "`h/keys/id` leads out of the project"),
    ] {
        let scene = Scene::new(|place| {
            let path = if spelling == "ABSOLUTE" { absolute(place) } else { spelling.to_owned() };
            edit(&place.root().join(".opctl/files.yaml"), "files:\n", &format!("files:\n  {path}: {}\n", hash(KNOWN)));
        });
        for arguments in [&["update"][..], &["update", "--check"], &["update", "--dry-run"]] {
            scene.refused(spelling, arguments, 1, reason);
        }
        if !spelling.starts_with(['h', 'g']) || spelling.contains("..") {
            let damaged = "error: `.opctl/files.yaml` is damaged";
            for arguments in [&["create", "api", "--kind", "Shop"][..], &["manifests"], &["resolve"]] {
                scene.refused(spelling, arguments, 1, reason);
                assert!(scene.run(arguments).1.contains(damaged), "{spelling}");
            }
        }
    }
}

#[test]
fn a_conflict_of_the_ledger_names_no_file_outside() {
    for line in ["conflict: ../victim/known\n", "conflict: /etc/hosts\n", "conflict: .git/config\n"] {
        let scene = Scene::new(|place| {
            let ledger = place.root().join(".opctl/files.yaml");
            fs::write(&ledger, fs::read_to_string(&ledger).unwrap() + line).unwrap();
        });
        scene.refused(line, &["update"], 1, "error: `.opctl/files.yaml` is damaged");
    }
}

#[test]
fn the_hint_of_a_damaged_ledger_mends_it() {
    let scene = Scene::new(|place| {
        let line = format!("files:\n  ../victim/known: {}\n", hash(KNOWN));
        edit(&place.root().join(".opctl/files.yaml"), "files:\n", &line);
    });
    let (_, said) = scene.run(&["update"]);
    let hint = said.split_once("\nhint: ").unwrap().1;
    let done = tool("sh").args(["-c", hint]).current_dir(scene.place.root()).status().unwrap();
    assert!(done.success(), "{hint}");
    assert_eq!(scene.run(&["update", "--check"]), (Some(0), scene.run(&["update", "--check"]).1));
}

#[test]
fn a_project_names_no_folder_outside() {
    for key in ["jsonSchema", "headerFile"] {
        for value in
            ["../outdir", "/abs/outdir", ".git/hooks", "a/.Git/hooks", "a/../../outdir", "./a", "a//b", "\"a\\\\b\""]
        {
            let scene = Scene::new(|place| {
                edit(&place.root().join("PROJECT"), "    license:", &format!("    {key}: {value}\n    license:"));
            });
            for arguments in [&["manifests"][..], &["manifests", "--check"], &["list"], &["update"]] {
                scene.refused(value, arguments, 1, &format!("`{key}` is wrong"));
            }
        }
    }
}

#[test]
fn a_folder_that_is_a_symlink_is_not_written_through() {
    for (folder, arguments) in [
        ("api/src", &["create", "api", "--kind", "Shop"][..]),
        ("config/samples", &["create", "api", "--kind", "Shop"]),
        ("config", &["create", "api", "--kind", "Shop"]),
        ("src", &["update"]),
    ] {
        for target in ["../victim", ".git/hooks"] {
            let scene = Scene::new(|place| {
                let folder = place.root().join(folder);
                fs::remove_dir_all(&folder).unwrap();
                symlink(place.root().join(target), folder).unwrap();
            });
            scene.refused(folder, arguments, 1, "leads out of the project");
        }
    }
}

fn configure_target(place: &Place, folder: &str) {
    fs::create_dir(place.root().join(".cargo")).unwrap();
    fs::write(place.root().join(".cargo/config.toml"), format!("[build]\ntarget-dir = \"{folder}\"\n")).unwrap();
}

/// Makes a folder with a `target` folder and a `src` folder. If `mark` is given, it becomes the content of the folder's
/// `CACHEDIR.TAG`, which marks a cache.
fn make_cache(place: &Place, folder: &str, mark: Option<&str>) {
    let folder = place.root().join(folder);
    fs::create_dir_all(folder.join("target/debug")).unwrap();
    fs::create_dir_all(folder.join("src")).unwrap();
    if let Some(mark) = mark {
        fs::write(folder.join("CACHEDIR.TAG"), mark).unwrap();
    }
}

const MARK_OF_CARGO: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by cargo.\n";

/// A function that puts an attack into a project.
type Prepare = fn(&Place);

/// Ways to make a folder of somebody else look like the cache of opctl.
const CACHES_OF_OTHERS: [(&str, Prepare); 6] = [
    ("a checkout beside", |place| {
        configure_target(place, "..");
        make_cache(place, "../opctl", None);
    }),
    ("a folder of cargo", |place| {
        configure_target(place, "..");
        make_cache(place, "../opctl", Some(MARK_OF_CARGO));
    }),
    ("a symlink", |place| {
        make_cache(place, "../sibling/opctl", Some(MARK));
        symlink("../sibling", place.root().join("target")).unwrap();
    }),
    ("a symlink in the configuration", |place| {
        make_cache(place, "../sibling/opctl", Some(MARK));
        symlink("../sibling", place.root().join("s")).unwrap();
        configure_target(place, "s");
    }),
    ("the last folder is a symlink", |place| {
        make_cache(place, "../sibling", Some(MARK));
        fs::create_dir(place.root().join("target")).unwrap();
        symlink("../../sibling", place.root().join("target/opctl")).unwrap();
    }),
    ("the mark is a symlink", |place| {
        configure_target(place, "..");
        make_cache(place, "../opctl", None);
        fs::write(place.root().join("mark"), MARK).unwrap();
        symlink("../project/mark", place.root().join("../opctl/CACHEDIR.TAG")).unwrap();
    }),
];

#[test]
fn the_cache_of_another_folder_stays() {
    for (attack, prepare) in CACHES_OF_OTHERS {
        let scene = Scene::new(prepare);
        for arguments in [&["cache", "clean"][..], &["cache", "clean", "--dry-run"], &["cache", "clean", "--servers"]] {
            scene.refused(attack, arguments, 3, "cannot tell whether opctl created the folder `");
        }
    }
}

#[test]
fn a_cache_that_opctl_made_elsewhere_goes_and_nothing_else() {
    let place = Place::with_project();
    configure_target(&place, "../sibling");
    make_cache(&place, "../sibling/opctl", Some(MARK));
    let output = place.run(&["cache", "clean"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let left = fs::read_dir(place.root().join("../sibling/opctl")).unwrap();
    assert_eq!(left.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>(), ["src"]);
}
