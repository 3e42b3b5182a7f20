//! `opctl update`: projects that another version of opctl made, with git and without.

mod earlier;
mod random;
mod workflow;

use crate::merges::Repository;
use crate::support::{Place, assert_same, lay, text};
use opctl::test_api::model::ProjectPath;
use opctl::test_api::plan::{LEDGER_FILE, Ledger, hash};
use std::fs;

const TYPES: &str = "api/src/v1alpha1/web_server.rs";
const MAIN: &str = "src/main.rs";
const README: &str = "README.md";

/// Replaces the file at `path` with a text that an earlier version of opctl would have generated. Records the hash of
/// the text in the ledger `.opctl/files.yaml`, which lists the generated files with their hashes.
pub(crate) fn earlier(place: &Place, path: &str, edit: impl Fn(&str) -> String) {
    let file = place.root().join(path);
    let before = fs::read_to_string(&file).unwrap();
    let text = edit(&before);
    assert_ne!(text, before, "{path}");
    fs::write(&file, &text).unwrap();
    let ledger = place.root().join(LEDGER_FILE);
    let mut known = Ledger::parse(&fs::read_to_string(&ledger).unwrap()).unwrap();
    known.files.insert(ProjectPath::parse(path).unwrap(), [hash(&text)].into());
    "0.0.1".clone_into(&mut known.opctl);
    fs::write(ledger, known.to_text()).unwrap();
}

/// Makes a project of an earlier opctl, which generated some files differently.
fn project() -> Place {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    earlier(&place, README, |text| format!("{text}\nA line that is not generated any more.\n"));
    earlier(&place, TYPES, |text| text.replacen("use ", "use std::fmt::Debug;\nuse ", 1));
    earlier(&place, MAIN, |text| text.replacen("let stop", "let stopped", 1));
    let project = fs::read_to_string(place.root().join("PROJECT")).unwrap();
    let version = format!("cliVersion: {}", env!("CARGO_PKG_VERSION"));
    assert!(project.contains(&version), "{project}");
    fs::write(place.root().join("PROJECT"), project.replace(&version, "cliVersion: 0.0.1")).unwrap();
    place
}

/// Makes a project with this opctl.
fn current() -> Place {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    place
}

#[test]
fn a_project_that_nobody_edited_becomes_what_this_opctl_makes() {
    let place = project();
    let before = place.tree();
    let dry = place.json(&["update", "--dry-run"]);
    let shown = place.run(&["update", "--dry-run", "--diff"]);
    assert!(text(&shown.stdout).contains("-A line that is not generated any more."), "{}", text(&shown.stdout));
    let checked = place.run(&["update", "--check"]);
    assert_eq!(checked.status.code(), Some(3), "{}", text(&checked.stderr));
    assert!(text(&checked.stdout).contains("-A line that is not generated any more."), "{}", text(&checked.stdout));
    let said = text(&checked.stderr);
    let differ = format!("files differ from what opctl {} generates", env!("CARGO_PKG_VERSION"));
    assert!(said.contains(&differ) && said.contains("`README.md` would change"), "{said}");
    assert_same(&before, &place.tree(), "a dry run and a check");
    let wet = place.json(&["update"]);
    assert_eq!((&wet["outcome"], &wet["changes"]), (&"changed".into(), &dry["changes"]));
    assert_eq!(wet["next"], serde_json::json!(["opctl manifests", "cargo test"]));
    assert_same(&current().tree(), &place.tree(), "updated");
    let nothing = format!("nothing to do: the project is what opctl {} generates\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(place.ok(&["update"]), nothing);
    place.ok(&["update", "--check"]);
}

/// Checks that `opctl update` does not sort the lines that an earlier version of opctl wrote into files in the
/// order in which commands ran.
#[test]
fn lines_in_another_order_are_left_as_they_are() {
    let place = Place::with_project();
    for kind in ["Alpha", "Mid", "Zeta"] {
        place.ok(&["create", "api", "--kind", kind]);
    }
    let turned = |text: &str, line: &dyn Fn(&str) -> bool| -> String {
        let mut turned: Vec<&str> = text.lines().filter(|own| line(own)).collect();
        let lines = text.lines().map(|own| if line(own) { turned.pop().unwrap() } else { own });
        lines.fold(String::new(), |text, line| text + line + "\n")
    };
    earlier(&place, MAIN, |text| turned(text, &|line| line.trim().starts_with("manager.add(")));
    for list in ["config/samples", "config/rbac"] {
        let of_kinds = |line: &str| ["alpha", "mid", "zeta"].iter().any(|kind| line.contains(kind));
        earlier(&place, &format!("{list}/kustomization.yaml"), |text| turned(text, &of_kinds));
    }
    let project = fs::read_to_string(place.root().join("PROJECT")).unwrap();
    let names = project.replace("Alpha", "_").replace("Zeta", "Alpha").replace('_', "Zeta");
    let names = names.replace("alphas", "_").replace("zetas", "alphas").replace("plural: _", "plural: zetas");
    fs::write(place.root().join("PROJECT"), names).unwrap();
    place.ok(&["update", "--check"]);
    place.ok(&["create", "api", "--kind", "Beta"]);
    place.ok(&["update", "--check"]);
    place.ok(&["delete", "api", "--kind", "Beta"]);
    place.ok(&["update", "--check"]);
    let main = fs::read_to_string(place.root().join(MAIN)).unwrap();
    let place_of = |kind: &str| main.find(&format!("controller::{kind}::")).unwrap();
    assert!(place_of("zeta") < place_of("mid") && place_of("mid") < place_of("alpha"), "{main}");
}

#[test]
fn a_deleted_file_is_made_again_with_the_lines_of_all_commands() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    let main = place.root().join("tests/it/main.rs");
    fs::remove_file(&main).unwrap();
    place.ok(&["create", "api", "--kind", "Site"]);
    let text = fs::read_to_string(&main).unwrap();
    assert!(text.contains("mod shop;\nmod site;\n"), "{text}");
    place.ok(&["update", "--check"]);
}

#[test]
fn a_deleted_file_is_made_again_with_what_the_command_sets() {
    let place = Place::with_project();
    let file = place.root().join("config/manager/kustomization.yaml");
    fs::remove_file(&file).unwrap();
    place.ok(&["edit", "--image", "registry.example.com/own:7"]);
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("registry.example.com/own") && text.contains("newTag: \"7\"") || text.contains("newTag: '7'"),
        "{text}"
    );
    place.ok(&["update", "--check"]);
}

#[test]
fn a_file_without_the_lines_of_commands_is_one_that_the_user_edited() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "Shop"]);
    let main = place.root().join("tests/it/main.rs");
    let text = fs::read_to_string(&main).unwrap();
    fs::write(&main, text.replace("mod shop;\n", "")).unwrap();
    place.ok(&["update", "--check"]);
    place.ok(&["create", "api", "--kind", "Site"]);
    place.ok(&["update", "--check"]);
    let text = fs::read_to_string(&main).unwrap();
    assert!(text.contains("mod site;\n") && !text.contains("mod shop;"), "{text}");
}

#[test]
fn update_finds_files_made_by_commands_up_to_date() {
    let place = current();
    for command in [
        "create api --group apps --kind Tenant --namespaced=false --owns ConfigMap --finalizer",
        "create api --kind WebServer --version v1beta1 --storage-version",
        "create api --kind WebServer --resource=false --controller-name second",
        "create api --group core --kind Pod --resource=false",
        "create webhook --kind WebServer --defaulting",
        "create webhook --kind WebServer --validation",
        "edit --enable prometheus,network-policy",
        "edit --namespaced=false",
    ] {
        place.ok(&command.split(' ').collect::<Vec<_>>());
    }
    let main = fs::read_to_string(place.root().join(MAIN)).unwrap();
    fs::write(place.root().join(MAIN), main.replacen("use ", "// Mine.\nuse ", 1)).unwrap();
    place.ok(&["create", "api", "--kind", "Shop", "--image", "nginx"]);
    let before = place.tree();
    let said = place.json(&["update"]);
    assert_eq!(said["outcome"], "unchanged", "{said}");
    assert_same(&before, &place.tree(), "up to date");
}

/// A line that a command inserted and the user then changed is not inserted again by later commands.
#[test]
fn a_changed_line_of_a_command_is_not_inserted_again() {
    let place = current();
    let edit = |from: &str, to: &str| {
        let main = fs::read_to_string(place.root().join(MAIN)).unwrap();
        assert!(main.contains(from), "{main}");
        fs::write(place.root().join(MAIN), main.replacen(from, to, 1)).unwrap();
    };
    edit("manager.add(", "manager.add_with(7_u8, ");
    place.ok(&["create", "webhook", "--kind", "WebServer", "--defaulting"]);
    edit("webhook::web_server::setup(&mut manager)", "webhook::web_server::setup(&mut manager, 1)");
    place.ok(&["create", "api", "--kind", "WebServer", "--version", "v1", "--storage-version"]);
    place.ok(&["create", "webhook", "--kind", "WebServer", "--conversion", "--spoke", "v1alpha1"]);
    place.ok(&["create", "api", "--kind", "WebServer", "--finalizer"]);
    place.ok(&["create", "api", "--kind", "Shop"]);
    let before = place.tree();
    let said = place.json(&["update"]);
    assert_eq!(said["outcome"], "unchanged", "{said:#}");
    assert_same(&before, &place.tree(), "up to date");
    let main = fs::read_to_string(place.root().join(MAIN)).unwrap();
    let count = |text: &str| main.matches(text).count();
    assert_eq!((count("controller::web_server::"), count("webhook::web_server::setup")), (1, 1), "{main}");
}

#[test]
fn the_golden_projects_are_up_to_date() {
    for name in crate::support::GOLDEN {
        let place = Place::new();
        lay(&crate::support::project(name), &place.root());
        let said = place.json(&["update"]);
        let changed = said["changes"].as_array().unwrap().iter().filter(|change| change["action"] != "unchanged");
        assert_eq!(said["outcome"], "unchanged", "{name}: {:#?}", changed.collect::<Vec<_>>());
    }
}

/// Returns a repository with a project of an earlier opctl, which its user has edited since.
fn edited() -> Repository {
    let repository = Repository::of(project());
    repository.write(TYPES, |text| format!("{text}\n/// Mine.\npub const MINE: u8 = 1;\n"));
    repository.write(README, |text| text.replacen("# ", "# My ", 1));
    repository.commit("Edit");
    repository.write(MAIN, |text| text.replace("let stopped", "let mine"));
    repository.commit("Edit the same lines");
    for number in 0..3 {
        repository.write("notes.md", |text| format!("{text}{number}\n"));
        repository.commit("Write notes");
    }
    repository
}

#[test]
fn edits_are_merged_with_the_base_of_the_history() {
    let repository = edited();
    let place = &repository.place;
    let dry = place.json(&["update", "--dry-run"]);
    let warned = dry["warnings"].to_string();
    assert!(warned.contains("would be in conflict: `src/main.rs` at line "), "{dry}");
    let output = place.run(&["update"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("error: `src/main.rs` is in conflict with what opctl generates"), "{said}");
    assert!(said.contains("`src/main.rs` at line "), "{said}");
    assert!(said.contains("hint: resolve the conflicts, then run:\n      opctl update"), "{said}");
    let types = repository.read(TYPES);
    assert!(types.contains("pub const MINE") && !types.contains("std::fmt::Debug"), "{types}");
    let readme = repository.read(README);
    assert!(readme.starts_with("# My ") && !readme.contains("not generated any more"), "{readme}");
    let before = place.tree();
    // Until the conflict is resolved, other commands refuse to change the project.
    for command in [&["update"][..], &["update", "--check"], &["create", "api", "--kind", "Shop"]] {
        assert_eq!(place.run(command).status.code(), Some(3), "{command:?}");
    }
    assert_same(&before, &place.tree(), "in conflict");
    let (ours, theirs) = ("<<<<<<< yours\n    let mine", ">>>>>>> opctl ");
    let main = repository.read(MAIN);
    let (head, rest) = main.split_once(ours).unwrap();
    let (_, tail) = rest.split_once(theirs).unwrap();
    let (_, tail) = tail.split_once('\n').unwrap();
    repository.write(MAIN, |_| format!("{head}    let mine = runtime::stop_on_signal()?;\n{tail}"));
    let said = place.ok(&["update"]);
    assert!(said.contains("1 conflict is solved"), "{said}");
    assert_eq!(place.json(&["update"])["outcome"], "unchanged");
    repository.commit("Update");
    assert_eq!(place.json(&["update", "--check"])["outcome"], "unchanged");
}

#[test]
fn a_base_is_found_on_a_branch_that_was_merged() {
    let place = Place::with_project();
    let repository = Repository::of(place);
    repository.git(&["checkout", "-q", "-b", "kind"]);
    repository.place.ok(&["create", "api", "--kind", "WebServer"]);
    let types = repository.read(TYPES);
    earlier(&repository.place, TYPES, |text| text.replacen("use ", "use std::fmt::Debug;\nuse ", 1));
    repository.commit("Add a kind");
    repository.write(TYPES, |text| format!("{text}// Mine.\n"));
    repository.commit("Edit it");
    repository.git(&["checkout", "-q", "main"]);
    repository.write("notes.md", |_| "Notes.\n".to_owned());
    repository.commit("Write notes");
    repository.git(&["merge", "-q", "--no-edit", "kind"]);
    repository.place.ok(&["update"]);
    assert_eq!(repository.read(TYPES), format!("{types}// Mine.\n"));
}

#[test]
fn a_shallow_clone_and_no_git_mark_every_difference() {
    let repository = edited();
    let shallow = Place::new();
    let url = format!("file://{}", repository.place.root().display());
    let shallow_root = shallow.root();
    repository.git(&["clone", "-q", "--depth", "1", &url, &shallow_root.display().to_string()]);
    let without = project();
    for (path, bytes) in repository.tree().into_iter().filter(|(path, _)| !path.ends_with('/')) {
        fs::write(without.root().join(path), bytes).unwrap();
    }
    for place in [&shallow, &without] {
        let output = place.run(&["update"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("3 files are in conflict") && said.contains("every difference is marked"), "{said}");
        let types = text(&fs::read(place.root().join(TYPES)).unwrap());
        assert!(types.contains("<<<<<<< yours\n\n/// Mine.\npub const MINE: u8 = 1;\n|||||||"), "{types}");
    }
}

#[test]
fn update_reports_a_file_in_the_way_and_a_missing_ledger() {
    let place = current();
    fs::write(place.root().join("runtime/src/leader.rs"), "// mine\n").unwrap();
    let ledger = place.root().join(LEDGER_FILE);
    let known = fs::read_to_string(&ledger).unwrap();
    let without: Vec<&str> = known.lines().filter(|line| !line.contains("leader.rs")).collect();
    fs::write(&ledger, without.join("\n") + "\n").unwrap();
    let before = place.tree();
    let output = place.run(&["update"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("`runtime/src/leader.rs` is in the way"), "{}", text(&output.stderr));
    assert_same(&before, &place.tree(), "in the way");
    fs::remove_file(&ledger).unwrap();
    let output = place.run(&["update"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("`.opctl/files.yaml` is missing"), "{}", text(&output.stderr));
}
