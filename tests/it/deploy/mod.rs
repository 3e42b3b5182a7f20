//! `opctl deploy` and `undeploy` on a real API server. No kubelet and no controllers run here, so the tests write the
//! statuses themselves.

mod namespace_admin;
mod parcels;

use crate::support::{
    NODE, Plane, assert_same, edit, kubelet, lay, must, opctl, project, temporary, tool, tree, web_servers,
};
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, ListParams, Patch, PatchParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const NAMESPACE: &str = "webserver-operator-system";
const MANAGER: &str = "webserver-operator-controller-manager";
const IMAGE: &str = "registry.example.com/web:1";

/// A copy of the golden project, and a control plane.
struct Stage {
    folder: tempfile::TempDir,
    plane: Plane,
}

impl Stage {
    fn new() -> Self {
        let folder = temporary();
        lay(&project("webserver-operator"), &folder.path().join("webserver-operator"));
        Stage { folder, plane: Plane::start() }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("webserver-operator")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = opctl(arguments);
        command.current_dir(self.root()).env("KUBECONFIG", &self.plane.kubeconfig).stdin(Stdio::null());
        command
    }

    /// Runs a command that must succeed. Returns its stderr.
    fn ok(&self, arguments: &[&str]) -> String {
        String::from_utf8(must(&mut self.command(arguments)).stderr).unwrap()
    }

    fn fails(&self, arguments: &[&str], code: i32, texts: &[&str]) {
        let output = self.command(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "opctl {arguments:?}\n{said}");
        for text in texts.iter().chain(&["error: ", "hint: "]) {
            assert!(said.contains(text), "opctl {arguments:?} does not say `{text}`:\n{said}");
        }
    }

    fn kubectl(&self, arguments: &[&str]) -> String {
        let mut kubectl = tool("kubectl");
        let output = must(kubectl.args(arguments).current_dir(self.root()).env("KUBECONFIG", &self.plane.kubeconfig));
        String::from_utf8(output.stdout).unwrap()
    }
}

fn api(client: &Client, (group, kind): (&str, &str), namespace: Option<&str>) -> Api<DynamicObject> {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, "v1", kind));
    match namespace {
        Some(namespace) => Api::namespaced_with(client.clone(), namespace, &resource),
        None => Api::all_with(client.clone(), &resource),
    }
}

/// Checks that the next deploy applies a policy that was added to the project, and that the deploy after the
/// policy's deletion from the project removes it from the cluster.
async fn policies_come_and_go(stage: &Stage, client: &Client) {
    stage.ok(&["create", "policy", "--kind", "WebServer"]);
    let said = stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    assert!(said.contains("2 created"), "{said}");
    let said = stage.ok(&["delete", "policy", "--kind", "WebServer"]);
    assert!(said.contains("opctl deploy    # until then the cluster has the policies"), "{said}");
    let policies = api(client, ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"), None);
    assert_eq!(policies.list(&ListParams::default()).await.unwrap().items.len(), 1);
    let said = stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    assert!(said.contains("2 removed"), "{said}");
    assert!(policies.list(&ListParams::default()).await.unwrap().items.is_empty());
}

#[tokio::test]
async fn deploy_updates_and_prunes_objects_and_undeploy_removes_them() {
    let stage = Stage::new();
    let before = without_lock(&stage.root());
    let kubeconfig = stage.plane.kubeconfig.display().to_string();
    let line = format!("opctl deploy --image registry.example.com/my-operator:0.1.0 --kubeconfig {kubeconfig}");
    stage.fails(&["deploy", "--kubeconfig", &kubeconfig], 1, &["no image is chosen", &line]);
    stage.fails(&["deploy", "--image", "No Image"], 2, &["`No Image` is not a valid image reference"]);
    let client = stage.plane.client().await;
    let deployments = api(&client, ("apps", "Deployment"), Some(NAMESPACE));

    let said = stage.ok(&["deploy", "--image", IMAGE, "--dry-run"]);
    assert!(said.contains("create deployment/") && said.contains("namespace does not exist yet"), "{said}");
    assert!(deployments.list(&ListParams::default()).await.unwrap().items.is_empty());

    let said = stage.ok(&["deploy", "--image", IMAGE, "--wait=false", "--kubeconfig", &kubeconfig]);
    assert!(said.contains("objects: 16 created"), "{said}");
    let next = format!("next:\n    kubectl apply -k config/samples/ --kubeconfig {kubeconfig}\n");
    assert!(said.contains(&next), "{said}");
    let image = |deployment: &DynamicObject| {
        deployment.data["spec"]["template"]["spec"]["containers"][0]["image"].as_str().unwrap().to_owned()
    };
    let deployed = deployments.get(MANAGER).await.unwrap();
    assert_eq!(image(&deployed), IMAGE);
    let said = stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    assert!(said.contains("objects: 16 unchanged"), "{said}");
    let version = |object: &DynamicObject| object.metadata.resource_version.clone();
    assert_eq!(version(&deployments.get(MANAGER).await.unwrap()), version(&deployed));

    let output = must(&mut stage.command(&["deploy", "--image", "web:2", "--dry-run", "--diff"]));
    let diff = String::from_utf8(output.stdout).unwrap();
    assert!(diff.contains("-        image: registry.example.com/web:1\n+        image: web:2\n"), "{diff}");
    assert_eq!(diff.matches("+++ ").count(), 1, "only the Deployment differs: {diff}");
    assert_eq!(version(&deployments.get(MANAGER).await.unwrap()), version(&deployed));
    assert_same(&before, &without_lock(&stage.root()), "no tracked file changes");

    // Objects that are no longer rendered are removed. CRDs, and objects that somebody else made, stay.
    let roles = api(&client, ("rbac.authorization.k8s.io", "ClusterRole"), None);
    let theirs = json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "webserver-operator-theirs"}, "rules": []});
    roles.patch("webserver-operator-theirs", &PatchParams::apply("them"), &Patch::Apply(&theirs)).await.unwrap();
    stage.ok(&["edit", "--disable", "metrics"]);
    edit(&stage.root().join("config/crd/kustomization.yaml"), "- bases/example.com_webservers.yaml\n", "");
    let said = stage.ok(&["deploy", "--image", IMAGE, "--dry-run"]);
    assert!(said.contains("remove service/") && said.contains("4 removed"), "{said}");
    let said = stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    assert!(said.contains("4 removed"), "{said}");
    let services = api(&client, ("", "Service"), Some(NAMESPACE));
    assert!(services.list(&ListParams::default()).await.unwrap().items.is_empty());
    assert!(roles.get_opt("webserver-operator-metrics-reader").await.unwrap().is_none());
    assert!(roles.get_opt("webserver-operator-theirs").await.unwrap().is_some());
    let definitions = api(&client, ("apiextensions.k8s.io", "CustomResourceDefinition"), None);
    assert!(definitions.get_opt("webservers.example.com").await.unwrap().is_some(), "pruning never deletes these");
    let said = stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    assert!(!said.contains("remove"), "it is pruned once: {said}");
    policies_come_and_go(&stage, &client).await;

    // The CRD stays while there are objects of its kind.
    let web =
        json!({"apiVersion": "example.com/v1alpha1", "kind": "WebServer", "metadata": {"name": "web"}, "spec": {}});
    web_servers(&client).patch("web", &PatchParams::apply("test"), &Patch::Apply(&web)).await.unwrap();
    edit(
        &stage.root().join("config/crd/kustomization.yaml"),
        "resources:",
        "resources:\n- bases/example.com_webservers.yaml",
    );
    stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    // The namespace stays while it holds an object of somebody else.
    let foreign = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "theirs"}});
    let config_maps = api(&client, ("", "ConfigMap"), Some(NAMESPACE));
    config_maps.patch("theirs", &PatchParams::apply("them"), &Patch::Apply(&foreign)).await.unwrap();
    let parcels = parcels::leave_one(&stage, &client).await;
    let said = stage.ok(&["undeploy", "--dry-run"]);
    assert!(said.contains("remove deployment/"), "{said}");
    assert!(deployments.get_opt(MANAGER).await.unwrap().is_some());
    let account =
        ["patch", "serviceaccount", "webserver-operator-controller-manager", "--namespace", NAMESPACE, "--patch"];
    stage.kubectl(&[&account[..], &[r#"{"metadata": {"finalizers": ["example.com/busy"]}}"#]].concat());
    let told = "`serviceaccount/webserver-operator-controller-manager` is still there";
    stage.fails(&["undeploy", "--timeout", "3"], 5, &[told, "finalizers"]);
    stage.kubectl(&[&account[..], &[r#"{"metadata": {"finalizers": null}}"#]].concat());
    stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    let finalizers = |finalizers: Value| Patch::Merge(json!({"metadata": {"finalizers": finalizers}}));
    let held = finalizers(json!(["example.com/operator"]));
    web_servers(&client).patch("web", &PatchParams::default(), &held).await.unwrap();
    let told = "`webservers.example.com` has objects with finalizers, which only the operator removes";
    let which = "`web` in namespace `default` has the finalizer `example.com/operator`";
    let line = format!("opctl undeploy --force --kubeconfig {kubeconfig}");
    stage.fails(&["undeploy", "--kubeconfig", &kubeconfig], 3, &[told, which, &line]);
    let said = stage.ok(&["undeploy", "--force", "--dry-run"]);
    assert!(said.contains(&format!("finalizers, which are not removed without the operator: {which}")), "{said}");
    assert!(deployments.get_opt(MANAGER).await.unwrap().is_some(), "nothing is deleted");
    web_servers(&client).patch("web", &PatchParams::default(), &finalizers(Value::Null)).await.unwrap();
    let said = stage.ok(&["undeploy", "--timeout", "20"]);
    assert!(said.contains("`customresourcedefinition/webservers.example.com` is kept: it has 1 object of webservers in namespace `default`"), "{said}");
    assert!(
        said.contains("is kept: it holds ") && said.contains("`configmap/theirs`") && said.contains("`parcel/theirs`"),
        "{said}"
    );
    assert!(deployments.get_opt(MANAGER).await.unwrap().is_none());
    assert!(roles.get_opt("webserver-operator-theirs").await.unwrap().is_some());
    let left = config_maps.list(&ListParams::default()).await.unwrap().items;
    assert_eq!(left.iter().filter(|map| map.metadata.name.as_deref() != Some("kube-root-ca.crt")).count(), 1);

    // Without objects everything is removed. Nothing here empties a namespace, because there is no
    // kube-controller-manager.
    stage.kubectl(&["delete", "webserver", "web"]);
    stage.kubectl(&["delete", "configmap", "theirs", "--namespace", NAMESPACE]);
    stage.kubectl(&["delete", "--filename", &parcels]);
    let said = stage.ok(&["undeploy", "--timeout", "5"]);
    assert!(said.contains("remove customresourcedefinition/webservers.example.com"), "{said}");
    assert!(said.contains("remove namespace/"), "{said}");
    assert!(definitions.get_opt("webservers.example.com").await.unwrap().is_none());
}

fn without_lock(root: &Path) -> crate::support::Tree {
    let mut tree = tree(root);
    tree.remove(".opctl/lock");
    tree
}

#[tokio::test]
async fn objects_applied_by_kubectl_are_conflicts_until_forced() {
    let stage = Stage::new();
    stage.kubectl(&["apply", "-k", "config/crd"]);
    stage.kubectl(&["apply", "-k", "config/default"]);
    stage.fails(
        &["deploy", "--image", IMAGE, "--wait=false"],
        3,
        &[
            "another field manager owns some of the fields",
            ".spec.template.spec.containers[name=\"manager\"].image",
            "kubectl-client-side-apply",
            "opctl deploy --image registry.example.com/web:1 --force-conflicts",
        ],
    );
    let client = stage.plane.client().await;
    let deployments = api(&client, ("apps", "Deployment"), Some(NAMESPACE));
    let labels = deployments.get(MANAGER).await.unwrap().metadata.labels.unwrap();
    assert!(!labels.contains_key("applyset.kubernetes.io/part-of"), "nothing was applied: {labels:?}");
    stage.ok(&["deploy", "--image", IMAGE, "--wait=false", "--force-conflicts"]);

    namespace_admin::deploys_what_is_in_the_namespace(&stage);

    // kubectl finds the objects of the ApplySet by the same labels.
    let id = stage.kubectl(&[
        "get",
        "configmap",
        "webserver-operator-applyset",
        "--namespace",
        NAMESPACE,
        "--output=jsonpath={.metadata.labels.applyset\\.kubernetes\\.io/id}",
    ]);
    let selector = format!("--selector=applyset.kubernetes.io/part-of={id}");
    let found = stage.kubectl(&["get", "deployment,clusterrole,crd", "--all-namespaces", &selector, "--output=name"]);
    assert_eq!(found.lines().count(), 8, "{found}");

    // An ApplySet of another tool is not touched.
    let annotate = ["annotate", "configmap", "webserver-operator-applyset", "--namespace", NAMESPACE, "--overwrite"];
    let tooling = |tool: &str| format!("applyset.kubernetes.io/tooling={tool}/v1");
    stage.kubectl(&[&annotate[..], &[&tooling("kpt")]].concat());
    let foreign = "the ConfigMap `webserver-operator-applyset` is not managed by opctl";
    stage.fails(&["deploy", "--image", IMAGE], 3, &[foreign]);
    stage.kubectl(&[&annotate[..], &[&tooling("opctl")]].concat());

    // The operator of another project of the same name is neither replaced nor removed.
    let domain = |change: &str| stage.kubectl(&[&annotate[..], &[change]].concat());
    domain("opctl.dev/domain=other.example.com");
    let refusal = [
        "the namespace `webserver-operator-system` has the operator of another project named `webserver-operator`",
        "its objects were deployed for the domain `other.example.com`, and this project's is `example.com`",
        "opctl rename project --to other-webserver-operator",
    ];
    for command in [&["deploy", "--image", IMAGE][..], &["deploy", "--image", IMAGE, "--dry-run"], &["undeploy"]] {
        stage.fails(command, 3, &refusal);
    }
    domain("opctl.dev/domain-");
    stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    let of_whom = "--output=jsonpath={.metadata.annotations.opctl\\.dev/domain}";
    let recorded =
        stage.kubectl(&["get", "configmap", "webserver-operator-applyset", "--namespace", NAMESPACE, of_whom]);
    assert_eq!(recorded, "example.com");

    // Objects of another project are not taken over by accident.
    let other = json!({"metadata": {"labels": {"applyset.kubernetes.io/part-of": "applyset-other-v1"}}});
    deployments.patch(MANAGER, &PatchParams::default(), &Patch::Merge(&other)).await.unwrap();
    stage.fails(&["deploy", "--image", IMAGE], 3, &["belongs to another deployment, `applyset-other-v1`"]);
    // A kind that the cluster lacks is reported before anything is applied.
    stage.ok(&["edit", "--enable", "prometheus"]);
    stage.fails(&["deploy", "--image", IMAGE], 5, &["ServiceMonitor", "opctl edit --disable prometheus"]);
    stage.fails(&["deploy", "--image", IMAGE, "--context", "none"], 4, &["no context `none`"]);
}

/// Writes a status of the Deployment, as kube-controller-manager and a kubelet would.
async fn report(client: &Client, status: Value) {
    let deployments = api(client, ("apps", "Deployment"), Some(NAMESPACE));
    let start = Instant::now();
    while deployments.get_opt(MANAGER).await.unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "no Deployment is applied");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let status = json!({ "status": status });
    deployments.patch_status(MANAGER, &PatchParams::default(), &Patch::Merge(&status)).await.unwrap();
}

/// Returns a log line with the query parameter `tailLines`, the number of lines that the request asks for.
fn log(pod: &str, container: &str, query: &str) -> (String, Option<String>) {
    let lines = query.split('&').find(|one| one.starts_with("tailLines")).unwrap();
    (format!("the last words of {container} in {pod}, {lines}\n"), None)
}

#[tokio::test]
async fn a_rollout_is_awaited_and_its_failure_explained() {
    let stage = Stage::new();
    let client = stage.plane.client().await;
    // No controller acts on the Deployment.
    stage.fails(
        &["deploy", "--image", IMAGE, "--timeout", "8"],
        5,
        &[
            "does not run",
            "kube-controller-manager is not running",
            "opctl deploy --image registry.example.com/web:1 --wait=false",
        ],
    );
    let mut replaced = stage.command(&["deploy", "--image", IMAGE, "--timeout", "60"]);
    let replaced = replaced.stderr(Stdio::piped()).spawn().unwrap();
    tokio::time::sleep(Duration::from_secs(4)).await;
    stage.kubectl(&["delete", "deployment", MANAGER, "--namespace", NAMESPACE]);
    let replaced = replaced.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&replaced.stderr);
    assert!(said.contains("was replaced while opctl waited for it"), "{said}");
    assert!(said.contains("caused by: it was deleted"), "{said}");
    assert_eq!(replaced.status.code(), Some(3));

    // An interrupt reports what has been applied.
    let mut interrupted = stage.command(&["deploy", "--image", IMAGE, "--timeout", "60"]);
    let interrupted = interrupted.stderr(Stdio::piped()).spawn().unwrap();
    tokio::time::sleep(Duration::from_secs(4)).await;
    must(tool("kill").args(["-INT", &interrupted.id().to_string()]));
    let interrupted = interrupted.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&interrupted.stderr);
    assert!(said.contains("error: interrupted\ncaused by: everything was applied"), "{said}");
    assert!(said.contains("create deployment/"), "each object is shown as it is applied: {said}");
    assert_eq!(interrupted.status.code(), Some(130));

    // The ReplicaSet and the pod that kube-controller-manager would make from the Deployment.
    let hash = json!({"pod-template-hash": "1", "control-plane": "controller-manager", "app.kubernetes.io/name": "webserver-operator"});
    let deployment = api(&client, ("apps", "Deployment"), Some(NAMESPACE)).get(MANAGER).await.unwrap();
    let template = deployment.data["spec"]["template"].clone();
    let owner = |kind: &str, uid: Option<String>| json!([{"apiVersion": "apps/v1", "kind": kind, "name": "o", "uid": uid, "controller": true}]);
    let mut labelled = template.clone();
    labelled["metadata"]["labels"] = hash.clone();
    let replica_set = json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": {"name": "one", "labels": hash, "ownerReferences": owner("Deployment", deployment.metadata.uid)},
        "spec": {"replicas": 1, "selector": {"matchLabels": hash}, "template": labelled},
    });
    kubelet(&client, log).await;
    let mut spec = template["spec"].clone();
    spec["nodeName"] = json!(NODE);
    let sets = api(&client, ("apps", "ReplicaSet"), Some(NAMESPACE));
    let set = sets.patch("one", &PatchParams::apply("test"), &Patch::Apply(&replica_set)).await.unwrap();
    let metadata = json!({"name": "one-a", "labels": hash, "ownerReferences": owner("ReplicaSet", set.metadata.uid)});
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec});
    let pods = api(&client, ("", "Pod"), Some(NAMESPACE));
    pods.patch("one-a", &PatchParams::apply("test"), &Patch::Apply(&pod)).await.unwrap();

    let mut waiting = stage.command(&["deploy", "--image", IMAGE, "--timeout", "60", "-o", "json"]);
    let mut waiting = waiting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let ready = json!({"observedGeneration": 1, "replicas": 1, "updatedReplicas": 1});
    report(&client, ready.clone()).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut available = ready;
    available["availableReplicas"] = json!(1);
    available["readyReplicas"] = json!(1);
    report(&client, available).await;
    // The counts in the Deployment's status are not enough, because they may still count a pod that is being replaced.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(waiting.try_wait().unwrap().is_none(), "no pod is ready");
    let well = json!({"status": {"conditions": [{"type": "Ready", "status": "True"}]}});
    pods.patch_status("one-a", &PatchParams::default(), &Patch::Merge(&well)).await.unwrap();
    let output = waiting.wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{lines}");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let steps: Vec<&str> = lines.iter().filter_map(|line| line["data"]["step"].as_str()).collect();
    assert!(steps.starts_with(&["context", "applying", "applied"]), "{steps:?}");
    assert!(lines.iter().any(|line| line["data"]["message"] == "0 of 1 pods are ready"), "{lines:?}");
    let last = lines.last().unwrap();
    assert_eq!((&last["command"], &last["outcome"]), (&json!("deploy"), &json!("unchanged")), "{last}");

    // The error names a pod that crashes, and shows its log.
    report(&client, json!({"observedGeneration": 1, "replicas": 1, "updatedReplicas": 1, "availableReplicas": 0, "readyReplicas": 0})).await;
    let crashed = json!({"status": {"conditions": [], "containerStatuses": [{
        "name": "manager", "image": IMAGE, "imageID": "", "ready": false, "restartCount": 3,
        "state": {"waiting": {"reason": "CrashLoopBackOff"}},
        "lastState": {"terminated": {"exitCode": 2, "reason": "Error"}},
    }]}});
    pods.patch_status("one-a", &PatchParams::default(), &Patch::Merge(&crashed)).await.unwrap();
    let start = Instant::now();
    stage.fails(
        &["deploy", "--image", IMAGE, "--timeout", "60"],
        5,
        &[
            "pod `one-a`: container `manager` exited with code 2 (Error), 3 restarts",
            "the last words of manager in one-a, tailLines=10",
            "kubectl logs one-a --container manager",
        ],
    );
    assert!(start.elapsed() < Duration::from_secs(30), "what is hopeless is not waited for");
}
