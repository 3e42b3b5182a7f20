//! `opctl test --e2e` on the node of this machine.

use super::{image, image_with, operator};
use crate::support::{
    Machine, Plane, keep, must, opctl, project, target_folder, temporary, text, tool, variable, with_network,
};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// A Perl script that accepts connections on port 8080. It needs no Perl module.
const SERVER: &str = r#"socket(S, 2, 1, 0); setsockopt(S, 1, 2, 1); bind(S, pack("Sna4x8", 2, 8080, "\0" x 4)) or die; listen(S, 9); while (1) { accept(C, S); close(C) }"#;

/// Returns the test of `opctl help testing`.
fn own_test() -> &'static str {
    let blocks = include_str!("../../../src/cli/help/testing.md").split("```rust\n");
    let mut texts = blocks.filter_map(|block| block.split("```").next());
    texts.find(|text| text.starts_with("//! The operator in a cluster.")).unwrap()
}

fn checks(report: &Value) -> Vec<(String, Option<String>)> {
    let check =
        |check: &Value| (check["name"].as_str().unwrap().to_owned(), check["error"].as_str().map(str::to_owned));
    report["data"]["checks"].as_array().unwrap_or(&Vec::new()).iter().map(check).collect()
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_deployed_operator_is_tested_to_its_end() {
    let (root, program) = operator();
    fs::create_dir_all(root.join("tests/e2e")).unwrap();
    fs::write(root.join("tests/e2e/main.rs"), own_test()).unwrap();
    let (folder, of_pods, broken, of_earlier) = (temporary(), temporary(), temporary(), temporary());
    let archive = folder.path().join("image.tar");
    let build = ["build", "--image", "localhost/shop:e2e", "--local", "--profile", "dev", "--archive"];
    must(with_network(opctl(&build).arg(&archive)).current_dir(&root).env("CARGO_TARGET_DIR", target_folder()));
    let pods =
        image_with(Path::new("/usr/bin/perl"), &["-e", SERVER], "nginxinc/nginx-unprivileged:1.27", of_pods.path());
    let state = temporary();
    let earlier = image(&program, "localhost/shop:0", of_earlier.path());
    let test = |image: &Path, timeout: &str| {
        let mut test = opctl(&["test", "--e2e", "--timeout", timeout, "-o", "json", "--image"]);
        test.arg(image).arg("--load").arg(&pods).arg("--from").arg(&earlier);
        test.current_dir(&root).env("XDG_STATE_HOME", state.path()).env("CARGO_TARGET_DIR", target_folder());
        let output = test.output().unwrap();
        let said = text(&output.stderr);
        let last = text(&output.stdout).lines().last().map(|line| serde_json::from_str::<Value>(line).unwrap());
        (output.status.code().unwrap(), last.unwrap_or_default(), said)
    };
    let (code, report, said) = test(&archive, "60s");
    let names = [
        "the operator runs",
        "samples become ready",
        "an update loses nothing",
        "metrics need rights",
        "webhooks answer",
        "`tests/e2e` passes",
        "nothing is left after `opctl undeploy`",
    ];
    assert_eq!(checks(&report), names.map(|name| (name.to_owned(), None)), "{report:#}\n{said}");
    assert_eq!((code, report["data"]["image"].as_str()), (0, Some("localhost/shop:e2e")), "{said}");
    assert!(said.contains("test an_object_becomes_ready_and_goes_away ... ok"), "{said}");

    // No pod serves the webhooks while they are replaced, the pods of a sample do not start, and a program of the user
    // fails.
    let manager = root.join("config/manager/manager.yaml");
    let before = fs::read_to_string(&manager).unwrap();
    fs::write(&manager, before.replace("  replicas: 1\n", "  replicas: 1\n  strategy:\n    type: Recreate\n")).unwrap();
    fs::write(
        root.join("tests/e2e/main.rs"),
        own_test().replace("\"own\").await;\n    goes", "\"none\").await;\n    goes"),
    )
    .unwrap();
    let pods_fail =
        image_with(Path::new("/usr/bin/perl"), &["-e", "exit 3"], "nginxinc/nginx-unprivileged:1.27", broken.path());
    fs::copy(pods_fail, &pods).unwrap();
    let (code, report, said) = test(&archive, "12s");
    let failed: Vec<_> = checks(&report).into_iter().filter_map(|(name, error)| Some((name, error?))).collect();
    assert_eq!(code, 1, "{report:#}\n{said}");
    assert_eq!(failed[0].0, "samples become ready", "{failed:?}");
    assert!(failed[0].1.contains("does not become ready"), "{failed:?}");
    assert_eq!(failed[1].0, "an update loses nothing", "{failed:?}");
    assert!(failed[1].1.ends_with("requests fail during the update of the operator"), "{failed:?}");
    fs::write(&manager, before).unwrap();
    let left = "`opctl undeploy` leaves objects in the cluster";
    assert_eq!(failed.last().unwrap().1, left, "the own test deletes nothing: {failed:?}");
    assert!(said.contains("The log of pod `shop-operator-controller-manager-"), "{said}");
    fs::remove_dir_all(root.join("tests/e2e")).unwrap();
}

#[test]
fn e2e_tests_that_cannot_run_are_refused_before_anything_is_built() {
    let machine = Machine::new(&[]);
    let image = "registry.example.com/web:1";
    let refused = |words: &[&str], code, told: &str| machine.fails(&[&["test"], words].concat(), code, told);
    refused(&["--on", "kind"], 2, "the following required arguments were not provided");
    refused(&["--e2e", "--kubernetes", "1.36"], 2, "cannot be used with");
    refused(&["--context", "production"], 2, "without `--e2e`, tests run on a separate control plane");
    refused(&["--e2e", "--on", "kind", "--context", "a"], 2, "apply only to `--on current`");
    let from = ["--e2e", "--on", "current", "--image", image, "--from", "Cargo.toml"];
    refused(&from, 2, "with `--on current`, the cluster pulls the operator's image from a registry");
    refused(&["--e2e", "--on", "current", "--image", image, "--cluster", "a"], 2, "`--cluster` names a kind cluster");
    refused(
        &["--e2e", "--on", "current"],
        2,
        "with `--on current`, the cluster pulls the operator's image from a registry",
    );
    let loads = ["--e2e", "--on", "current", "--image", image, "--load", "a:1"];
    refused(&loads, 2, "`--load` cannot be used with `--on current`");
    let on_kind = ["--e2e", "--on", "kind", "--image", "web:1"];
    refused(&on_kind, 4, "`kind` is not installed, or not on PATH");
    let kind = machine.program("kind", "");
    refused(&on_kind, 4, "cannot run `kind`");
    fs::remove_file(kind).unwrap();
    let kind = machine.program("kind", "echo other");
    refused(&on_kind, 4, "kind has no cluster `kind`");
    fs::remove_file(kind).unwrap();
    machine.program("kind", "echo kind");
    refused(&on_kind, 4, "no container tool is installed");
    machine.program("podman", "echo no such image >&2; exit 1");
    refused(&on_kind, 1, "no container tool has the image `web:1`");
    machine.program("docker", "case $1 in info) ;; *) echo no such image >&2; exit 1;; esac");
    refused(&on_kind, 4, "`docker` cannot pull `web:1`");
}

/// `opctl test --e2e` fails for an operator that does nothing. On the simulated node, the operator seems to run.
#[test]
fn an_operator_that_does_nothing_fails() {
    let machine = Machine::new(&[]);
    let (folder, plane) = (temporary(), Plane::start_with(&["--simulate-nodes"]));
    let mut kubeconfig: Value = serde_json::from_str(&fs::read_to_string(&plane.kubeconfig).unwrap()).unwrap();
    kubeconfig["contexts"][0]["name"] = "kind-kind".into();
    let root = keep("end-to-end/shop-operator", &project("shop-operator"));
    let path = folder.path().join("kubeconfig");
    fs::write(&path, kubeconfig.to_string()).unwrap();
    let archive = image(Path::new("/usr/bin/perl"), "localhost/shop:1", folder.path());
    let command = |arguments: &[&str], kind: &Path| {
        let mut test = opctl(&["test", "--e2e", "--on", "kind", "--timeout", "8s", "-o", "json", "--image"]);
        test.arg(&archive)
            .args(arguments)
            .current_dir(&root)
            .env("KUBECONFIG", &path)
            .env("XDG_STATE_HOME", plane.state());
        let others = variable("PATH").unwrap();
        let path = [kind.parent().unwrap().to_owned()].into_iter().chain(std::env::split_paths(&others));
        test.env("PATH", std::env::join_paths(path).unwrap());
        test
    };
    let test = |arguments: &[&str], script: &str| {
        let kind = machine.program("kind", script);
        let output = command(arguments, &kind).output().unwrap();
        fs::remove_file(kind).unwrap();
        let last = text(&output.stdout).lines().last().map(|line| serde_json::from_str::<Value>(line).unwrap());
        (output.status.code(), last.unwrap_or_default(), text(&output.stderr))
    };
    let (_, report, _) = test(&["--from", archive.to_str().unwrap()], "echo kind");
    assert_eq!(report["error"]["message"], "both images of the operator are named `localhost/shop:1`", "{report:#}");
    let (_, report, _) = test(&[], "case $1 in get) echo kind;; *) exit 1;; esac");
    assert_eq!(report["error"]["message"], "kind does not load the image into cluster `kind`", "{report:#}");

    let samples = root.join("config/samples");
    let listed = fs::read_to_string(samples.join("kustomization.yaml")).unwrap();
    let kubectl =
        |words: &[&str]| must(tool("kubectl").args(words).current_dir(&samples).env("KUBECONFIG", &plane.kubeconfig));
    fs::write(samples.join("other.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\n").unwrap();
    fs::write(samples.join("kustomization.yaml"), format!("{listed}- other.yaml\n")).unwrap();
    kubectl(&["create", "--filename", "other.yaml"]);
    let (code, report, _) = test(&[], "echo kind");
    assert_eq!(code, Some(3), "{report:#}");
    assert_eq!(report["error"]["message"], "the cluster already contains the sample `configmap/mine`");
    kubectl(&["get", "configmap", "mine"]);

    let mut outcomes = Vec::new();
    for (sample, expected, told) in [
        (None, 1, "the sample `webserver/webserver-sample` does not become ready"),
        (
            Some("apiVersion: v1\nkind: ConfigMap\nmetadata: 5\n"),
            1,
            "`config/samples` contains a document that is not a Kubernetes object",
        ),
    ] {
        let own = sample.map_or(listed.clone(), |_| format!("{listed}- other.yaml\n"));
        fs::write(samples.join("kustomization.yaml"), own).unwrap();
        fs::write(samples.join("other.yaml"), sample.unwrap_or_default()).unwrap();
        let (code, report, said) = test(&[], "echo kind");
        assert_eq!(code, Some(expected), "{report:#}\n{said}");
        let found = checks(&report);
        assert_eq!(found[0], ("the operator runs".to_owned(), None), "{report:#}\n{said}");
        assert_eq!(found[1], ("samples become ready".to_owned(), Some(told.to_owned())));
        outcomes.push(found);
    }
    // An interrupt while kubectl looks for a way to the metrics: what is deployed is removed.
    fs::write(samples.join("other.yaml"), "apiVersion: example.com/v9\nkind: Other\nmetadata: {name: a}\n").unwrap();
    let (kind, begun) = (machine.program("kind", "echo kind"), folder.path().join("begun"));
    let script = "case $* in port-forward*) touch BEGUN; sleep 60;; *) PATH=${PATH#*:} exec kubectl \"$@\";; esac";
    machine.program("kubectl", &script.replace("BEGUN", begun.to_str().unwrap()));
    let test = command(&[], &kind).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !begun.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    must(tool("kill").args(["-INT", &test.id().to_string()]));
    let output = test.wait_with_output().unwrap();
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("the cluster has no kind Other of example.com/v9"), "{said}");
    let namespaces = kubectl(&["get", "namespaces", "--output", "name"]);
    assert!(!text(&namespaces.stdout).contains("shop-operator-system"), "{said}");
    let service = "cannot reach the operator through the Service `shop-operator-controller-manager-metrics-service`";
    assert_eq!(outcomes[0][2], ("an update loses nothing".to_owned(), None));
    assert_eq!(outcomes[0][3], ("metrics need rights".to_owned(), Some(service.to_owned())));
}
