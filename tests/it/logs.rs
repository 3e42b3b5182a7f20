//! `opctl logs` through a real API server, which requests the logs from a simulated kubelet.

use crate::support::{NODE, Place, Plane, kubelet, lay, must, opctl, project, temporary, tool};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use kube::Client;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const NAMESPACE: &str = "webserver-operator-system";
const MANAGER: &str = "webserver-operator-controller-manager";

/// Returns a log line that names the pod, the container and the query. A followed log has a second part later.
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

fn follow(plane: &Plane, root: &Path, flags: &[&str]) -> Following {
    let mut command = opctl(&["logs", "--follow"]);
    command.args(flags).current_dir(root).env("KUBECONFIG", &plane.kubeconfig);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (sender, lines) = channel();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || stdout.lines().try_for_each(|line| sender.send(line.unwrap())));
    Following { child, lines }
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_logs_of_all_pods_are_passed_on() {
    let folder = temporary();
    let root: PathBuf = folder.path().join("webserver-operator");
    lay(&project("webserver-operator"), &root);
    let plane = Plane::start();
    let client = plane.client().await;
    let logs = |root: &Path, flags: &[&str]| plane.run(root, &[&["logs"], flags].concat());

    let absent = "error: the operator is not deployed in context";
    says(
        &logs(&root, &[]),
        5,
        &[absent, "no Deployment `webserver-operator-controller-manager`", "hint: opctl deploy --image"],
    );
    let deploy = ["deploy", "--image", "registry.example.com/web:1", "--wait=false"];
    must(opctl(&deploy).current_dir(&root).env("KUBECONFIG", &plane.kubeconfig));
    let empty = "error: the Deployment `webserver-operator-controller-manager` has no pod";
    says(&logs(&root, &[]), 5, &[empty, "hint: kubectl describe deployment"]);

    kubelet(&client, answer).await;
    // The pod is not bound to a node yet.
    pod(&client, "one", None).await;
    assert_eq!(says(&logs(&root, &[]), 0, &["note: the log is empty"]), "");
    remove(&client, "one").await;
    pod(&client, "one", Some(NODE)).await;
    let stdout = says(&logs(&root, &["--tail", "5"]), 0, &["Context"]);
    assert_eq!(stdout, "one manager tailLines=5\n\n\u{1f980} last\n");
    let stdout = says(&logs(&root, &["--since", "90s", "--container", "manager"]), 0, &[]);
    assert_eq!(stdout.lines().next(), Some("one manager sinceSeconds=90"));
    let stdout = says(&logs(&root, &["--previous"]), 0, &[]);
    assert_eq!(stdout.lines().next(), Some("one manager previous=true"));

    // Later lines are printed as soon as they come. A container that is started again is followed from its beginning.
    let mut following = follow(&plane, &root, &[]);
    assert_eq!(following.lines(4), ["one manager follow=true", "", "\u{1f980} last", "later"]);
    restart(&client, "one", "second").await;
    assert_eq!(following.lines(4)[3], "later");
    // So is a pod that comes later.
    pod(&client, "new", Some(NODE)).await;
    restart(&client, "new", "third").await;
    let lines = following.lines(4);
    assert_eq!((lines[0].as_str(), lines[3].as_str()), ("[new] new manager follow=true", "[new] later"));
    assert_eq!(following.interrupted(), [""; 0], "each container is followed once");
    remove(&client, "new").await;

    pod(&client, "two", Some(NODE)).await;
    let stdout = says(&logs(&root, &[]), 0, &[]);
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
    let mut following = follow(&plane, &root, &["-o", "json"]);
    let mut lines: Vec<Value> = following.lines(8).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let later = lines.iter().filter(|line| line["data"]["line"] == "later").count();
    lines.extend(following.interrupted().iter().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    assert_eq!((later, lines.len()), (2, 9), "a line for each, and the end: {lines:?}");
    assert_eq!(lines[0]["data"]["container"], "manager");

    // A pod without a log is only a warning if other pods have one, else it is an error.
    pod(&client, "lost", Some("elsewhere")).await;
    let stdout = says(&logs(&root, &[]), 0, &["warning: the log of pod `lost` cannot be read"]);
    assert_eq!(stdout.lines().count(), 6);
    let none = [
        "error: the log of pod `lost` cannot be read",
        "container nothing is not valid for pod one",
        "hint: kubectl describe pod lost",
    ];
    says(&logs(&root, &["--container", "nothing"]), 5, &none);

    let mut kubeconfig: Value = serde_yaml::from_str(&std::fs::read_to_string(&plane.kubeconfig).unwrap()).unwrap();
    kubeconfig["users"][0]["user"]["as"] = json!("jane");
    let path = folder.path().join("jane");
    std::fs::write(&path, kubeconfig.to_string()).unwrap();
    let jane = path.display().to_string();
    says(
        &logs(&root, &["--kubeconfig", &jane]),
        5,
        &["you may not get deployments", "kubectl auth can-i get deployments"],
    );
}

#[test]
fn a_time_needs_its_unit() {
    let place = Place::with_project();
    says(&place.run(&["logs", "--since", "10"]), 2, &["expected a number with a unit, such as 30s, 10m or 2h"]);
    says(&place.run(&["logs", "--follow", "--previous"]), 2, &["cannot be used with"]);
}
