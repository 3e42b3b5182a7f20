//! Tests of controllers for kinds that another crate defines: the controllers are made, built and run, and opctl
//! reports a right that one of them lacks.

use crate::support::{cargo_in, keep, lay, must, opctl, target_folder, temporary};
use std::path::Path;
use std::process::Output;

fn run(root: &Path, arguments: &[&str]) -> Output {
    let mut command = opctl(arguments);
    command.current_dir(root).env("CARGO_TARGET_DIR", target_folder());
    command.output().unwrap()
}

#[test]
fn kinds_of_another_crate_are_reconciled_with_the_rights_of_the_role() {
    let fresh = temporary();
    lay(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/certs"), &fresh.path().join("certs"));
    let root = fresh.path().join("certs-operator");
    std::fs::create_dir(&root).unwrap();
    let external = ["--group", "certs", "--version", "v1", "--external-api-domain", "example.io"];
    let external = [&external[..], &["--external-api-path", "certs::v1"]].concat();
    let create = |more: &[&str]| {
        let output = run(&root, &[&["create", "api", "--resource=false"], &external[..], more].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        told
    };
    assert!(run(&root, &["init", "--domain", "example.org"]).status.success());
    let certificate = ["--kind", "Certificate", "--external-api-module", "../certs"];
    let told = create(&[&certificate[..], &["--owns", "Secret", "--finalizer"]].concat());
    assert!(told.contains("    cargo update --workspace\n"), "{told}");
    let told = create(&["--kind", "Authority", "--namespaced=false"]);
    assert!(!told.contains("cargo update"), "{told}");
    create(&[&certificate[..], &["--controller-name", "certificate-reports"]].concat());

    let webhook = [&["create", "webhook", "--kind", "Certificate"], &external[..2], &["--defaulting", "--validation"]];
    assert!(run(&root, &webhook.concat()).status.success());
    let authority = ["create", "webhook", "--kind", "Authority", "--group", "certs", "--validation"];
    assert!(run(&root, &authority).status.success());
    let root = keep("external", fresh.path()).join("certs-operator");
    assert!(run(&root, &["manifests"]).status.success());

    // The command that the first one told the user to run.
    let cargo = |arguments: &[&str]| must(&mut cargo_in(&root, arguments));
    cargo(&["update", "--workspace", "--offline"]);
    cargo(&["clippy", "--locked", "--all-targets", "--", "-D", "warnings"]);
    let tested = run(&root, &["test", "--locked"]);
    let told = String::from_utf8_lossy(&tested.stderr);
    let said = String::from_utf8_lossy(&tested.stdout);
    assert_eq!(tested.status.code(), Some(0), "{told}\n{said}");
    let count = |test: &str| format!("{told}{said}").matches(&format!("::{test} ... ok")).count();
    assert_eq!((count("an_object_is_reconciled"), count("the_api_server_asks")), (3, 2), "{told}\n{said}");
    assert!(!root.join("config/crd/bases").exists(), "the definition is not this project's");

    let path = root.join("src/controller/certs/certificate.rs");
    let text = std::fs::read_to_string(&path).unwrap();
    let marker = "// +opctl:rbac:groups=certs.example.io,resources=certificates,verbs=list;patch;watch\n";
    assert!(text.contains(marker), "{text}");
    std::fs::write(&path, text.replace(marker, "")).unwrap();
    std::fs::remove_file(root.join("src/controller/certs/certificate_reports.rs")).unwrap();
    let refused = run(&root, &["manifests"]);
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(
        told.contains("OP421") && told.contains("`list`, `watch`, `patch` on `certificates.certs.example.io`"),
        "{told}"
    );
}
