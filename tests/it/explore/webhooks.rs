//! Operators with webhooks: the API server calls the webhooks during `opctl explore`, and while `opctl test`
//! replays stored plans.

use crate::support::{edit, keep, must, opctl, project, separate_target_folder};
use std::process::Output;

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn webhooks_are_called_during_runs() {
    let root = &keep("with-webhooks", &project("shop-operator"));
    // Another test with a program of this name runs at the same time.
    let target = separate_target_folder("with-webhooks");
    let run = |arguments: &[&str]| -> Output {
        opctl(arguments).current_dir(root).env("CARGO_TARGET_DIR", &target).output().unwrap()
    };
    let said = |output: &Output| {
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    };
    for arguments in [
        &["create", "api", "--kind", "WebServer", "--version", "v1", "--storage-version"][..],
        &["create", "webhook", "--kind", "WebServer", "--conversion", "--spoke", "v1alpha1"],
        &["create", "webhook", "--kind", "WebServer", "--validation"],
    ] {
        must(opctl(arguments).current_dir(root));
    }
    // The tests of the project would find that a value is refused.
    std::fs::remove_dir_all(root.join("tests/it")).unwrap();
    let file = root.join("src/webhook/web_server.rs");
    let begin = "    let mut found = webhook::Findings::default();\n";
    let refuse = |replicas: u32| {
        format!(
            "{begin}    if obj.spec.replicas == {replicas} {{\n        found.forbidden(\"spec.replicas\", \"not so many\");\n    }}\n"
        )
    };
    edit(&file, begin, &refuse(3));

    // The API server takes 3 replicas, and the webhook does not: no step has them.
    let listed = run(&["explore", "--list"]);
    let plans = said(&listed);
    assert!(listed.status.success() && plans.contains("Serving the webhooks of the operator"), "{plans}");
    assert!(plans.contains("/spec.replicas=0@change") && !plans.contains("/spec.replicas=3"), "{plans}");

    assert!(run(&["explore", "--remember", "down@change"]).status.success());
    let tested = run(&["test"]);
    let told = said(&tested);
    assert!(tested.status.success() && told.contains("Played 1 plans: no finding"), "{told}");

    edit(&file, &refuse(3), &refuse(2));
    let refused = run(&["explore", "--list"]);
    let told = said(&refused);
    assert_eq!(refused.status.code(), Some(1), "{told}");
    assert!(told.contains("refuses the sample `webserver-sample-v1`") && told.contains("not so many"), "{told}");
}
