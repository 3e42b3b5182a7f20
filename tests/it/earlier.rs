//! Projects of an earlier opctl: one that made a program of each controller's tests, and one whose runtime was no crate.

use crate::support::{Place, text};
use std::fs;

const MOVED: [(&str, &str); 2] =
    [("tests/it/web_server.rs", "tests/web_server.rs"), ("tests/it/support/mod.rs", "tests/support/mod.rs")];

/// A project with a kind whose test stands where an earlier opctl put it.
fn project() -> Place {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    let root = place.root();
    fs::create_dir(root.join("tests/support")).unwrap();
    let ledger = root.join(".opctl/files.yaml");
    let mut known = fs::read_to_string(&ledger).unwrap();
    for (now, earlier) in MOVED {
        fs::rename(root.join(now), root.join(earlier)).unwrap();
        assert!(known.contains(&format!("  {now}: ")), "{known}");
        known = known.replace(&format!("  {now}: "), &format!("  {earlier}: "));
    }
    let known: Vec<&str> = known.lines().filter(|line| !line.starts_with("  tests/it/")).collect();
    fs::write(ledger, known.join("\n") + "\n").unwrap();
    fs::remove_dir_all(root.join("tests/it")).unwrap();
    place
}

fn tests(place: &Place) -> Vec<String> {
    let paths = place.content().into_keys();
    paths.filter(|path| path.starts_with("tests/") && !path.ends_with('/')).collect()
}

const EARLIER: [&str; 2] = ["tests/support/mod.rs", "tests/web_server.rs"];

#[test]
fn tests_of_an_earlier_project_stay_and_new_ones_are_one_program() {
    let place = project();
    let before = place.content();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    assert_eq!(tests(&place), EARLIER);
    assert!(place.content() == before, "a command that was run before changes nothing");

    place.ok(&["create", "api", "--group", "apps", "--kind", "Database", "--owns", "ConfigMap"]);
    let new = ["apps/database.rs", "apps/mod.rs", "main.rs", "support/children.rs", "support/mod.rs"];
    let all: Vec<String> =
        new.iter().map(|path| format!("tests/it/{path}")).chain(EARLIER.map(str::to_owned)).collect();
    assert_eq!(tests(&place), all);

    // Each has its support in the form that the project needs.
    place.ok(&["edit", "--namespaced"]);
    for path in ["tests/support/mod.rs", "tests/it/support/mod.rs"] {
        let support = text(&fs::read(place.root().join(path)).unwrap());
        assert!(support.contains("async fn grant("), "{path}: {support}");
        assert_eq!(support.contains("pub mod children;\n"), path.contains("/it/"), "{path}: {support}");
    }
    let told = place.ok(&["edit", "--namespaced"]);
    assert!(told.contains("nothing to do") && !told.contains("update"), "{told}");
}

#[test]
fn by_force_a_test_moves_to_the_others() {
    let place = project();
    place.ok(&["create", "api", "--kind", "WebServer", "--force"]);
    let expected = ["tests/it/main.rs", "tests/it/support/mod.rs", "tests/it/web_server.rs", "tests/support/mod.rs"];
    assert_eq!(tests(&place), expected);
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
    // Types alone need no runtime.
    place.ok(&["create", "api", "--kind", "WebServer", "--controller=false"]);
}
