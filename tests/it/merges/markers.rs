//! Conflict markers in each file that opctl reads or edits: opctl names the file and writes nothing, unless a generated
//! file is replaced by force.

use crate::support::{NOTHING_RENDERED, Place, assert_same, text};
use opctl::test_api::model::{Domain, Project, ProjectName};
use opctl::test_api::plan::{Entry, LEDGER_FILE, Ledger, Operation, PlanContext, Snapshot, reconcile_operations};
use std::fs;

const MERGE: &str = "<<<<<<< HEAD\n# ours\n=======\n# theirs\n>>>>>>> other\n";
const DIFF3: &str = "<<<<<<< HEAD\n# ours\n||||||| 1234567\n# base\n=======\n# theirs\n>>>>>>> other\n";

const CREATE: &[&str] = &["create", "api", "--kind", "Shop"];
const EDIT: &[&str] = &["edit", "--enable", "prometheus"];
const MANIFESTS: &[&str] = &["manifests"];
const EXTERNAL: &[&str] = &[
    "create",
    "api",
    "--kind",
    "Certificate",
    "--group",
    "cert-manager.io",
    "--version",
    "v1",
    "--resource=false",
    "--external-api-path",
    "certs::v1",
    "--external-api-module",
    "certs@1",
];

/// Files of a project, each with the opctl commands that read or edit it.
const FILES: &[(&str, &[&[&str]])] = &[
    ("PROJECT", &[&["list"], CREATE, EDIT, MANIFESTS, &["init", "--domain", "example.com"]]),
    (".opctl/files.yaml", &[CREATE, EDIT]),
    ("src/main.rs", &[CREATE, EXTERNAL]),
    ("src/controller/mod.rs", &[CREATE]),
    ("src/controller/web_server.rs", &[MANIFESTS]),
    ("api/src/lib.rs", &[MANIFESTS, &["create", "api", "--kind", "Shop", "--group", "apps"]]),
    ("api/src/v1alpha1/mod.rs", &[CREATE, MANIFESTS]),
    ("api/src/v1alpha1/web_server.rs", &[MANIFESTS]),
    ("config/samples/kustomization.yaml", &[CREATE]),
    ("config/rbac/kustomization.yaml", &[CREATE]),
    ("config/rbac/leader_election_role.yaml", &[MANIFESTS]),
    ("config/default/kustomization.yaml", &[EDIT]),
    ("Cargo.toml", &[EXTERNAL, MANIFESTS]),
    ("Cargo.lock", &[MANIFESTS]),
    ("api/Cargo.toml", &[MANIFESTS]),
];

#[test]
fn conflict_markers_are_named_and_nothing_is_written() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    for (index, (path, commands)) in FILES.iter().enumerate() {
        let file = place.root().join(path);
        let whole = fs::read_to_string(&file).unwrap();
        let block = if index % 2 == 0 { MERGE } else { DIFF3 };
        let first = whole.lines().next().unwrap().len() + 1;
        let mut marked = format!("{}{block}{}", &whole[..first], &whole[first..]);
        if index % 3 == 0 {
            marked = marked.replace('\n', "\r\n");
        }
        fs::write(&file, marked).unwrap();
        let before = place.tree();
        for command in *commands {
            let output = place.run(command);
            let said = text(&output.stderr);
            let error = said.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
            assert!(
                error.contains(&format!("{path}` has git conflict markers at line 2")),
                "{path} {command:?}: {said}"
            );
            assert!(said.contains("hint: opctl resolve "), "{path} {command:?}: {said}");
            assert_eq!(output.status.code(), Some(3), "{path} {command:?}");
            let mut after = place.tree();
            after.retain(|path, _| !path.starts_with("target"));
            assert_same(&before, &after, &format!("{path} {command:?}"));
            let _ = fs::remove_dir_all(place.root().join("target"));
        }
        fs::write(&file, whole).unwrap();
    }
}

#[test]
fn a_string_and_a_heading_are_no_conflict() {
    let place = Place::with_project();
    let main = place.root().join("src/main.rs");
    let whole = fs::read_to_string(&main).unwrap();
    fs::write(&main, format!("{whole}\n/*\n{MERGE}*/\n")).unwrap();
    fs::write(place.root().join("README.md"), "Shop\n=======\n").unwrap();
    place.ok(CREATE);
    assert!(fs::read_to_string(&main).unwrap().ends_with(&format!("/*\n{MERGE}*/\n")));
}

#[test]
fn several_hashes_of_a_file_are_no_reason_to_write() {
    let place = Place::with_project();
    place.ok(CREATE);
    let ledger = place.root().join(LEDGER_FILE);
    let mut text = fs::read_to_string(&ledger).unwrap();
    // The lines of two branches, as git puts them together.
    text.push_str(
        "  api/src/v1alpha1/mod.rs: 0123\n  src/main.rs: 0123\n  api/src/v1alpha1/shop.rs: 0123\nopctl: 0.0.1\n",
    );
    fs::write(&ledger, text).unwrap();
    let before = place.tree();
    assert_eq!(place.json(CREATE)["outcome"], "unchanged");
    assert_same(&before, &place.tree(), "the same command again");
    place.ok(&["create", "api", "--kind", "Item"]);
    let text = fs::read_to_string(&ledger).unwrap();
    assert_eq!(text.matches("api/src/v1alpha1/mod.rs").count(), 1, "{text}");
    assert_eq!(text.matches("opctl:").count(), 1, "{text}");
}

/// Returns the text of `role.yaml` after opctl has generated this file with the text `content`, or the error
/// message if opctl refuses. Before, the file contains the text `there`, and the ledger (the list of hashes of
/// generated files) has the hash of each text in `known`.
fn generated(there: &str, known: &[&str], content: &str, force: bool) -> Result<String, String> {
    let mut ledger = Ledger { opctl: "0.1.0".to_owned(), ..Ledger::default() };
    for text in known {
        let mut other = Ledger::default();
        other.record("role.yaml", text);
        for (path, hashes) in other.files {
            ledger.files.entry(path).or_default().extend(hashes);
        }
    }
    let mut snapshot = Snapshot::default();
    snapshot.insert("role.yaml", Entry::Text(there.to_owned()));
    snapshot.insert(LEDGER_FILE, Entry::Text(ledger.to_text()));
    let project = Project::new(ProjectName::parse("shop").unwrap(), Domain::parse("example.com").unwrap(), "0.1.0");
    let author = PlanContext { version: "0.1.0", force: Some(&"opctl manifests".into()) };
    let plan = reconcile_operations(
        &[Operation::generate("role.yaml", content, force)],
        &project,
        &snapshot,
        NOTHING_RENDERED,
        &author,
    );
    plan.map(|plan| plan.changes[0].after.clone().unwrap()).map_err(|error| error.message().to_owned())
}

#[test]
fn a_generated_file_merged_by_git_is_regenerated_if_no_line_is_lost() {
    let (base, ours, theirs) = ("a\nd\n", "a\nb\nd\n", "a\nc\nd\n");
    let (merged, whole) = ("a\nb\nc\nd\n", "a\nb\nbc\nc\nd\n");
    let in_the_way = Err("`role.yaml` is in the way".to_owned());
    assert_eq!(generated(ours, &[ours, theirs], whole, false).as_deref(), Ok(whole), "as on one branch");
    assert_eq!(generated(merged, &[ours, theirs], whole, false).as_deref(), Ok(whole));
    assert_eq!(generated(&merged.replace('\n', "\r\n"), &[ours, theirs], whole, false).as_deref(), Ok(whole));
    assert_eq!(generated("a\nmine\nd\n", &[ours, theirs], whole, false), in_the_way, "a line would be lost");
    assert_eq!(generated("d\na\n", &[ours, theirs], whole, false), in_the_way, "the order would be lost");
    assert_eq!(generated(base, &[ours], whole, false), in_the_way, "somebody took a line out");
}

#[test]
fn generated_files_with_conflict_markers_are_replaced_by_force_alone() {
    let there = format!("a\n{MERGE}");
    let expected = Err("`role.yaml` has git conflict markers at line 2".to_owned());
    assert_eq!(generated(&there, &["a\n"], "b\n", false), expected);
    assert_eq!(generated(&there, &["a\n"], "b\n", true).as_deref(), Ok("b\n"));
}

#[test]
fn line_ends_stay_where_every_command_writes() {
    let place = Place::with_project();
    let files = ["PROJECT", LEDGER_FILE, "src/main.rs", "api/src/lib.rs"];
    for path in files {
        let text = fs::read_to_string(place.root().join(path)).unwrap().replace('\n', "\r\n");
        fs::write(place.root().join(path), text).unwrap();
    }
    place.ok(CREATE);
    for path in files {
        let text = fs::read_to_string(place.root().join(path)).unwrap();
        assert!(text.to_ascii_lowercase().contains("shop") || path.ends_with("lib.rs"), "{path}");
        assert!(text.split_inclusive('\n').all(|line| line.ends_with("\r\n")), "{path}: {text:?}");
    }
}
