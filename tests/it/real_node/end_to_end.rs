//! `opctl test --e2e` on the node of this machine.

use super::{image, image_with, operator};
use crate::support::{
    Machine, Plane, keep, must, opctl, project, target_folder, temporary, text, tool, variable, with_network,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A Perl script that accepts connections on port 8080. It needs no Perl module.
const SERVER: &str = r#"socket(S, 2, 1, 0); setsockopt(S, 1, 2, 1); bind(S, pack("Sna4x8", 2, 8080, "\0" x 4)) or die; listen(S, 9); while (1) { accept(C, S); close(C) }"#;

/// Returns the example of an end-to-end test in `opctl help testing`.
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

/// The names of the checks that `opctl test --e2e` makes, in the order of the checks.
const CHECKS: [&str; 7] = [
    "the operator runs",
    "samples become ready",
    "an update loses nothing",
    "metrics need rights",
    "webhooks answer",
    "`tests/e2e` passes",
    "nothing is left after `opctl undeploy`",
];

/// Checks the errors that `opctl test --e2e` reports if samples do not become ready, an update of the operator loses
/// requests, and the project's test in `tests/e2e` leaves objects in the cluster.
fn each_failure_is_explained(report: &Value, said: &str) {
    let failed: Vec<_> = checks(report).into_iter().filter_map(|(name, error)| Some((name, error?))).collect();
    assert_eq!(failed[0].0, "samples become ready", "{failed:?}");
    assert!(failed[0].1.contains("does not become ready"), "{failed:?}");
    assert_eq!(failed[1].0, "an update loses nothing", "{failed:?}");
    assert!(failed[1].1.ends_with("dry-run requests of opctl fail during the update of the operator"), "{failed:?}");
    let left = "`opctl undeploy` leaves objects in the cluster";
    assert_eq!(failed.last().unwrap().1, left, "the own test deletes nothing: {failed:?}");
    assert!(said.contains("The log of pod `shop-operator-controller-manager-"), "{said}");
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
    assert_eq!(checks(&report), CHECKS.map(|name| (name.to_owned(), None)), "{report:#}\n{said}");
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
    assert_eq!(code, 1, "{report:#}\n{said}");
    each_failure_is_explained(&report, &said);
    fs::write(&manager, before).unwrap();
    fs::remove_dir_all(root.join("tests/e2e")).unwrap();
}

#[test]
fn e2e_tests_that_cannot_run_are_refused_before_anything_is_built() {
    let machine = Machine::new(&[]);
    let image = "registry.example.com/web:1";
    let refused = |words: &[&str], code, told: &str| machine.fails(&[&["test"], words].concat(), code, told);
    refused(&["--on", "kind"], 2, "the following required arguments were not provided");
    refused(&["--e2e", "--kubernetes", "1.36"], 2, "cannot be used with");
    refused(&["--context", "production"], 2, "without `--e2e`, tests run on a temporary local control plane");
    refused(&["--e2e", "--on", "kind", "--context", "a"], 2, "apply only to `--on current`");
    let from = ["--e2e", "--on", "current", "--image", image, "--from", "Cargo.toml"];
    refused(
        &from,
        2,
        "with `--on current`, the cluster pulls the operator's image from a registry: `--image` is required, and neither `--image` nor `--from` may be an archive",
    );
    refused(
        &["--e2e", "--on", "current", "--image", image, "--cluster", "a"],
        2,
        "`--cluster` names a kind cluster, and so needs `--on kind`",
    );
    refused(
        &["--e2e", "--on", "current"],
        2,
        "with `--on current`, the cluster pulls the operator's image from a registry: `--image` is required, and neither `--image` nor `--from` may be an archive",
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

/// A control plane with a simulated node, on which an operator that does nothing seems to run.
struct Simulation {
    machine: Machine,
    folder: tempfile::TempDir,
    plane: Plane,
    root: PathBuf,
    archive: PathBuf,
    listed: String,
}

impl Simulation {
    fn new() -> Self {
        let (folder, plane) = (temporary(), Plane::start_with(&["--simulate-nodes"]));
        let mut kubeconfig: Value = serde_json::from_str(&fs::read_to_string(&plane.kubeconfig).unwrap()).unwrap();
        kubeconfig["contexts"][0]["name"] = "kind-kind".into();
        fs::write(folder.path().join("kubeconfig"), kubeconfig.to_string()).unwrap();
        let root = keep("end-to-end/shop-operator", &project("shop-operator"));
        let archive = image(Path::new("/usr/bin/perl"), "localhost/shop:1", folder.path());
        let listed = fs::read_to_string(root.join("config/samples/kustomization.yaml")).unwrap();
        Simulation { machine: Machine::new(&[]), folder, plane, root, archive, listed }
    }

    /// Returns a command that runs `opctl test --e2e --on kind` and finds the kind program at the path `kind`.
    fn command(&self, arguments: &[&str], kind: &Path) -> Command {
        let mut test = opctl(&["test", "--e2e", "--on", "kind", "--timeout", "8s", "-o", "json", "--image"]);
        test.arg(&self.archive).args(arguments).current_dir(&self.root);
        test.env("KUBECONFIG", self.folder.path().join("kubeconfig")).env("XDG_STATE_HOME", self.plane.state());
        let others = variable("PATH").unwrap();
        let path = [kind.parent().unwrap().to_owned()].into_iter().chain(std::env::split_paths(&others));
        test.env("PATH", std::env::join_paths(path).unwrap());
        test
    }

    /// Runs `opctl test --e2e` with `script` as the program `kind`. Returns opctl's exit code, report and stderr.
    fn test(&self, arguments: &[&str], script: &str) -> (Option<i32>, Value, String) {
        let kind = self.machine.program("kind", script);
        let output = self.command(arguments, &kind).output().unwrap();
        fs::remove_file(kind).unwrap();
        let last = text(&output.stdout).lines().last().map(|line| serde_json::from_str::<Value>(line).unwrap());
        (output.status.code(), last.unwrap_or_default(), text(&output.stderr))
    }

    /// Writes the list of samples: the samples of the project, and the additional sample `other` if it is given.
    fn list_samples(&self, other: Option<&str>) {
        let samples = self.root.join("config/samples");
        let listed = other.map_or(self.listed.clone(), |_| format!("{}- other.yaml\n", self.listed));
        fs::write(samples.join("kustomization.yaml"), listed).unwrap();
        fs::write(samples.join("other.yaml"), other.unwrap_or_default()).unwrap();
    }

    fn kubectl(&self, words: &[&str]) -> Output {
        let samples = self.root.join("config/samples");
        must(tool("kubectl").args(words).current_dir(samples).env("KUBECONFIG", &self.plane.kubeconfig))
    }
}

fn a_sample_that_the_cluster_contains_is_refused(simulation: &Simulation) {
    simulation.list_samples(Some("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\n"));
    simulation.kubectl(&["create", "--filename", "other.yaml"]);
    let (code, report, _) = simulation.test(&[], "echo kind");
    assert_eq!(code, Some(3), "{report:#}");
    assert_eq!(report["error"]["message"], "the cluster already contains the sample `configmap/mine`");
    simulation.kubectl(&["get", "configmap", "mine"]);
}

/// Checks that in `opctl test --e2e` the operator runs, but the samples fail with the error `told`. Returns the name of
/// each check, with its error or with `None` if the check has passed.
fn samples_fail(simulation: &Simulation, told: &str) -> Vec<(String, Option<String>)> {
    let (code, report, said) = simulation.test(&[], "echo kind");
    assert_eq!(code, Some(1), "{report:#}\n{said}");
    let found = checks(&report);
    assert_eq!(found[0], ("the operator runs".to_owned(), None), "{report:#}\n{said}");
    assert_eq!(found[1], ("samples become ready".to_owned(), Some(told.to_owned())));
    found
}

/// Checks that an interrupt during `kubectl port-forward`, with which opctl connects to the metrics, removes what opctl
/// has deployed.
fn an_interrupt_removes_what_is_deployed(simulation: &Simulation) {
    simulation.list_samples(Some("apiVersion: example.com/v9\nkind: Other\nmetadata: {name: a}\n"));
    let machine = &simulation.machine;
    let (kind, begun) = (machine.program("kind", "echo kind"), simulation.folder.path().join("begun"));
    let script = "case $* in port-forward*) touch BEGUN; sleep 60;; *) PATH=${PATH#*:} exec kubectl \"$@\";; esac";
    machine.program("kubectl", &script.replace("BEGUN", begun.to_str().unwrap()));
    let mut test = simulation.command(&[], &kind);
    let test = test.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !begun.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    must(tool("kill").args(["-INT", &test.id().to_string()]));
    let output = test.wait_with_output().unwrap();
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("the cluster does not serve the kind Other of the API version example.com/v9"), "{said}");
    let namespaces = simulation.kubectl(&["get", "namespaces", "--output", "name"]);
    assert!(!text(&namespaces.stdout).contains("shop-operator-system"), "{said}");
}

/// `opctl test --e2e` fails for an operator that does nothing. On the simulated node, the operator seems to run.
#[test]
fn an_operator_that_does_nothing_fails() {
    let simulation = Simulation::new();
    let (_, report, _) = simulation.test(&["--from", simulation.archive.to_str().unwrap()], "echo kind");
    assert_eq!(
        report["error"]["message"], "the earlier and the new image of the operator are both named `localhost/shop:1`",
        "{report:#}"
    );
    let (_, report, _) = simulation.test(&[], "case $1 in get) echo kind;; *) exit 1;; esac");
    assert_eq!(report["error"]["message"], "kind does not load the image into cluster `kind`", "{report:#}");
    a_sample_that_the_cluster_contains_is_refused(&simulation);

    simulation.list_samples(None);
    let found = samples_fail(&simulation, "the sample `webserver/webserver-sample` does not become ready");
    let service = "cannot reach the operator through the Service `shop-operator-controller-manager-metrics-service`";
    assert_eq!(found[2], ("an update loses nothing".to_owned(), None));
    assert_eq!(found[3], ("metrics need rights".to_owned(), Some(service.to_owned())));
    simulation.list_samples(Some("apiVersion: v1\nkind: ConfigMap\nmetadata: 5\n"));
    samples_fail(&simulation, "`config/samples` contains a document that is not a Kubernetes object");
    an_interrupt_removes_what_is_deployed(&simulation);
}
