//! `opctl manifests --verify`: rules that only a real API server can check.

use crate::support::{Place, Plane, target_folder, text, with_store};
use std::process::Output;

const TYPES: &str = "api/src/v1alpha1/web_server.rs";

fn manifests(place: &Place, arguments: &[&str]) -> Output {
    let mut command = place.command(&[&["manifests"], arguments].concat());
    with_store(&mut command).env("CARGO_TARGET_DIR", target_folder()).output().unwrap()
}

#[test]
fn a_server_is_asked_once_and_its_refusal_stands_at_the_field() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    // The project's policies are no CRDs, so the server does not check them.
    place.ok(&["create", "policy", "--kind", "WebServer"]);
    let types = std::fs::read_to_string(place.root().join(TYPES)).unwrap();
    let with = |rule: &str| {
        let field = "    pub message: String,";
        let attribute = format!("    #[x_kube(validation = \"{rule}\")]\n{field}");
        std::fs::write(place.root().join(TYPES), types.replacen(field, &attribute, 1)).unwrap();
    };
    with("self + 1");
    let before = place.content();
    let refused = manifests(&place, &["--verify"]);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    let line = types.lines().position(|line| line.contains("pub message: String,")).unwrap() + 2;
    for part in [
        "error[OP512]: the field `spec.message` of `WebServer` is refused by the API server: the rule `self + 1`: ",
        "found no matching overload for '_+_' applied to '(string, int)'",
        &format!("--> {TYPES}:{line}\n"),
        "warning[OP551]: `WebServer` has a rule in CEL",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    assert_eq!(before.keys().collect::<Vec<_>>(), place.content().keys().collect::<Vec<_>>());

    with("self.size() > 1");
    let warned = text(&manifests(&place, &["--dry-run"]).stderr);
    assert!(warned.contains("warning[OP551]"), "{warned}");
    let report = manifests(&place, &["--verify", "-o", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!((&document["outcome"], &document["findings"]), (&"changed".into(), &serde_json::Value::Null));
    let again = manifests(&place, &["--verify"]);
    let said = text(&again.stderr);
    assert!(said.contains("1 definition verified before") && !said.contains("Verifying"), "{said}");
    let plain = text(&manifests(&place, &[]).stderr);
    assert!(!plain.contains("OP551"), "{plain}");

    with("self.size() > 2");
    let mut missing = place.command(&["manifests", "--verify"]);
    let missing = missing.env("CARGO_TARGET_DIR", target_folder()).output().unwrap();
    let said = text(&missing.stderr);
    assert_eq!(missing.status.code(), Some(4), "{said}");
    assert!(said.contains("error: the servers that `--verify` needs are not installed on this machine"), "{said}");
    assert!(said.ends_with("hint: opctl envtest setup\n"), "{said}");
}

#[test]
fn a_server_warning_is_a_finding_at_its_field_and_is_remembered() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    let types = std::fs::read_to_string(place.root().join(TYPES)).unwrap();
    let field = "    pub message: String,";
    let with = |attribute: &str| {
        std::fs::write(place.root().join(TYPES), types.replacen(field, &format!("{attribute}\n{field}"), 1)).unwrap();
    };
    let format = "    #[schemars(extend(\"format\" = \"int32\"))]";
    with(format);
    assert!(!text(&manifests(&place, &["--dry-run"]).stderr).contains("OP553"));
    let line = types.lines().position(|line| line.contains("pub message: String,")).unwrap() + 2;
    for arguments in [&["--verify"][..], &["--verify"], &[]] {
        let output = manifests(&place, arguments);
        let said = text(&output.stderr);
        let expected = format!(
            "warning[OP553]: the field `spec.message` of `WebServer` causes a warning of the API server, which does not check \
             its format: unrecognized format \"int32\"\n  --> {TYPES}:{line}\n"
        );
        assert!(output.status.success() && said.contains(&expected), "{arguments:?}: {said}");
    }
    with(&format!("    // +opctl:allow:OP553 reason=\"other tools read it\"\n{format}"));
    let said = text(&manifests(&place, &["--verify"]).stderr);
    assert!(!said.contains("warning["), "{said}");
    with("");
    let said = text(&manifests(&place, &["--verify"]).stderr);
    assert!(!said.contains("warning["), "{said}");
}

#[test]
fn rules_that_a_server_has_taken_are_judged() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    let types = std::fs::read_to_string(place.root().join(TYPES)).unwrap();
    let with = |rule: &str, about: &str| {
        let attribute = format!("#[x_kube(validation = \"{rule}\")]\n/// {about}");
        let changed = types.replacen("pub struct WebServerSpec", &format!("{attribute}\npub struct WebServerSpec"), 1);
        std::fs::write(place.root().join(TYPES), changed).unwrap();
        text(&manifests(&place, &[]).stderr)
    };
    let plane = Plane::start();
    let install = |flags: &[&str]| {
        let kubeconfig = plane.kubeconfig.to_str().unwrap();
        let mut command = place.command(&[&["install", "--kubeconfig", kubeconfig], flags].concat());
        let output = command.env("CARGO_TARGET_DIR", target_folder()).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.success() && !said.contains("OP551"), "{said}");
    };
    let rule = "self.message.size() > 3";
    assert!(with(rule, "One.").contains("warning[OP551]"));
    install(&["--dry-run"]);
    assert!(!with(rule, "One.").contains("OP551"), "a dry run asks the server, too");
    assert!(!with(rule, "Two.").contains("OP551"), "a description does not change a rule");
    assert!(with("self.message.size() > 4", "Two.").contains("warning[OP551]"));
    install(&[]);
    assert!(!with("self.message.size() > 4", "Three.").contains("OP551"));
    assert!(with(rule, "Three.").contains("warning[OP551]"), "the last rules that were judged are known");
}
