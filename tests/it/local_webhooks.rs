//! Tests of `opctl run`, which serves webhooks from this machine: the API server calls the webhooks while the operator
//! runs, but not after the operator has ended.

use crate::support::{Place, Plane, cargo, must, opctl, project, target_folder, temporary, text, tool};
use kube::api::{Api, ApiResource, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const NAME: &str = "platform-operator";

struct Run {
    opctl: Child,
    log: PathBuf,
}

impl Run {
    fn start(plane: &Plane, log: &Path, flags: &[&str]) -> Self {
        let output = fs::File::create(log).unwrap();
        let mut opctl = opctl(&["run"]);
        opctl.args(flags).args(["--", "--health-probe-bind-address", "127.0.0.1:0"]);
        opctl.current_dir(project(NAME)).env("KUBECONFIG", &plane.kubeconfig).env("CARGO_TARGET_DIR", target_folder());
        opctl.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output);
        Run { opctl: opctl.spawn().unwrap(), log: log.to_owned() }
    }

    fn until_it_says(&mut self, text: &str) {
        let start = Instant::now();
        loop {
            let said = fs::read_to_string(&self.log).unwrap();
            if said.contains(text) {
                return;
            }
            assert!(
                self.opctl.try_wait().unwrap().is_none() && start.elapsed().as_secs() < 60,
                "not {text:?}:\n{said}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn interrupt(mut self) {
        must(tool("kill").args(["-INT", &self.opctl.id().to_string()]));
        let status = self.opctl.wait().unwrap();
        assert_eq!(status.code(), Some(130), "{}", fs::read_to_string(&self.log).unwrap());
    }
}

/// Returns the names of the webhook configurations in the cluster.
async fn configurations(client: &kube::Client) -> Vec<String> {
    let mut names = Vec::new();
    for kind in ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"] {
        let kind = GroupVersionKind::gvk("admissionregistration.k8s.io", "v1", kind);
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::from_gvk(&kind));
        let found = api.list(&ListParams::default()).await.unwrap();
        names.extend(found.items.into_iter().filter_map(|object| object.metadata.name));
    }
    names
}

#[tokio::test]
async fn the_cluster_asks_as_long_as_the_operator_runs() {
    let plane = Plane::start();
    must(&mut cargo(NAME, &["build", "--locked"]));
    let folder = temporary();
    let log = folder.path().join("log");
    let client = plane.client().await;
    let kind = GroupVersionKind::gvk("apps.example.org", "v1alpha1", "Database");
    let databases: Api<DynamicObject> = Api::namespaced_with(client.clone(), "default", &ApiResource::from_gvk(&kind));
    let create = async |name: &str| {
        let metadata = json!({ "name": name, "annotations": { "apps.example.org/created-by": "" } });
        let object =
            json!({ "apiVersion": "apps.example.org/v1alpha1", "kind": "Database", "metadata": metadata, "spec": {} });
        databases.create(&PostParams::default(), &serde_json::from_value(object).unwrap()).await
    };

    let mut run = Run::start(&plane, &log, &[]);
    run.until_it_says("Serving webhooks at https://127.0.0.1:");
    let created = create("first").await.unwrap();
    assert_ne!(created.metadata.annotations.unwrap_or_default()["apps.example.org/created-by"], "");
    let change = json!({ "metadata": { "annotations": { "apps.example.org/created-by": "mallory" } } });
    let refused = databases.patch("first", &PatchParams::default(), &Patch::Merge(change)).await;
    assert!(refused.unwrap_err().to_string().contains("the creator stays"));

    // A run that is killed cannot remove its configurations, but the next run replaces them.
    run.opctl.kill().unwrap();
    run.opctl.wait().unwrap();
    assert_eq!(configurations(&client).await.len(), 2);
    let closed = create("second").await;
    assert!(closed.unwrap_err().to_string().contains("failed calling webhook"));
    let mut run = Run::start(&plane, &log, &[]);
    run.until_it_says("Serving webhooks at https://127.0.0.1:");
    create("second").await.unwrap();
    run.interrupt();
    assert_eq!(configurations(&client).await, Vec::<String>::new());
    create("third").await.unwrap();

    // An operator that ends by itself must not leave configurations behind either, while opctl waits for a change.
    let mut run = Run::start(&plane, &log, &["--watch"]);
    run.until_it_says("Serving webhooks at https://127.0.0.1:");
    let said = fs::read_to_string(&log).unwrap();
    let process = said.split_once("(process ").and_then(|(_, rest)| rest.split_once(')')).unwrap().0.to_owned();
    must(tool("kill").args(["-KILL", &process]));
    run.until_it_says("no operator runs");
    let begun = Instant::now();
    while !configurations(&client).await.is_empty() {
        assert!(begun.elapsed().as_secs() < 20, "{}", fs::read_to_string(&log).unwrap());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    run.interrupt();

    // An address in a network that is reserved for documentation, where nobody answers.
    let mut run = Run::start(&plane, &log, &["--webhook-host", "198.51.100.1"]);
    run.until_it_says("the webhooks are not registered");
    assert_eq!(configurations(&client).await, Vec::<String>::new());
    run.interrupt();
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn tests_are_not_run_without_the_webhooks_that_they_need() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    place.ok(&["create", "webhook", "--kind", "WebServer", "--validation"]);
    let root = place.root();
    let test = || {
        let mut command = opctl(&["test", "--simulate-nodes=false", "--lib", "--bins"]);
        command.current_dir(&root).env("CARGO_TARGET_DIR", target_folder()).env("XDG_STATE_HOME", root.join("state"));
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let said = text(&output.stderr);
        assert!(!said.contains("running"), "{said}");
        said
    };
    let main = root.join("src/main.rs");
    let written = fs::read_to_string(&main).unwrap();
    let ends = written
        .replace("    let stop =", "    anyhow::ensure!(std::env::args().len() < 2, \"as asked\");\n    let stop =");
    fs::write(&main, ends).unwrap();
    let said = test();
    assert!(said.contains("error: the operator does not serve its webhooks\ncaused by: it ended with"), "{said}");
    assert!(said.contains("as asked"), "{said}");
    fs::write(&main, format!("{written}\n#[test]\nfn broken( {{\n")).unwrap();
    assert!(test().contains("error: the tests do not compile"));
}
