//! The steps of the tests of `opctl deploy` and `undeploy` on one API server. Each step checks one property.

use super::{IMAGE, MANAGER, NAMESPACE, Stage, api};
use crate::support::{NODE, edit, kubelet, must, tool, web_servers};
use kube::Client;
use kube::api::{Api, DynamicObject, ListParams, Patch, PatchParams};
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The `ConfigMap` that tells which objects were applied together.
const APPLY_SET: &str = "webserver-operator-applyset";

/// A foreign `ClusterRole`, named like one of the operator's roles, which opctl must keep.
const THEIR_ROLE: &str = "webserver-operator-theirs";

fn kubeconfig(stage: &Stage) -> String {
    stage.plane.kubeconfig.display().to_string()
}

fn deployments(client: &Client) -> Api<DynamicObject> {
    api(client, ("apps", "Deployment"), Some(NAMESPACE))
}

fn definitions(client: &Client) -> Api<DynamicObject> {
    api(client, ("apiextensions.k8s.io", "CustomResourceDefinition"), None)
}

fn cluster_roles(client: &Client) -> Api<DynamicObject> {
    api(client, ("rbac.authorization.k8s.io", "ClusterRole"), None)
}

fn config_maps(client: &Client) -> Api<DynamicObject> {
    api(client, ("", "ConfigMap"), Some(NAMESPACE))
}

async fn version_of_the_deployment(client: &Client) -> Option<String> {
    deployments(client).get(MANAGER).await.unwrap().metadata.resource_version
}

pub(super) fn a_missing_or_invalid_image_is_refused(stage: &Stage) {
    let kubeconfig = kubeconfig(stage);
    let line = format!("opctl deploy --image registry.example.com/my-operator:0.1.0 --kubeconfig {kubeconfig}");
    stage.fails(&["deploy", "--kubeconfig", &kubeconfig], 1, &["no image is chosen", &line]);
    stage.fails(&["deploy", "--image", "No Image"], 2, &["`No Image` is not a valid image reference"]);
}

pub(super) async fn a_dry_run_creates_nothing(stage: &Stage, client: &Client) {
    let said = stage.ok(&["deploy", "--image", IMAGE, "--dry-run"]);
    assert!(said.contains("create deployment/") && said.contains("namespace does not exist yet"), "{said}");
    assert!(deployments(client).list(&ListParams::default()).await.unwrap().items.is_empty());
}

pub(super) async fn objects_are_created_by_the_first_deploy_alone(stage: &Stage, client: &Client) {
    let kubeconfig = kubeconfig(stage);
    let said = stage.ok(&["deploy", "--image", IMAGE, "--wait=false", "--kubeconfig", &kubeconfig]);
    assert!(said.contains("objects: 16 created"), "{said}");
    let next = format!("next:\n    kubectl apply -k config/samples/ --kubeconfig {kubeconfig}\n");
    assert!(said.contains(&next), "{said}");
    let deployed = deployments(client).get(MANAGER).await.unwrap();
    assert_eq!(deployed.data["spec"]["template"]["spec"]["containers"][0]["image"], IMAGE);
    let said = stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    assert!(said.contains("objects: 16 unchanged"), "{said}");
    assert_eq!(version_of_the_deployment(client).await, deployed.metadata.resource_version);
}

pub(super) async fn a_diff_is_shown_and_not_applied(stage: &Stage, client: &Client) {
    let deployed = version_of_the_deployment(client).await;
    let output = must(&mut stage.command(&["deploy", "--image", "web:2", "--dry-run", "--diff"]));
    let diff = String::from_utf8(output.stdout).unwrap();
    assert!(diff.contains("-        image: registry.example.com/web:1\n+        image: web:2\n"), "{diff}");
    assert_eq!(diff.matches("+++ ").count(), 1, "only the Deployment differs: {diff}");
    assert_eq!(version_of_the_deployment(client).await, deployed);
}

/// Checks that objects which are no longer rendered are removed. CRDs, and objects that somebody else made, stay.
pub(super) async fn objects_that_are_no_longer_rendered_go(stage: &Stage, client: &Client) {
    let roles = cluster_roles(client);
    let theirs = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
        "metadata": {"name": THEIR_ROLE}, "rules": [],
    });
    roles.patch(THEIR_ROLE, &PatchParams::apply("them"), &Patch::Apply(&theirs)).await.unwrap();
    stage.ok(&["edit", "--disable", "metrics"]);
    edit(&stage.root().join("config/crd/kustomization.yaml"), "- bases/example.com_webservers.yaml\n", "");
    let said = stage.ok(&["deploy", "--image", IMAGE, "--dry-run"]);
    assert!(said.contains("remove service/") && said.contains("4 removed"), "{said}");
    let said = stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    assert!(said.contains("4 removed"), "{said}");
    let services = api(client, ("", "Service"), Some(NAMESPACE));
    assert!(services.list(&ListParams::default()).await.unwrap().items.is_empty());
    assert!(roles.get_opt("webserver-operator-metrics-reader").await.unwrap().is_none());
    assert!(roles.get_opt(THEIR_ROLE).await.unwrap().is_some());
    let definition = definitions(client).get_opt("webservers.example.com").await.unwrap();
    assert!(definition.is_some(), "pruning never deletes these");
    let said = stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    assert!(!said.contains("remove"), "it is pruned once: {said}");
}

/// Checks that the next deploy applies a policy that was added to the project, and that the deploy after the
/// policy's deletion from the project removes it from the cluster.
pub(super) async fn policies_come_and_go(stage: &Stage, client: &Client) {
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

/// Creates a `WebServer`, so that `opctl undeploy` must keep the CRD. Then adds the CRD to the project's kustomization
/// again, and deploys.
pub(super) async fn leave_a_web_server(stage: &Stage, client: &Client) {
    let web =
        json!({"apiVersion": "example.com/v1alpha1", "kind": "WebServer", "metadata": {"name": "web"}, "spec": {}});
    web_servers(client).patch("web", &PatchParams::apply("test"), &Patch::Apply(&web)).await.unwrap();
    edit(
        &stage.root().join("config/crd/kustomization.yaml"),
        "resources:",
        "resources:\n- bases/example.com_webservers.yaml",
    );
    stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
}

/// Creates a `ConfigMap` of somebody else, because of which `opctl undeploy` must keep the namespace.
pub(super) async fn leave_a_config_map(client: &Client) {
    let foreign = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "theirs"}});
    config_maps(client).patch("theirs", &PatchParams::apply("them"), &Patch::Apply(&foreign)).await.unwrap();
}

pub(super) async fn a_dry_run_of_undeploy_deletes_nothing(stage: &Stage, client: &Client) {
    let said = stage.ok(&["undeploy", "--dry-run"]);
    assert!(said.contains("remove deployment/"), "{said}");
    assert!(deployments(client).get_opt(MANAGER).await.unwrap().is_some());
}

/// Checks that `opctl undeploy` stops waiting at its `--timeout` if a finalizer keeps an object, and names the object.
/// Then removes the finalizer and deploys the operator again.
pub(super) fn an_object_that_stays_is_named(stage: &Stage) {
    let account =
        ["patch", "serviceaccount", "webserver-operator-controller-manager", "--namespace", NAMESPACE, "--patch"];
    stage.kubectl(&[&account[..], &[r#"{"metadata": {"finalizers": ["example.com/busy"]}}"#]].concat());
    let told = "`serviceaccount/webserver-operator-controller-manager` is still there";
    stage.fails(&["undeploy", "--timeout", "3"], 5, &[told, "finalizers"]);
    stage.kubectl(&[&account[..], &[r#"{"metadata": {"finalizers": null}}"#]].concat());
    stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
}

/// Checks that `opctl undeploy` leaves the operator running while objects have finalizers that only it removes.
pub(super) async fn an_operator_stays_for_the_finalizers_of_its_objects(stage: &Stage, client: &Client) {
    let kubeconfig = kubeconfig(stage);
    let finalizers = |finalizers: Value| Patch::Merge(json!({"metadata": {"finalizers": finalizers}}));
    let held = finalizers(json!(["example.com/operator"]));
    web_servers(client).patch("web", &PatchParams::default(), &held).await.unwrap();
    let told =
        "the CRD `webservers.example.com` has objects with finalizers, and only the operator removes these finalizers";
    let which = "`web` in namespace `default` has the finalizer `example.com/operator`";
    let line = format!("opctl undeploy --force --kubeconfig {kubeconfig}");
    stage.fails(&["undeploy", "--kubeconfig", &kubeconfig], 3, &[told, which, &line]);
    let said = stage.ok(&["undeploy", "--force", "--dry-run"]);
    assert!(said.contains(&format!("finalizers, which are not removed without the operator: {which}")), "{said}");
    assert!(deployments(client).get_opt(MANAGER).await.unwrap().is_some(), "nothing is deleted");
    web_servers(client).patch("web", &PatchParams::default(), &finalizers(Value::Null)).await.unwrap();
}

pub(super) async fn undeploy_keeps_what_has_objects_of_others(stage: &Stage, client: &Client) {
    let said = stage.ok(&["undeploy", "--timeout", "20"]);
    let kept = "`customresourcedefinition/webservers.example.com` is kept: \
                it has 1 object of webservers in namespace `default`";
    assert!(said.contains(kept), "{said}");
    assert!(
        said.contains("is kept: it holds ") && said.contains("`configmap/theirs`") && said.contains("`parcel/theirs`"),
        "{said}"
    );
    assert!(deployments(client).get_opt(MANAGER).await.unwrap().is_none());
    assert!(cluster_roles(client).get_opt(THEIR_ROLE).await.unwrap().is_some());
    let left = config_maps(client).list(&ListParams::default()).await.unwrap().items;
    assert_eq!(left.iter().filter(|map| map.metadata.name.as_deref() != Some("kube-root-ca.crt")).count(), 1);
}

/// Checks that `opctl undeploy` also deletes the CRD and the namespace once they hold no foreign objects.
pub(super) async fn undeploy_removes_everything_else(stage: &Stage, client: &Client) {
    // Nothing here empties a namespace, because there is no kube-controller-manager.
    let said = stage.ok(&["undeploy", "--timeout", "5"]);
    assert!(said.contains("remove customresourcedefinition/webservers.example.com"), "{said}");
    assert!(said.contains("remove namespace/"), "{said}");
    assert!(definitions(client).get_opt("webservers.example.com").await.unwrap().is_none());
}

/// Checks that kubectl finds the objects of the `ApplySet`, by the labels that opctl gives them.
pub(super) fn kubectl_finds_the_objects_of_the_apply_set(stage: &Stage) {
    let id = stage.kubectl(&[
        "get",
        "configmap",
        APPLY_SET,
        "--namespace",
        NAMESPACE,
        "--output=jsonpath={.metadata.labels.applyset\\.kubernetes\\.io/id}",
    ]);
    let selector = format!("--selector=applyset.kubernetes.io/part-of={id}");
    let found = stage.kubectl(&["get", "deployment,clusterrole,crd", "--all-namespaces", &selector, "--output=name"]);
    assert_eq!(found.lines().count(), 8, "{found}");
}

fn annotate_the_apply_set(stage: &Stage, change: &str) {
    stage.kubectl(&["annotate", "configmap", APPLY_SET, "--namespace", NAMESPACE, "--overwrite", change]);
}

pub(super) fn objects_of_another_tool_are_left_alone(stage: &Stage) {
    annotate_the_apply_set(stage, "applyset.kubernetes.io/tooling=kpt/v1");
    let foreign = "the ConfigMap `webserver-operator-applyset` is not managed by opctl";
    stage.fails(&["deploy", "--image", IMAGE], 3, &[foreign]);
    annotate_the_apply_set(stage, "applyset.kubernetes.io/tooling=opctl/v1");
}

/// Checks that opctl neither replaces nor removes the operator of another project that has the same name but another
/// domain.
pub(super) fn an_operator_of_another_domain_stays(stage: &Stage) {
    annotate_the_apply_set(stage, "opctl.dev/domain=other.example.com");
    let refusal = [
        "the namespace `webserver-operator-system` has the operator of another project that is also named `webserver-operator`",
        "the operator in the namespace was deployed for the domain `other.example.com`, and the domain of this project is `example.com`",
        "opctl rename project --to other-webserver-operator",
    ];
    for command in [&["deploy", "--image", IMAGE][..], &["deploy", "--image", IMAGE, "--dry-run"], &["undeploy"]] {
        stage.fails(command, 3, &refusal);
    }
    annotate_the_apply_set(stage, "opctl.dev/domain-");
    stage.ok(&["deploy", "--image", IMAGE, "--wait=false"]);
    let of_whom = "--output=jsonpath={.metadata.annotations.opctl\\.dev/domain}";
    let recorded = stage.kubectl(&["get", "configmap", APPLY_SET, "--namespace", NAMESPACE, of_whom]);
    assert_eq!(recorded, "example.com");
}

pub(super) fn a_deployment_without_a_controller_is_explained(stage: &Stage) {
    stage.fails(
        &["deploy", "--image", IMAGE, "--timeout", "8"],
        5,
        &[
            "does not run",
            "kube-controller-manager is not running",
            "opctl deploy --image registry.example.com/web:1 --wait=false",
        ],
    );
}

pub(super) async fn a_deployment_that_is_replaced_ends_the_wait(stage: &Stage) {
    let mut replaced = stage.command(&["deploy", "--image", IMAGE, "--timeout", "60"]);
    let replaced = replaced.stderr(Stdio::piped()).spawn().unwrap();
    tokio::time::sleep(Duration::from_secs(4)).await;
    stage.kubectl(&["delete", "deployment", MANAGER, "--namespace", NAMESPACE]);
    let replaced = replaced.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&replaced.stderr);
    assert!(said.contains("was replaced while opctl waited for it"), "{said}");
    assert!(said.contains("caused by: it was deleted"), "{said}");
    assert_eq!(replaced.status.code(), Some(3));
}

pub(super) async fn an_interrupt_reports_what_was_applied(stage: &Stage) {
    let mut interrupted = stage.command(&["deploy", "--image", IMAGE, "--timeout", "60"]);
    let interrupted = interrupted.stderr(Stdio::piped()).spawn().unwrap();
    tokio::time::sleep(Duration::from_secs(4)).await;
    must(tool("kill").args(["-INT", &interrupted.id().to_string()]));
    let interrupted = interrupted.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&interrupted.stderr);
    assert!(said.contains("error: interrupted\ncaused by: everything was applied"), "{said}");
    assert!(said.contains("create deployment/"), "each object is shown as it is applied: {said}");
    assert_eq!(interrupted.status.code(), Some(130));
}

/// Returns the container log with which a simulated kubelet answers: one line with the names of the container and the
/// pod, and the query parameter `tailLines` (the number of requested lines). The second part is `None`, because the log
/// does not continue later.
fn log(pod: &str, container: &str, query: &str) -> (String, Option<String>) {
    let lines = query.split('&').find(|one| one.starts_with("tailLines")).unwrap();
    (format!("the last words of {container} in {pod}, {lines}\n"), None)
}

/// Returns `ownerReferences` with one owner: the controlling object of this kind and UID in the API group `apps`.
fn owners(kind: &str, uid: Option<&str>) -> Value {
    json!([{"apiVersion": "apps/v1", "kind": kind, "name": "o", "uid": uid, "controller": true}])
}

/// Creates a node, and the `ReplicaSet` and the pod that kube-controller-manager would create for the Deployment. The
/// pod is bound to this node. Returns the API for pods.
pub(super) async fn pod_on_a_node(client: &Client) -> Api<DynamicObject> {
    let hash = json!({
        "pod-template-hash": "1", "control-plane": "controller-manager", "app.kubernetes.io/name": "webserver-operator",
    });
    let deployment = deployments(client).get(MANAGER).await.unwrap();
    let template = deployment.data["spec"]["template"].clone();
    let mut labelled = template.clone();
    labelled["metadata"]["labels"] = hash.clone();
    let of_deployment = owners("Deployment", deployment.metadata.uid.as_deref());
    let replica_set = json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": {"name": "one", "labels": hash, "ownerReferences": of_deployment},
        "spec": {"replicas": 1, "selector": {"matchLabels": hash}, "template": labelled},
    });
    kubelet(client, log).await;
    let mut spec = template["spec"].clone();
    spec["nodeName"] = json!(NODE);
    let sets = api(client, ("apps", "ReplicaSet"), Some(NAMESPACE));
    let set = sets.patch("one", &PatchParams::apply("test"), &Patch::Apply(&replica_set)).await.unwrap();
    let of_set = owners("ReplicaSet", set.metadata.uid.as_deref());
    let metadata = json!({"name": "one-a", "labels": hash, "ownerReferences": of_set});
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec});
    let pods = api(client, ("", "Pod"), Some(NAMESPACE));
    pods.patch("one-a", &PatchParams::apply("test"), &Patch::Apply(&pod)).await.unwrap();
    pods
}

/// Writes a status of the Deployment, as kube-controller-manager and a kubelet would.
async fn report(client: &Client, status: Value) {
    let deployments = deployments(client);
    let start = Instant::now();
    while deployments.get_opt(MANAGER).await.unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "no Deployment is applied");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let status = json!({ "status": status });
    deployments.patch_status(MANAGER, &PatchParams::default(), &Patch::Merge(&status)).await.unwrap();
}

pub(super) async fn deploy_waits_until_a_pod_is_ready(stage: &Stage, client: &Client, pods: &Api<DynamicObject>) {
    let mut waiting = stage.command(&["deploy", "--image", IMAGE, "--timeout", "60", "-o", "json"]);
    let mut waiting = waiting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let ready = json!({"observedGeneration": 1, "replicas": 1, "updatedReplicas": 1});
    report(client, ready.clone()).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut available = ready;
    available["availableReplicas"] = json!(1);
    available["readyReplicas"] = json!(1);
    report(client, available).await;
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
}

/// Checks that the error names a pod that crashes, and shows its log.
pub(super) async fn a_crash_is_explained_at_once(stage: &Stage, client: &Client, pods: &Api<DynamicObject>) {
    let unavailable = json!({
        "observedGeneration": 1, "replicas": 1, "updatedReplicas": 1, "availableReplicas": 0, "readyReplicas": 0,
    });
    report(client, unavailable).await;
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
