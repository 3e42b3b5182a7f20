//! Checks that every command that uses the manifests shows the findings in types and markers, and refuses stale
//! manifests. The commands need no compilation for this: the tests hide cargo from opctl.

use crate::support::{Place, lay, project, text};
use opctl::test_api::manifest::{INPUTS_FILE, Manifests, Options, generate};
use opctl::test_api::report::Console;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const TYPES: &str = "api/src/v1alpha1/web_server.rs";
const CONTROLLER: &str = "src/controller/web_server.rs";
const ROLE: &str = "config/rbac/role.yaml";
const MARKER: &str = "// +opctl:rbac:groups=example.com,resources=webservers,verbs=list;watch\n";

/// Makes a project in the state of a fresh git clone, in which nothing has been compiled.
fn clone() -> Place {
    let place = Place::new();
    lay(&project("webserver-operator"), &place.root());
    let inputs = generated(&place.root()).inputs.expect("there is a type");
    fs::write(place.root().join(INPUTS_FILE), inputs.to_text()).unwrap();
    place
}

fn generated(root: &Path) -> Manifests {
    generate(root, &Options { compile: false, ..Options::default() }, &Console::silent()).unwrap()
}

fn command(place: &Place, arguments: &[&str]) -> Command {
    let mut command = place.command(arguments);
    command.env("CARGO", "/nonexistent/cargo").env("KUBECONFIG", "/nonexistent/config");
    // There are no servers either.
    command.env("KUBEBUILDER_ASSETS", "/nonexistent");
    command
}

fn run(place: &Place, arguments: &[&str]) -> Output {
    command(place, arguments).output().unwrap()
}

fn edit(place: &Place, file: &str, from: &str, to: &str) {
    let path = place.root().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file}: {from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

/// Returns what opctl reports as stale. `None` if it accepts the manifests, and then fails only because no cluster
/// is configured.
fn stale(place: &Place, arguments: &[&str]) -> Option<String> {
    let output = run(place, arguments);
    let said = text(&output.stderr);
    match output.status.code() {
        Some(4) if said.contains("no kubeconfig") => None,
        Some(3) => {
            assert!(
                said.contains(&format!("hint: opctl manifests    # or: opctl {} --regenerate", arguments.join(" ")))
            );
            let message = said.lines().find_map(|line| line.strip_prefix("error: the manifests are stale: "));
            Some(message.unwrap_or_else(|| panic!("{arguments:?}: {said}")).to_owned())
        }
        _ => panic!("{arguments:?}: {said}"),
    }
}

#[test]
fn stale_manifests_stop_what_hands_them_on() {
    let changed = format!("`{TYPES}` has changed since the CRDs were generated");
    let role = format!("`{ROLE}` does not match the current types and markers");
    let workspace = "`Cargo.toml` has changed since the CRDs were generated";
    let manifest = "`api/Cargo.toml` has changed since the CRDs were generated";
    for (file, from, to, expected) in [
        (TYPES, "pub struct", "// A comment, and\n\npub   struct", None),
        (TYPES, "pub struct", "/// A description.\npub struct", Some(changed.as_str())),
        (TYPES, "use ", "#[cfg(test)]\nmod tests {}\n\nuse ", None),
        (
            "api/src/v1alpha1/mod.rs",
            "mod web",
            "mod other;\nmod web",
            Some("`api/src/v1alpha1/mod.rs` has changed since the CRDs were generated"),
        ),
        ("api/Cargo.toml", "version = \"0.1.0\"", "version = \"0.2.0\"", None),
        ("api/Cargo.toml", "default = [", "more = []\ndefault = [", Some(manifest)),
        ("Cargo.toml", "schemars = \"1", "schemars = \"=1", Some(workspace)),
        ("Cargo.toml", "tokio = ", "tokio =   ", None),
        (CONTROLLER, "use ", "// A comment.\nuse ", None),
        (
            CONTROLLER,
            MARKER,
            "// +opctl:rbac:groups=example.com,resources=webservers,verbs=get;list;watch\n",
            Some(role.as_str()),
        ),
        (ROLE, "rules:", "# By hand.\nrules:", None),
        (
            "PROJECT",
            "  rust.opctl.dev/v1:\n",
            "  rust.opctl.dev/v1:\n    maxDescriptionLength: 7\n",
            Some("`PROJECT` has changed since the CRDs were generated"),
        ),
        ("Cargo.lock", "version = 4", "version = 4 ", None),
    ] {
        let place = clone();
        edit(&place, file, from, to);
        if to.contains("mod other") {
            fs::write(place.root().join("api/src/v1alpha1/other.rs"), "").unwrap();
        }
        let before = place.tree();
        assert_eq!(stale(&place, &["install"]).as_deref(), expected, "{file}: {to}");
        crate::support::assert_same(&before, &place.tree(), "it writes nothing");
    }
}

#[test]
fn every_command_that_hands_manifests_on_asks() {
    let place = clone();
    for arguments in [&["install"][..], &["deploy", "--image", "web:1"], &["install", "--dry-run"]] {
        assert_eq!(stale(&place, arguments), None);
    }
    fs::rename(place.root().join(TYPES), place.root().join("api/src/v1alpha1/server.rs")).unwrap();
    edit(&place, "api/src/v1alpha1/mod.rs", "web_server", "server");
    edit(&place, "api/src/v1alpha1/mod.rs", "web_server", "server");
    for arguments in [&["install"][..], &["deploy", "--image", "web:1"], &["build-installer", "--image", "web:1"]] {
        assert!(stale(&place, arguments).is_some(), "{arguments:?}");
    }
    let elsewhere = ["install", "--context", "other", "--kubeconfig", "my file"];
    let said = text(&run(&place, &elsewhere).stderr);
    assert!(said.contains("or: opctl install --regenerate --kubeconfig 'my file' --context other"), "{said}");
    // The record of the inputs is missing.
    fs::remove_file(place.root().join(INPUTS_FILE)).unwrap();
    let said = text(&run(&place, &["install"]).stderr);
    assert!(said.contains("note: ") && said.contains("cannot tell whether the CRDs are stale"), "{said}");
    // The tools to regenerate are missing here.
    let said = text(&run(&place, &["install", "--regenerate"]).stderr);
    assert!(said.contains("$ opctl manifests") && said.contains("`/nonexistent/cargo` is not installed"), "{said}");
}

#[test]
fn configuration_alone_can_be_installed() {
    let place = clone();
    for folder in ["api", "src"] {
        fs::remove_dir_all(place.root().join(folder)).unwrap();
    }
    assert_eq!(stale(&place, &["install"]), None);
}

#[test]
fn findings_are_shown_in_the_same_words() {
    let place = clone();
    edit(&place, CONTROLLER, MARKER, "");
    let manifests = generated(&place.root());
    fs::write(place.root().join(ROLE), &manifests.files[ROLE]).unwrap();
    let [finding] = manifests.findings.as_slice() else { panic!("{:?}", manifests.findings) };
    assert_eq!(finding.code, "OP421");
    let shown = format!("warning[OP421]: {}\n  --> {}\nhint: {}", finding.reason, finding.place(), finding.hint);
    for arguments in [&["install"][..], &["deploy", "--image", "web:1"]] {
        let said = text(&run(&place, arguments).stderr);
        assert_eq!(said.matches(&shown).count(), 1, "{arguments:?}: {said}");
        let output = run(&place, &[arguments, &["-o", "json"]].concat());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["findings"][0]["reason"], finding.reason.as_str(), "{report}");
        assert_eq!(report["findings"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn run_and_test_show_what_manifests_finds() {
    let place = Place::with_project();
    let source = "// +opctl:allow:OP551 reason=\"of no use\"\n";
    fs::write(place.root().join("src/controller/more.rs"), source).unwrap();
    for name in ["run", "test"] {
        let said = text(&run(&place, &[name]).stderr);
        let warning = "$ opctl manifests\nwarning[OP404]: the marker allows `OP551`, which is not found here\n  --> \
                       src/controller/more.rs:1\nhint: remove the marker\n";
        assert_eq!(said.matches(warning).count(), 1, "{name}: {said}");
        let output = run(&place, &[name, "-o", "json"]);
        let first = text(&output.stdout).lines().next().map(str::to_owned).unwrap();
        let report: Value = serde_json::from_str(&first).unwrap();
        assert_eq!((&report["command"], &report["findings"][0]["code"]), (&"manifests".into(), &"OP404".into()));
    }
}

#[test]
fn a_kind_without_its_type_keeps_its_definition() {
    let without_crate: fn(&Place) = |place| fs::remove_dir_all(place.root().join("api")).unwrap();
    let emptied: fn(&Place) = |place| fs::write(place.root().join("api/src/lib.rs"), "").unwrap();
    for lose in [without_crate, emptied] {
        let place = clone();
        lose(&place);
        let before = place.content();
        for arguments in [&["manifests"][..], &["manifests", "--force"], &["manifests", "--check"], &["test"]] {
            let output = run(&place, arguments);
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
            let message = "error: `PROJECT` lists the kind `WebServer` of `example.com/v1alpha1`, but the api crate has no type for it";
            assert!(said.contains(message) && said.contains("hint: git checkout api"), "{arguments:?}: {said}");
        }
        crate::support::assert_same(&before, &place.content(), "nothing is removed");
    }
}

#[test]
fn a_syntax_error_is_shown_as_rustc_writes_it() {
    let place = clone();
    edit(&place, TYPES, "pub struct WebServerSpec {", "pub struct WebServerSpec {{");
    let said = text(&command(&place, &["manifests"]).output().unwrap().stderr);
    assert!(
        said.contains("error: ") && said.contains("delimiter") && said.contains(&format!("--> {TYPES}:")),
        "{said}"
    );
    assert!(
        said.contains("is not valid Rust")
            && said.contains("hint: fix the syntax error")
            && !said.contains("token stream"),
        "{said}"
    );
}

#[test]
fn lost_output_is_an_error() {
    let place = Place::with_project();
    for arguments in [&["list"][..], &["list", "-o", "json"], &["version"], &["--help"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = place.command(arguments).stdout(full).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{arguments:?}: {said}");
        assert!(said.contains("error: cannot write to stdout") && said.contains("No space left"), "{said}");
    }
    // A reader that has closed the pipe is no error.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert!(place.command(&["list"]).stdout(writer).status().unwrap().success());
}
