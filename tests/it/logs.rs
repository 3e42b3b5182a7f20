//! `opctl logs` through a real API server, which requests the logs from a simulated kubelet.

use crate::support::{NODE, Place, Plane, kubelet, lay, must, opctl, project, temporary, tool};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use kube::Client;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const NAMESPACE: &str = "webserver-operator-system";
const MANAGER: &str = "webserver-operator-controller-manager";

/// The project `webserver-operator` of `testdata/golden`, and a control plane.
struct Stage {
    folder: tempfile::TempDir,
    plane: Plane,
}

impl Stage {
    fn new() -> Self {
        let stage = Stage { folder: temporary(), plane: Plane::start() };
        lay(&project("webserver-operator"), &stage.root());
        stage
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("webserver-operator")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = opctl(arguments);
        command.current_dir(self.root()).env("KUBECONFIG", &self.plane.kubeconfig);
        command
    }

    fn logs(&self, flags: &[&str]) -> Output {
        self.plane.run(&self.root(), &[&["logs"], flags].concat())
    }

    fn follow(&self, flags: &[&str]) -> Following {
        let mut command = self.command(&["logs", "--follow"]);
        command.args(flags);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || stdout.lines().try_for_each(|line| sender.send(line.unwrap())));
        Following { child, lines }
    }
}

/// Returns a log whose first line names the pod, the container and the query. For a request with `follow=true`, also
/// returns a second part that comes later.
fn answer(pod: &str, container: &str, query: &str) -> (String, Option<String>) {
    let mut asked: Vec<&str> = query.split('&').filter(|part| !part.is_empty()).collect();
    asked.sort_unstable();
    let text = format!("{pod} {container} {}\n\n\u{1f980} last\n", asked.join(" "));
    (text, query.contains("follow=true").then(|| "later\n".to_owned()))
}

#[track_caller]
fn says(output: &Output, code: i32, texts: &[&str]) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = format!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{said}");
    for text in texts {
        assert!(said.contains(text), "it does not say `{text}`:\n{said}");
    }
    stdout
}

/// Creates a pod of the Deployment, bound to `node` if there is one.
async fn pod(client: &Client, name: &str, node: Option<&str>) {
    let deployment: Deployment = Api::namespaced(client.clone(), NAMESPACE).get(MANAGER).await.unwrap();
    let template = deployment.spec.template;
    let mut spec = serde_json::to_value(template.spec.unwrap()).unwrap();
    if let Some(node) = node {
        spec["nodeName"] = json!(node);
    }
    let metadata = json!({"name": name, "labels": template.metadata.unwrap().labels});
    let pod: Pod = serde_json::from_value(json!({"metadata": metadata, "spec": spec})).unwrap();
    Api::namespaced(client.clone(), NAMESPACE).create(&PostParams::default(), &pod).await.unwrap();
}

async fn remove(client: &Client, name: &str) {
    let pods = Api::<Pod>::namespaced(client.clone(), NAMESPACE);
    pods.delete(name, &DeleteParams::default().grace_period(0)).await.unwrap();
}

/// Reports that a new container with this id runs in the pod, as the kubelet does after a restart.
async fn restart(client: &Client, pod: &str, id: &str) {
    let status = json!({
        "name": "manager", "image": "web:1", "imageID": "", "ready": true, "restartCount": 1,
        "containerID": format!("containerd://{id}"), "state": {"running": {}},
    });
    let patch = Patch::Merge(json!({"status": {"containerStatuses": [status]}}));
    let pods = Api::<Pod>::namespaced(client.clone(), NAMESPACE);
    pods.patch_status(pod, &PatchParams::default(), &patch).await.unwrap();
}

/// A command that follows logs.
struct Following {
    child: Child,
    lines: Receiver<String>,
}

impl Following {
    fn lines(&mut self, number: usize) -> Vec<String> {
        (0..number).map(|_| self.lines.recv_timeout(Duration::from_secs(20)).unwrap()).collect()
    }

    /// Waits long enough for opctl to notice a further container, and interrupts opctl. Returns the lines of its
    /// output that were not read before.
    fn interrupted(mut self) -> Vec<String> {
        std::thread::sleep(Duration::from_millis(1500));
        must(tool("kill").args(["-INT", &self.child.id().to_string()]));
        assert_eq!(self.child.wait().unwrap().code(), Some(130));
        self.lines.iter().collect()
    }
}

fn what_is_not_deployed_has_no_log(stage: &Stage) {
    let absent = "error: the operator is not deployed in context";
    says(
        &stage.logs(&[]),
        5,
        &[absent, "no Deployment `webserver-operator-controller-manager`", "hint: opctl deploy --image"],
    );
    let deploy = ["deploy", "--image", "registry.example.com/web:1", "--wait=false"];
    must(&mut stage.command(&deploy));
    let empty = "error: the Deployment `webserver-operator-controller-manager` has no pod";
    says(&stage.logs(&[]), 5, &[empty, "hint: kubectl describe deployment"]);
}

/// Checks that the log of a pod that is not bound to a node is empty. Then replaces the pod by a pod with the same
/// name, `one`, that is bound to a node.
async fn a_pod_without_a_node_has_an_empty_log(stage: &Stage, client: &Client) {
    pod(client, "one", None).await;
    assert_eq!(says(&stage.logs(&[]), 0, &["note: the log is empty"]), "");
    remove(client, "one").await;
    pod(client, "one", Some(NODE)).await;
}

fn flags_choose_what_is_asked_for(stage: &Stage) {
    let stdout = says(&stage.logs(&["--tail", "5"]), 0, &["Context"]);
    assert_eq!(stdout, "one manager tailLines=5\n\n\u{1f980} last\n");
    let stdout = says(&stage.logs(&["--since", "90s", "--container", "manager"]), 0, &[]);
    assert_eq!(stdout.lines().next(), Some("one manager sinceSeconds=90"));
    let stdout = says(&stage.logs(&["--previous"]), 0, &[]);
    assert_eq!(stdout.lines().next(), Some("one manager previous=true"));
}

/// Checks that `--follow` prints new lines as soon as they arrive. For a container that restarts, and for a pod that is
/// created later, it prints the log from the beginning.
async fn each_container_is_followed_once(stage: &Stage, client: &Client) {
    let mut following = stage.follow(&[]);
    assert_eq!(following.lines(4), ["one manager follow=true", "", "\u{1f980} last", "later"]);
    restart(client, "one", "second").await;
    assert_eq!(following.lines(4)[3], "later");
    pod(client, "new", Some(NODE)).await;
    restart(client, "new", "third").await;
    let lines = following.lines(4);
    assert_eq!((lines[0].as_str(), lines[3].as_str()), ("[new] new manager follow=true", "[new] later"));
    assert_eq!(following.interrupted(), [""; 0], "each container is followed once");
    remove(client, "new").await;
}

fn lines_of_two_pods_name_their_pod(stage: &Stage) {
    let stdout = says(&stage.logs(&[]), 0, &[]);
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(
        lines,
        [
            "[one] one manager ",
            "[one] ",
            "[one] \u{1f980} last",
            "[two] two manager ",
            "[two] ",
            "[two] \u{1f980} last"
        ]
    );
}

fn lines_of_two_pods_are_followed_as_json(stage: &Stage) {
    let mut following = stage.follow(&["-o", "json"]);
    let mut lines: Vec<Value> = following.lines(8).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let later = lines.iter().filter(|line| line["data"]["line"] == "later").count();
    lines.extend(following.interrupted().iter().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    assert_eq!((later, lines.len()), (2, 9), "a line for each, and the end: {lines:?}");
    assert_eq!(lines[0]["data"]["container"], "manager");
}

/// Checks that opctl only warns about a pod whose log cannot be read if it can read the log of another pod, and
/// fails otherwise.
async fn a_log_that_cannot_be_read_is_named(stage: &Stage, client: &Client) {
    pod(client, "lost", Some("elsewhere")).await;
    let stdout = says(&stage.logs(&[]), 0, &["warning: the log of pod `lost` cannot be read"]);
    assert_eq!(stdout.lines().count(), 6);
    let none = [
        "error: the log of pod `lost` cannot be read",
        "container nothing is not valid for pod one",
        "hint: kubectl describe pod lost",
    ];
    says(&stage.logs(&["--container", "nothing"]), 5, &none);
}

fn a_user_without_rights_is_told_which_are_missing(stage: &Stage) {
    let kubeconfig = std::fs::read_to_string(&stage.plane.kubeconfig).unwrap();
    let mut kubeconfig: Value = serde_yaml::from_str(&kubeconfig).unwrap();
    kubeconfig["users"][0]["user"]["as"] = json!("jane");
    let path = stage.folder.path().join("jane");
    std::fs::write(&path, kubeconfig.to_string()).unwrap();
    let jane = path.display().to_string();
    says(
        &stage.logs(&["--kubeconfig", &jane]),
        5,
        &["you may not get deployments", "kubectl auth can-i get deployments"],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_logs_of_all_pods_are_passed_on() {
    let stage = Stage::new();
    let client = stage.plane.client().await;
    what_is_not_deployed_has_no_log(&stage);
    kubelet(&client, answer).await;
    a_pod_without_a_node_has_an_empty_log(&stage, &client).await;
    flags_choose_what_is_asked_for(&stage);
    each_container_is_followed_once(&stage, &client).await;
    pod(&client, "two", Some(NODE)).await;
    lines_of_two_pods_name_their_pod(&stage);
    lines_of_two_pods_are_followed_as_json(&stage);
    a_log_that_cannot_be_read_is_named(&stage, &client).await;
    a_user_without_rights_is_told_which_are_missing(&stage);
}

#[test]
fn a_time_needs_its_unit() {
    let place = Place::with_project();
    says(&place.run(&["logs", "--since", "10"]), 2, &["expected a number with a unit, such as 30s, 10m or 2h"]);
    says(&place.run(&["logs", "--follow", "--previous"]), 2, &["cannot be used with"]);
}
