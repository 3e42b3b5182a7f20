//! A project that a test deploys repeatedly, into a separate namespace.

use crate::support::{self, Plane, lay, project, temporary, tool, variable};
use kube::api::{Api, DynamicObject, ListParams};
use kube::core::GroupVersionKind;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const CONFIG: &str = "\
namespace: {name}
namePrefix: {name}-
resources:
- ../manager
";

/// A copy of a project in `testdata/golden`. It lacks the CRDs and roles, which several deployed copies could not
/// share.
pub(super) struct Lane {
    folder: tempfile::TempDir,
    name: String,
    pub(super) kubeconfig: PathBuf,
    runtime: Runtime,
    client: kube::Client,
}

/// The timeout of deploys, in seconds.
pub(super) const TIMEOUT: &str = "60";
/// The longest duration that the tests accept for a deploy. A longer deploy has used up its timeout, of which a part is
/// reserved for finding the cause of a failure.
const LATE: Duration = Duration::from_secs(54);

/// The result of a deploy.
pub(super) struct Run {
    pub(super) took: Duration,
    pub(super) code: Option<i32>,
    pub(super) said: String,
}

impl Run {
    pub(super) fn word(&self) -> String {
        self.code.map_or("killed".to_owned(), |code| format!("exit code {code}"))
    }
}

impl Lane {
    pub(super) fn new(plane: &Plane, name: &str) -> Self {
        let folder = temporary();
        lay(&project("webserver-operator"), folder.path());
        std::fs::write(folder.path().join("config/default/kustomization.yaml"), CONFIG.replace("{name}", name))
            .unwrap();
        let runtime = Runtime::new().unwrap();
        let client = runtime.block_on(plane.client());
        let lane = Lane { folder, name: name.to_owned(), kubeconfig: plane.kubeconfig.clone(), runtime, client };
        lane.edit("      serviceAccountName: controller-manager\n", "");
        lane.edit(
            "  replicas: 1\n",
            "  replicas: 1\n  strategy: {rollingUpdate: {maxSurge: 1}}\n  progressDeadlineSeconds: 6\n",
        );
        lane
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the operator's Deployment.
    pub(super) fn manager(&self) -> String {
        format!("{}-controller-manager", self.name)
    }

    /// Replaces text in the manager's manifest.
    pub(super) fn edit(&self, from: &str, to: &str) {
        support::edit(&self.folder.path().join("config/manager/manager.yaml"), from, to);
    }

    /// Sets the update strategy of the Deployment and, if `replicas` is given, the number of replicas.
    pub(super) fn shape(&self, strategy: &str, replicas: Option<usize>) {
        let path = self.folder.path().join("config/manager/manager.yaml");
        let text = std::fs::read_to_string(&path).unwrap();
        let line = |line: &str| match (line.trim_start().split(':').next(), replicas) {
            (Some("replicas"), Some(replicas)) => format!("  replicas: {replicas}\n"),
            (Some("strategy"), _) => format!("  strategy: {strategy}\n"),
            _ => format!("{line}\n"),
        };
        std::fs::write(path, text.lines().map(line).collect::<String>()).unwrap();
    }

    pub(super) fn deploy(&self, image: &str, flags: &[&str]) -> Run {
        let opctl = variable("ROLLOUTS_OPCTL").unwrap_or_else(|| env!("CARGO_BIN_EXE_opctl").into());
        let mut command = tool(opctl);
        command.args(["deploy", "--image", image]).args(flags).current_dir(self.folder.path());
        let begun = Instant::now();
        let output = command.env("KUBECONFIG", &self.kubeconfig).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Run { took: begun.elapsed(), code: output.status.code(), said }
    }

    pub(super) fn kubectl(&self, arguments: &[&str]) -> String {
        let mut kubectl = tool("kubectl");
        kubectl.args(arguments).current_dir(self.folder.path()).env("KUBECONFIG", &self.kubeconfig);
        String::from_utf8(crate::support::must(&mut kubectl).stdout).unwrap()
    }

    /// Runs the command in the hint of a failed deploy.
    pub(super) fn follow_hint(&self, run: &Run) {
        let hint = run.said.split("\nhint: ").nth(1).unwrap_or_else(|| panic!("{}", run.said));
        let mut shell = tool("sh");
        shell.args(["-c", hint]).current_dir(self.folder.path()).env("KUBECONFIG", &self.kubeconfig);
        crate::support::must(&mut shell);
    }

    /// Writes a file into the project's folder.
    pub(super) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Returns the fault in the result of deploying `image`, if there is one.
    pub(super) fn wrong(&self, image: &str, run: &Run) -> Option<String> {
        let expected = if image.starts_with("fail:") { 5 } else { 0 };
        if run.code != Some(expected) {
            return Some(format!("{} instead of {expected}", run.word()));
        }
        let blamed = run.said.split("caused by: pod `").nth(1).and_then(|rest| rest.split('`').next());
        if expected == 5 && blamed.is_none() {
            return Some("no pod is blamed".to_owned());
        }
        if run.took > LATE {
            return Some(format!("it took {:.0}s, as long as it was given", run.took.as_secs_f32()));
        }
        let pods = self.list("", "Pod");
        let of = |pod: &DynamicObject| pod.data["spec"]["containers"][0]["image"].as_str().unwrap().to_owned();
        let named = |pod: &&DynamicObject| pod.metadata.name.as_deref() == blamed;
        if let Some(other) = pods.iter().find(named).map(of).filter(|of| of != image) {
            return Some(format!("a pod of {other} is blamed"));
        }
        if expected == 5 {
            return None;
        }
        let running: Vec<_> = pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none()).map(of).collect();
        let deployment = &self.list("apps", "Deployment")[0].data;
        let wanted = deployment["spec"]["replicas"].as_u64();
        (running.iter().any(|running| running != image) || Some(running.len() as u64) != wanted)
            .then(|| format!("{wanted:?} pods are wanted, and there are those of {running:?}"))
    }

    fn list(&self, group: &str, kind: &str) -> Vec<DynamicObject> {
        let resource = kube::api::ApiResource::from_gvk(&GroupVersionKind::gvk(group, "v1", kind));
        let api: Api<DynamicObject> = Api::namespaced_with(self.client.clone(), &self.name, &resource);
        self.runtime.block_on(api.list(&ListParams::default())).unwrap().items
    }

    /// Makes later commands act as another user, who has only the rights that roles grant.
    pub(super) fn act_as(&mut self, user: &str) {
        let text = std::fs::read_to_string(&self.kubeconfig).unwrap();
        let mut kubeconfig: Value = serde_yaml::from_str(&text).unwrap();
        kubeconfig["users"][0]["user"]["as"] = user.into();
        self.kubeconfig = self.write("kubeconfig-as", &kubeconfig.to_string());
    }
}
