//! `opctl deploy` and `undeploy` on a real API server. No kubelet and no controllers run here, so the tests write the
//! statuses themselves.

mod checks;
mod namespace_admin;
mod parcels;

use crate::support::{Plane, assert_same, lay, must, opctl, project, temporary, tool, tree};
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NAMESPACE: &str = "webserver-operator-system";
const MANAGER: &str = "webserver-operator-controller-manager";
const IMAGE: &str = "registry.example.com/web:1";

/// A copy of the project `webserver-operator` in `testdata/golden`, and a control plane.
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

#[tokio::test]
async fn deploy_updates_and_prunes_objects_and_undeploy_removes_them() {
    let stage = Stage::new();
    let before = without_lock(&stage.root());
    checks::a_missing_or_invalid_image_is_refused(&stage);
    let client = stage.plane.client().await;
    checks::a_dry_run_creates_nothing(&stage, &client).await;
    checks::objects_are_created_by_the_first_deploy_alone(&stage, &client).await;
    checks::a_diff_is_shown_and_not_applied(&stage, &client).await;
    assert_same(&before, &without_lock(&stage.root()), "no tracked file changes");
    checks::objects_that_are_no_longer_rendered_go(&stage, &client).await;
    checks::policies_come_and_go(&stage, &client).await;

    checks::leave_a_web_server(&stage, &client).await;
    checks::leave_a_config_map(&client).await;
    let parcels = parcels::leave_one(&stage, &client).await;
    checks::a_dry_run_of_undeploy_deletes_nothing(&stage, &client).await;
    checks::an_object_that_stays_is_named(&stage);
    checks::an_operator_stays_for_the_finalizers_of_its_objects(&stage, &client).await;
    checks::undeploy_keeps_what_has_objects_of_others(&stage, &client).await;
    stage.kubectl(&["delete", "webserver", "web"]);
    stage.kubectl(&["delete", "configmap", "theirs", "--namespace", NAMESPACE]);
    stage.kubectl(&["delete", "--filename", &parcels]);
    checks::undeploy_removes_everything_else(&stage, &client).await;
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
            "another field manager owns fields of the objects to deploy",
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
    checks::kubectl_finds_the_objects_of_the_apply_set(&stage);
    checks::objects_of_another_tool_are_left_alone(&stage);
    checks::an_operator_of_another_domain_stays(&stage);

    // Objects of another project are not taken over by accident.
    let other = json!({"metadata": {"labels": {"applyset.kubernetes.io/part-of": "applyset-other-v1"}}});
    deployments.patch(MANAGER, &PatchParams::default(), &Patch::Merge(&other)).await.unwrap();
    stage.fails(&["deploy", "--image", IMAGE], 3, &["belongs to another deployment, `applyset-other-v1`"]);
    // A kind that the cluster lacks is reported before anything is applied.
    stage.ok(&["edit", "--enable", "prometheus"]);
    stage.fails(&["deploy", "--image", IMAGE], 5, &["ServiceMonitor", "opctl edit --disable prometheus"]);
    stage.fails(
        &["deploy", "--image", IMAGE, "--context", "none"],
        4,
        &["the context `none` is not in the kubeconfig"],
    );
}

#[tokio::test]
async fn a_rollout_is_awaited_and_its_failure_explained() {
    let stage = Stage::new();
    let client = stage.plane.client().await;
    checks::a_deployment_without_a_controller_is_explained(&stage);
    checks::a_deployment_that_is_replaced_ends_the_wait(&stage).await;
    checks::an_interrupt_reports_what_was_applied(&stage).await;
    let pods = checks::pod_on_a_node(&client).await;
    checks::deploy_waits_until_a_pod_is_ready(&stage, &client, &pods).await;
    checks::a_crash_is_explained_at_once(&stage, &client, &pods).await;
}
