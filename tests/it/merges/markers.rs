//! Conflict markers in each file that opctl reads or edits: named, and never written beside.

use crate::support::{Place, assert_same, text};
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

/// A file, and the commands that read or edit it.
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
                error.contains(&format!("{path}` has conflict markers of git at line 2")),
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
