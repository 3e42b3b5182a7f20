//! `opctl explore --from` of a project whose versions have webhooks and a conversion.

use super::upgrades::{errors, findings};
use crate::support::{edit, keep, must, opctl, project, separate_target_folder, tool};
use std::path::Path;

/// Commits and tags all files. Equal files give the same commit id, so that opctl builds each version only once.
fn release(root: &Path, tag: &str) {
    let git = |words: &[&str]| {
        let mut git = tool("git");
        git.args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]).args(words);
        for date in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
            git.env(date, "2026-01-01T00:00:00Z");
        }
        must(git.current_dir(root).env("HOME", root));
    };
    git(&["init", "-q"]);
    git(&["add", "--all"]);
    git(&["commit", "-q", "-m", tag]);
    git(&["tag", tag]);
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_conversion_and_the_webhooks_of_a_version_are_called_during_its_upgrade() {
    let root = &keep("upgraded-with-webhooks", &project("shop-operator"));
    let target = separate_target_folder("upgraded-with-webhooks");
    let run = |arguments: &[&str]| {
        must(opctl(arguments).current_dir(root).env("CARGO_TARGET_DIR", &target));
    };
    run(&["create", "webhook", "--kind", "WebServer", "--validation"]);
    run(&["manifests"]);
    release(root, "v1.0.0");
    run(&["create", "api", "--kind", "WebServer", "--version", "v1", "--storage-version"]);
    run(&["create", "webhook", "--kind", "WebServer", "--conversion", "--spoke", "v1alpha1"]);
    let explore = |chosen: &[&str]| {
        let mut explore = opctl(&["explore", "--from", "v1.0.0", "-o", "json"]);
        explore.args(chosen).current_dir(root).env("CARGO_TARGET_DIR", &target).output().unwrap()
    };
    // The old CRD has no version v1, in which objects may be stored by then.
    let found = errors(&explore(&[]));
    assert!(found.len() == 1 && found[0].starts_with("no-way-back: "), "{found:#?}");

    let found = findings(&explore(&["--replay", "back"]));
    let is_warning = |(severity, code, message): &(String, String, String)| {
        (severity.as_str(), code.as_str()) == ("warning", "no-way-back") && message.contains("no operator converts")
    };
    assert!(found.len() == 1 && found.iter().all(is_warning), "{found:#?}");

    let replace = |file: &str, before: &str, after: &str| edit(&root.join(file), before, after);
    // The conversion fails for a value, the new webhook refuses another one, and what a conversion changes is not restored.
    let (conversion, webhook) = ("api/src/v1alpha1/web_server_conversion.rs", "src/webhook/web_server.rs");
    let begin = "    let mut found = webhook::Findings::default();\n";
    let two = "    if obj.spec.port == 2 {\n        found.forbidden(\"spec.port\", \"not two\");\n    }\n";
    let there = "fn from(value: v1alpha1::WebServerSpec) -> Self {\n";
    replace(conversion, there, &format!("{there}        assert!(value.replicas != 1);\n"));
    replace(conversion, "            port: value.port,", "            port: value.port.max(8081),");
    replace(webhook, begin, &format!("{begin}{two}"));
    let restore = "pub fn restore(object: &mut Value, base: &Value, kept: &Value) {\n";
    replace("runtime/src/webhook/conversion/restore.rs", restore, &format!("{restore}    return;\n"));
    let found = errors(&explore(&["--replay", "crds"]));
    for expected in [
        "refused: the new webhook of webservers.example.com refuses spec.port 2, which the old one accepts: ",
        "refused: the new conversion of webservers.example.com refuses spec.replicas 1, which the old one accepts: ",
        "lost: the new version changes .spec.port of webservers.example.com/webserver-sample from 8080 to 8081 at each write",
    ] {
        assert!(found.iter().any(|error| error.starts_with(expected)), "{expected}\n{found:#?}");
    }
}
