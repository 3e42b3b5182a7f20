//! Tests opctl with projects as earlier versions made them: projects with a separate test program for each controller,
//! and a project whose runtime is a module instead of a crate.

use crate::support::{Place, text};
use std::fs;

const NOW: &str = "tests/it/web_server.rs";
const EARLIER: &str = "tests/web_server.rs";

/// Makes a project with a kind, and moves its test to the place where an earlier opctl put it.
fn project() -> Place {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    let root = place.root();
    let ledger = root.join(".opctl/files.yaml");
    let known = fs::read_to_string(&ledger).unwrap();
    fs::rename(root.join(NOW), root.join(EARLIER)).unwrap();
    assert!(known.contains(&format!("  {NOW}: ")), "{known}");
    let known = known.replace(&format!("  {NOW}: "), &format!("  {EARLIER}: "));
    let known: Vec<&str> = known.lines().filter(|line| !line.starts_with("  tests/it/")).collect();
    fs::write(ledger, known.join("\n") + "\n").unwrap();
    fs::remove_dir_all(root.join("tests/it")).unwrap();
    place
}

fn tests(place: &Place) -> Vec<String> {
    let paths = place.content().into_keys();
    paths.filter(|path| path.starts_with("tests/") && !path.ends_with('/')).collect()
}

#[test]
fn tests_of_an_earlier_project_stay_and_new_ones_are_one_program() {
    let place = project();
    let before = place.content();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    assert_eq!(tests(&place), [EARLIER]);
    assert!(place.content() == before, "a command that was run before changes nothing");

    place.ok(&["create", "api", "--group", "apps", "--kind", "Database", "--owns", "ConfigMap"]);
    let new = ["tests/it/apps/database.rs", "tests/it/apps/mod.rs", "tests/it/main.rs", EARLIER];
    assert_eq!(tests(&place), new);
}

#[test]
fn by_force_a_test_moves_to_the_others() {
    let place = project();
    place.ok(&["create", "api", "--kind", "WebServer", "--force"]);
    assert_eq!(tests(&place), ["tests/it/main.rs", NOW]);
}

#[test]
fn a_test_that_a_user_wrote_is_not_taken_for_opctls() {
    let place = Place::with_project();
    fs::create_dir(place.root().join("tests")).unwrap();
    fs::write(place.root().join("tests/web_server.rs"), "").unwrap();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    assert!(tests(&place).contains(&"tests/it/web_server.rs".to_owned()));
}

#[test]
fn a_runtime_that_is_no_crate_gets_no_new_controller() {
    let place = Place::with_project();
    fs::rename(place.root().join("runtime"), place.root().join("src/runtime")).unwrap();
    fs::rename(place.root().join("src/runtime/src/lib.rs"), place.root().join("src/runtime/mod.rs")).unwrap();
    let before = place.content();
    let output = place.run(&["create", "api", "--kind", "WebServer"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the runtime of this project is in `src/runtime`, where an earlier opctl put it"), "{said}");
    assert!(place.content() == before, "nothing is written");
    // A kind without a controller needs no runtime.
    place.ok(&["create", "api", "--kind", "WebServer", "--controller=false"]);
}
