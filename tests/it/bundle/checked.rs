//! `opctl bundle --check` in a project, and on bundles from other sources, including hostile bundles.

use super::{made, read};
use crate::support::{lay, must, opctl, temporary, text, tool, tree};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Runs a command that reports JSON, and returns its exit code and the report.
fn reported(root: &Path, arguments: &[&str]) -> (i32, Value) {
    let mut command = opctl(&[arguments, &["-o", "json"]].concat());
    command.current_dir(root).env("CARGO_TARGET_DIR", crate::support::target_folder());
    let output = command.output().unwrap();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    (output.status.code().unwrap(), report)
}

fn codes(report: &Value) -> BTreeSet<&str> {
    report["findings"].as_array().into_iter().flatten().map(|one| one["code"].as_str().unwrap()).collect()
}

#[test]
fn a_bundle_is_judged_as_it_was_made() {
    let (_folder, root) = made("webserver-operator");
    must(&mut super::bundle(&root, &["--version", "2.0.0", "--channels", "stable,fast", "--default-channel", "fast"]));
    // Image, version and channels are those of the bundle.
    let before = tree(&root);
    let (code, report) = reported(&root, &["bundle", "--check"]);
    assert_eq!((code, &report["outcome"]), (0, &Value::from("unchanged")), "{report}");
    // The icon is missing, and the validators take rights to events for those to a removed version.
    let known = BTreeSet::from(["OP747", "OP755"]);
    assert_eq!(codes(&report), known, "{report}");
    assert_eq!(before, tree(&root));
    let (code, report) = reported(&root, &["bundle", "--check", "--channels", "alpha"]);
    assert_eq!((code, &report["error"]["message"]), (3, &Value::from("the bundle is stale")), "{report}");

    // A rule that is broken, and a file that is stale.
    let base = root.join("config/manifests/bases/webserver-operator.clusterserviceversion.yaml");
    let text_of_base = std::fs::read_to_string(&base).unwrap();
    std::fs::write(&base, text_of_base.replace("minKubeVersion: ", "minKubeVersion: v")).unwrap();
    let (code, report) = reported(&root, &["bundle", "--check"]);
    assert_eq!((code, codes(&report)), (3, known), "{report}");
    must(&mut super::bundle(&root, &["--version", "2.0.0"]));
    let (code, report) = reported(&root, &["bundle", "--check"]);
    assert_eq!(code, 1, "{report}");
    assert_eq!(report["error"]["message"], "the bundle breaks the rules of OLM v0 at 1 place");
    let finding = report["findings"].as_array().unwrap().iter().find(|one| one["code"] == "OP715").unwrap();
    let file = "bundle/manifests/webserver-operator.clusterserviceversion.yaml";
    let line = std::fs::read_to_string(root.join(file)).unwrap();
    let line = line.lines().position(|line| line.contains("minKubeVersion")).unwrap() + 1;
    assert_eq!((&finding["file"], &finding["line"]), (&Value::from(file), &Value::from(line)), "{finding}");
    assert_eq!(finding["path"], ".spec.minKubeVersion");
    assert!(finding["reason"].as_str().unwrap().starts_with("`minKubeVersion` is `v"), "{finding}");
    let sarif = opctl(&["bundle", "--check", "-o", "sarif"]).current_dir(&root).output().unwrap();
    let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
    assert!(sarif["runs"][0]["results"].as_array().unwrap().iter().any(|one| one["ruleId"] == "OP715"), "{sarif}");

    std::fs::write(&base, text_of_base).unwrap();
    std::fs::remove_dir_all(root.join("bundle")).unwrap();
    let (code, report) = reported(&root, &["bundle", "--check"]);
    assert_eq!((code, &report["error"]["message"]), (3, &Value::from("the project has no bundle yet")), "{report}");
}

/// OLM v1 installs an operator that watches all namespaces, but not an operator that watches a single namespace.
#[test]
fn olm_v1_installs_what_watches_all_namespaces() {
    let (_folder, root) = made("webserver-operator");
    assert_eq!(reported(&root, &["bundle", "--check", "--olm", "v1"]).0, 0);
    must(opctl(&["edit", "--namespaced"]).current_dir(&root));
    must(&mut super::bundle(&root, &["--regenerate"]));
    let (code, report) = reported(&root, &["bundle", "--check"]);
    assert!(code == 0 && codes(&report).contains(&"OP772"), "{report}");
    let (code, report) = reported(&root, &["bundle", "--check", "--olm", "v1"]);
    assert_eq!((code, &report["error"]["message"]), (1, &"the bundle breaks the rules of OLM v1 at 1 place".into()));
    must(opctl(&["edit", "--namespaced=false"]).current_dir(&root));
    must(&mut super::bundle(&root, &["--regenerate"]));
    assert_eq!(reported(&root, &["bundle", "--check", "--olm", "v1"]).0, 0, "as the hint says");
}

/// Returns a folder that has a good bundle in `bundle`.
fn with_good_bundle() -> tempfile::TempDir {
    let folder = temporary();
    let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/bundle-mutations/good");
    lay(&good, &folder.path().join("bundle"));
    folder
}

/// Checks the bundle in `bundle`, and returns the exit code and the report.
fn verdict(folder: &Path) -> (i32, Value) {
    reported(folder, &["bundle", "--check", "--folder", "bundle"])
}

/// Commands that each add an unreadable file or too many files to a bundle, and the error with which `opctl bundle
/// --check` then fails.
const UNREADABLE: [(&str, &str); 4] = [
    ("ln -s /etc/passwd bundle/manifests/link.yaml", "cannot read `./bundle/manifests/link.yaml`"),
    ("mkfifo bundle/manifests/pipe.yaml", "cannot read `./bundle/manifests/pipe.yaml`"),
    ("truncate -s 20M bundle/manifests/large.yaml", "cannot read `./bundle/manifests/large.yaml`"),
    ("cd bundle/tests && seq 10001 | xargs touch", "`./bundle` is too large for a bundle"),
];

/// Returns a document in which aliases of aliases stand for 9 to the power of 24 elements.
fn bomb() -> String {
    let levels = (b'b'..b'z').map(|to| {
        let from = char::from(to - 1);
        format!(
            "{to}: &{to} [*{from},*{from},*{from},*{from},*{from},*{from},*{from},*{from},*{from}]\n",
            to = char::from(to)
        )
    });
    format!("a: &a [x]\n{}kind: A\n", levels.collect::<Vec<String>>().concat())
}

#[test]
fn hostile_bundles_are_refused_or_judged() {
    assert_eq!(verdict(with_good_bundle().path()).0, 0);
    for (make, expected) in UNREADABLE {
        let folder = with_good_bundle();
        must(tool("sh").args(["-c", make]).current_dir(folder.path()));
        let (code, report) = verdict(folder.path());
        assert_eq!((code, report["error"]["message"].as_str()), (1, Some(expected)), "{make}: {report}");
        assert!(report["error"]["hint"].is_string(), "{make}: {report}");
    }
    let bomb = bomb();
    for content in [b"\xff\xfe".as_slice(), bomb.as_bytes(), "[".repeat(5_000).as_bytes(), b"", b"kind: A\n---\n[\n"] {
        let folder = with_good_bundle();
        std::fs::write(folder.path().join("bundle/manifests/odd.yaml"), content).unwrap();
        let (code, report) = verdict(folder.path());
        assert_eq!((code, codes(&report).contains(&"OP702")), (1, true), "{report}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_of_a_bundle_with_a_name_that_is_not_utf8_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let folder = with_good_bundle();
    let name = std::ffi::OsStr::from_bytes(b"\xff.yaml");
    std::fs::write(folder.path().join("bundle/manifests").join(name), "kind: A\n").unwrap();
    let (code, report) = verdict(folder.path());
    let said = report["error"]["message"].as_str().unwrap();
    assert!(code == 1 && said.ends_with(" has a name that is not UTF-8"), "{report}");
}

#[test]
fn a_terminal_escape_in_a_bundle_is_not_printed() {
    let folder = with_good_bundle();
    let version = folder.path().join("bundle/manifests/web-operator.clusterserviceversion.yaml");
    let mut escape = read(&version);
    escape["metadata"]["name"] = "\u{1b}[31mred".into();
    std::fs::write(&version, escape.to_string()).unwrap();
    let output = opctl(&["bundle", "--check", "--folder", "bundle"]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.code() == Some(1) && !text(&output.stderr).contains('\u{1b}'), "{}", text(&output.stderr));
}

#[test]
fn a_folder_without_a_bundle_is_refused_and_one_with_a_bundle_is_only_checked() {
    let folder = with_good_bundle();
    let (code, report) = reported(folder.path(), &["bundle", "--check", "--folder", "elsewhere"]);
    assert_eq!((code, &report["error"]["message"]), (1, &"`elsewhere` is not a folder with a bundle".into()));
    let (code, _) = reported(folder.path(), &["bundle", "--folder", "bundle"]);
    assert_eq!(code, 2, "a folder is only checked");
}
