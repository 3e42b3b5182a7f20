//! `opctl manifests --against`: compares with a git reference and with a cluster, and names the Rust field that causes
//! a change.

use crate::support::{Place, Plane, text, tool};
use std::fs;
use std::path::Path;

const CRD: &str = "config/crd/bases/example.com_webservers.yaml";

/// Copies a hand-written CRD of the case `enum-narrowed` in testdata/manifest/against into the project, so that the
/// test compiles nothing. `side` is the file to copy, such as `old.yaml`.
fn lay(place: &Place, side: &str) {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/against/enum-narrowed");
    fs::create_dir_all(place.root().join("config/crd/bases")).unwrap();
    fs::copy(case.join(side), place.root().join(CRD)).unwrap();
}

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = tool("git");
    let output = command.args(["-c", "init.defaultBranch=main"]).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", text(&output.stderr));
}

#[test]
fn a_git_reference_is_compared_with() {
    let place = Place::with_project();
    place.ok(&["manifests"]);
    git(&place.root(), &["init", "--quiet"]);
    git(&place.root(), &["add", "."]);
    git(&place.root(), &["commit", "--quiet", "--message", "no definition"]);
    git(&place.root(), &["tag", "empty"]);
    lay(&place, "old.yaml");
    git(&place.root(), &["add", "."]);
    git(&place.root(), &["commit", "--quiet", "--message", "a definition"]);
    assert!(place.ok(&["manifests", "--against", "main"]).contains("nothing to do"));

    lay(&place, "new.yaml");
    let report = place.json(&["manifests", "--against", "main"]);
    assert_eq!(report["error"]["exitCode"], 3, "{report:#}");
    let finding = &report["findings"][0];
    assert_eq!(finding["code"], "OP613");
    assert_eq!((&finding["definition"], &finding["version"]), (&"webservers.example.com".into(), &"v1".into()));
    assert_eq!(finding["path"], ".spec.a");
    // The command works in a folder below the project's root, too.
    let below = place.run(&["-C", "config", "manifests", "--against", "main"]);
    assert_eq!(below.status.code(), Some(3), "{}", text(&below.stderr));

    let empty = place.ok(&["manifests", "--against", "empty"]);
    assert!(empty.contains("warning: `empty` has no CRD"), "{empty}");
    for nonsense in ["nonsense", "--against=-x", "HEAD~77"] {
        let argument = if nonsense.starts_with("--") {
            vec!["manifests", nonsense]
        } else {
            vec!["manifests", "--against", nonsense]
        };
        let output = place.run(&argument);
        assert_eq!(output.status.code(), Some(1), "{nonsense}");
        assert!(text(&output.stderr).contains("is neither a file, nor a commit"), "{}", text(&output.stderr));
    }
    let without = place.command(&["manifests", "--against", "main"]).env("PATH", place.root()).output().unwrap();
    assert_eq!(without.status.code(), Some(4));
    assert!(text(&without.stderr).contains("`git` is not installed"), "{}", text(&without.stderr));
}

#[test]
fn the_project_may_be_below_the_root_of_its_repository() {
    let place = Place::with_project();
    let above = place.root().parent().unwrap().to_owned();
    place.ok(&["manifests"]);
    lay(&place, "old.yaml");
    git(&above, &["init", "--quiet"]);
    git(&above, &["add", "project"]);
    git(&above, &["commit", "--quiet", "--message", "a definition"]);
    lay(&place, "new.yaml");
    let report = place.json(&["manifests", "--against", "HEAD"]);
    assert_eq!(report["findings"][0]["code"], "OP613", "{report:#}");
}

#[test]
fn a_cluster_is_compared_with() {
    let plane = Plane::start();
    let project = Place::with_project();
    project.ok(&["manifests"]);
    lay(&project, "old.yaml");
    let kustomization = project.root().join("config/crd/kustomization.yaml");
    let listed = fs::read_to_string(&kustomization).unwrap();
    let marker = "# +opctl:scaffold:crds";
    let listed = listed.replace(marker, &format!("- bases/example.com_webservers.yaml\n{marker}"));
    fs::write(&kustomization, listed).unwrap();
    plane.must(&project.root(), &["install"]);

    let same = plane.must(&project.root(), &["manifests", "--against", "cluster"]);
    assert!(same.contains("nothing to do"), "{same}");
    lay(&project, "new.yaml");
    let refused = plane.run(&project.root(), &["manifests", "--against", "cluster"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(text(&refused.stderr).contains("error[OP613]"), "{}", text(&refused.stderr));

    // Removing the storage version is worse than removing any other one.
    let other = fs::read_to_string(project.root().join(CRD)).unwrap().replace("name: \"v1\"", "name: \"v2\"");
    fs::write(project.root().join(CRD), other).unwrap();
    let refused = plane.run(&project.root(), &["manifests", "--against", "cluster"]);
    assert!(text(&refused.stderr).contains("error[OP604]"), "{}", text(&refused.stderr));

    let nobody = project.root().join("kubeconfig");
    let unreachable =
        fs::read_to_string(&plane.kubeconfig).unwrap().replace("https://127.0.0.1:", "https://127.0.0.1:1");
    fs::write(&nobody, unreachable.replace("https://127.0.0.1:1", "https://127.0.0.1:1/")).unwrap();
    let kubeconfig = nobody.to_str().unwrap();
    let failed = plane.run(&project.root(), &["manifests", "--against", "cluster", "--kubeconfig", kubeconfig]);
    assert_eq!(failed.status.code(), Some(5), "{}", text(&failed.stderr));
    let failed = plane.run(&project.root(), &["manifests", "--against", "cluster", "--context", "nonsense"]);
    assert_eq!(failed.status.code(), Some(4), "{}", text(&failed.stderr));
}
