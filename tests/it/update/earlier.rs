//! Tests a frozen project, which an earlier opctl made with the runtime in `src/runtime`, and which a user then edited:
//! the project is updated, built and tested.

use crate::merges::Repository;
use crate::support::{Place, cargo_in, keep, lay, must, separate_target_folder, text};
use opctl::test_api::conflict::sides;
use std::fs;
use std::path::{Path, PathBuf};

fn frozen(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/earlier").join(name)
}

/// Returns a git repository with the project in `testdata/earlier`. The first commit has the project as an earlier
/// opctl made it, and the second adds the edits of a user.
fn repository() -> Repository {
    let place = Place::new();
    lay(&frozen("project"), &place.root());
    let repository = Repository::of(place);
    repository.git(&["apply", &frozen("edits.patch").to_string_lossy()]);
    repository.commit("Edit");
    repository
}

/// Resolves the conflicts in `text`. Keeps the lines of opctl's side, and after them the lines of the user's side
/// that the base (the common ancestor of both sides) lacks.
fn solved(text: &str) -> String {
    let conflict = sides(text).expect("conflicts");
    let base = conflict.base.expect("with a base");
    let mut solved = String::new();
    let mut in_conflict: Option<(&str, Vec<&str>, Vec<&str>)> = None;
    for line in text.lines() {
        match (line.split(' ').next().unwrap(), &mut in_conflict) {
            ("<<<<<<<", _) => in_conflict = Some(("yours", Vec::new(), Vec::new())),
            ("|||||||", Some((part, ..))) => *part = "base",
            ("=======", Some((part, ..))) => *part = "opctl",
            (">>>>>>>", Some((_, yours, opctl))) => {
                let added = yours.iter().filter(|line| !base.lines().any(|base| base == **line));
                solved.extend(opctl.iter().chain(added).map(|line| format!("{line}\n")));
                in_conflict = None;
            }
            (_, Some(("yours", yours, _))) => yours.push(line),
            (_, Some(("opctl", _, opctl))) => opctl.push(line),
            (_, Some(_)) => {}
            (_, None) => solved.push_str(&format!("{line}\n")),
        }
    }
    solved
}

/// Returns the lines that the user has written, each as the path of its file and the line.
fn written() -> Vec<(String, String)> {
    let patch = fs::read_to_string(frozen("edits.patch")).unwrap();
    let mut file = String::new();
    let mut lines = Vec::new();
    for line in patch.lines() {
        match (line.strip_prefix("+++ b/"), line.strip_prefix('+')) {
            (Some(name), _) => name.clone_into(&mut file),
            (None, Some(added)) if !line.starts_with("+++") => lines.push((file.clone(), added.to_owned())),
            _ => {}
        }
    }
    lines
}

#[test]
fn a_project_with_the_runtime_in_its_source_is_brought_up_to_date_and_works() {
    let repository = repository();
    let place = &repository.place;
    let create = ["create", "api", "--kind", "Item"];
    let refused = place.run(&create);
    assert!(text(&refused.stderr).contains("hint: opctl update "), "{}", text(&refused.stderr));

    let output = place.run(&["update"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let named = said.lines().filter_map(|line| line.strip_prefix("caused by: `")?.split('`').next());
    let conflicts: Vec<&str> = named.collect();
    assert!(conflicts.contains(&"src/lib.rs"), "beside a line that is not generated any more: {said}");
    for path in &conflicts {
        repository.write(path, solved);
    }
    // The user's controller reports `Ready`, which that of a new project does not.
    repository.write("src/controller/web_server.rs", |text| {
        let is_of_new =
            |line: &str| ["`reconcile` does nothing yet", "NotImplemented"].iter().any(|word| line.contains(word));
        let lines = text.lines().filter(|line| !is_of_new(line)).fold(String::new(), |text, line| text + line + "\n");
        lines.replace("assert!(!ready, ", "assert!(ready, ")
    });
    let said = place.ok(&["update"]);
    assert!(said.contains("solved") && said.contains("    cargo update --workspace\n"), "{said}");
    assert_eq!(place.json(&["update"])["outcome"], "unchanged");
    repository.commit("Update");
    assert_eq!(place.json(&["update", "--check"])["outcome"], "unchanged");

    // The layout is that of new projects, and no line of the user is lost.
    let tree = repository.tree();
    for path in ["src/runtime/", "src/runtime/mod.rs", "tests/web_server.rs", "tests/support/", "CONTRIBUTING.md"] {
        assert!(!tree.contains_key(path), "{path} is there");
    }
    let fresh = Place::new();
    fresh.ok(&["init", "--domain", "example.com", "--name", "webwriter-operator"]);
    fresh.ok(&["create", "api", "--kind", "WebServer"]);
    let mut missing: Vec<String> = fresh.tree().into_keys().filter(|path| !tree.contains_key(path)).collect();
    missing.retain(|path| path != "CONTRIBUTING.md" && !path.starts_with(".opctl/"));
    assert_eq!(missing, [] as [&str; 0]);
    for (path, line) in written() {
        let path = path.replace("tests/web_server.rs", "tests/it/web_server.rs");
        let now = repository.read(&path);
        assert!(now.lines().any(|own| own == line), "`{line}` is lost from {path}:\n{now}");
    }

    let kept = keep("updated", &place.root());
    let mut test = cargo_in(&kept, &["test", "--locked"]);
    // In the folder of the golden projects, cargo would wait for the builds of all other tests.
    let tested = must(test.env("CARGO_TARGET_DIR", separate_target_folder("watched")));
    for test in ["the_condition_names_the_page ... ok", "the_name_of_a_page_is_its_message ... ok"] {
        assert!(text(&tested.stdout).contains(test), "{}", text(&tested.stdout));
    }
    assert!(!text(&tested.stderr).contains("warning"), "{}", text(&tested.stderr));
    place.ok(&create);
}
