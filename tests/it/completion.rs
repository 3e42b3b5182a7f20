//! Completion in bash when a user presses Tab, and the completion files for packages.

use crate::support::{Place, text, tool, variable};
use std::path::Path;

/// Returns the completions that bash offers for the last of `words`, in the project's folder or in the folder that `-C`
/// names.
fn offered(place: &Place, words: &[&str]) -> Vec<String> {
    let script = format!(
        r#"source <(opctl completion bash)
        COMP_WORDS=({}); COMP_CWORD={}; COMP_TYPE=9
        _clap_complete_opctl opctl "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
        printf '%s\n' "${{COMPREPLY[@]}}""#,
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words.len() - 1,
    );
    let folder = Path::new(env!("CARGO_BIN_EXE_opctl")).parent().unwrap().to_owned();
    let path = std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&variable("PATH").unwrap())));
    let mut bash = tool("bash");
    bash.args(["--norc", "-c", &script]).current_dir(place.root()).env("PATH", path.unwrap());
    let output = bash.env("KUBECONFIG", place.root().join("kubeconfig")).output().unwrap();
    assert!(output.stderr.is_empty(), "{words:?}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

fn project() -> Place {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    place.ok(&["create", "api", "--kind", "WebServer", "--version", "v1"]);
    place.ok(&["create", "api", "--group", "cache", "--kind", "Redis"]);
    place
}

#[test]
fn kinds_groups_versions_and_contexts_complete() {
    let place = project();
    let contexts = "contexts:\n- {name: kind-one, context: {cluster: one, user: me}}\n- {name: other}\n";
    std::fs::write(place.root().join("kubeconfig"), contexts).unwrap();
    std::fs::write(place.root().join("elsewhere"), "contexts:\n- {name: far}\n").unwrap();
    for (words, expected) in [
        (&["opctl", "create", "api", "--kind", ""][..], &["Redis", "WebServer"][..]),
        (&["opctl", "create", "api", "--kind", "We"], &["WebServer"]),
        (&["opctl", "create", "api", "--group", ""], &["cache"]),
        (&["opctl", "create", "api", "--version", ""], &["v1", "v1alpha1"]),
        (&["opctl", "install", "--context", ""], &["kind-one", "other"]),
        (&["opctl", "run", "--context", "o"], &["other"]),
        (&["opctl", "install", "--kubeconfig", "elsewhere", "--context", ""], &["far"]),
        (&["opctl", "install", "--kubeconfig", "=", "elsewhere", "--context", ""], &["far"]),
        (&["opctl", "mani"], &["manifests"]),
        (&["opctl", "edit", "--enable", "pro"], &["prometheus"]),
        (&["opctl", "help", "coming"], &["coming-from-kubebuilder"]),
        (&["opctl", "help", "manif"], &["manifests"]),
    ] {
        assert_eq!(offered(&place, words), expected, "{words:?}");
    }
}

#[test]
fn plans_and_classes_of_an_exploration_complete() {
    let place = project();
    std::fs::write(place.root().join("tests/explore.toml"), "plans = [\"down@change\", \"pause@change\"]\n").unwrap();
    assert_eq!(offered(&place, &["opctl", "explore", "--replay", ""]), ["down@change", "pause@change"]);
    assert_eq!(offered(&place, &["opctl", "explore", "--remember", "pa"]), ["pause@change"]);
    assert_eq!(offered(&place, &["opctl", "explore", "--only", "stale"]), ["stale-list"]);
}

#[test]
fn completion_looks_where_c_leads() {
    let (here, there) = (Place::new(), project());
    assert_eq!(offered(&here, &["opctl", "create", "api", "--kind", ""]), [""; 0]);
    let root = there.root();
    let words = ["opctl", "-C", root.to_str().unwrap(), "create", "api", "--kind", ""];
    assert_eq!(offered(&here, &words), ["Redis", "WebServer"]);
}

#[test]
fn a_damaged_project_or_kubeconfig_only_offers_nothing() {
    let place = Place::new();
    std::fs::write(place.root().join("PROJECT"), "- no\n- project\n").unwrap();
    std::fs::write(place.root().join("kubeconfig"), "contexts: 1\n").unwrap();
    assert_eq!(offered(&place, &["opctl", "create", "api", "--kind", ""]), [""; 0]);
    assert_eq!(offered(&place, &["opctl", "install", "--context", ""]), [""; 0]);
}

#[test]
fn one_command_writes_all_scripts_and_man_pages() {
    let place = Place::new();
    place.ok(&["completion", "--prefix", "usr"]);
    let tree = place.tree();
    for file in [
        "bash-completion/completions/opctl",
        "fish/vendor_completions.d/opctl.fish",
        "man/man1/opctl-create-api.1",
        "man/man1/opctl-manifests.1",
        "man/man1/opctl.1",
        "zsh/site-functions/_opctl",
    ] {
        assert!(tree.contains_key(&format!("usr/share/{file}")), "{file}: {:?}", tree.keys());
    }
    assert!(!tree.keys().any(|path| path.contains("__")), "{:?}", tree.keys());
    let page = text(&tree["usr/share/man/man1/opctl-create-api.1"]);
    assert!(page.contains(r"\fBopctl create api\fR") && page.contains(r"\fB\-\-kind\fR"), "{page}");
    // Without filling, lines stay as they are, so that examples can be pasted.
    let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").unwrap_or_else(|| panic!("{page}"));
    assert!(examples.contains("\n    opctl create api \\-\\-kind WebServer\n"), "{examples}");
    let page = text(&tree["usr/share/man/man1/opctl.1"]);
    assert!(!page.contains("opctl\\-help(1)") && page.contains("opctl\\-create(1)"), "{page}");
    assert!(page.lines().any(|line| line.starts_with(".TH opctl 1") && line.contains("opctl 0.")), "{page}");
    let again = place.tree();
    place.ok(&["completion", "--prefix", "usr"]);
    assert_eq!(again, place.tree());
}
