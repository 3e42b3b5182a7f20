//! Runs one operator for its tests. The operator is deployed to a control plane with a simulated node, but it runs as a
//! local process with the rights of its `ServiceAccount`. The tests of all operators share the control plane.

use super::door::{Door, Write};
use super::project::{built, made};
use crate::book::{on_plane, script};
use crate::support::{Operator, Plane, must, opctl, temporary, tool};
use kube::Client;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The time limit for each wait that has no other limit. It is long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Stage {
    pub(super) root: PathBuf,
    pub(super) door: Door,
    program: PathBuf,
    client: Client,
    runtime: tokio::runtime::Runtime,
    replicas: Vec<(String, Operator)>,
    logs: Vec<PathBuf>,
    folder: tempfile::TempDir,
    plane: Arc<Plane>,
}

/// Returns the running control plane, or starts one. All operators that are tested at the same time share the control
/// plane.
fn shared() -> Arc<Plane> {
    static PLANE: Mutex<Weak<Plane>> = Mutex::new(Weak::new());
    let mut plane = PLANE.lock().unwrap_or_else(PoisonError::into_inner);
    plane.upgrade().unwrap_or_else(|| {
        let new = Arc::new(Plane::simulated());
        *plane = Arc::downgrade(&new);
        new
    })
}

impl Stage {
    /// Makes, builds and deploys the operator. Its pod on the simulated node does nothing: [`Stage::start`] runs the
    /// operator.
    pub(super) fn set(name: &str) -> Self {
        let root = made(name);
        let program = built(&root);
        let plane = shared();
        let folder = temporary();
        let user = format!("system:serviceaccount:{name}-system:{name}-controller-manager");
        let door = Door::open(&plane, &user, folder.path());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = runtime.block_on(plane.client());
        let (replicas, logs) = (Vec::new(), Vec::new());
        let stage = Stage { root, door, program, client, runtime, replicas, logs, folder, plane };
        let deploy = ["deploy", "--image", "registry.example.com/operator:1", "--wait=false"];
        must(opctl(&deploy).current_dir(&stage.root).env("KUBECONFIG", &stage.plane.kubeconfig));
        stage.kubectl(&["create", "namespace", name]);
        fs::write(stage.kubeconfig(), stage.credentials().to_string()).unwrap();
        stage
    }

    pub(super) fn name(&self) -> &str {
        self.root.file_name().unwrap().to_str().unwrap()
    }

    /// Returns the user name of the operator's `ServiceAccount`.
    pub(super) fn account(&self) -> String {
        format!("system:serviceaccount:{0}-system:{0}-controller-manager", self.name())
    }

    fn kubeconfig(&self) -> PathBuf {
        self.folder.path().join("kubeconfig")
    }

    /// Returns a kubeconfig for the second API server of the control plane (`door`), with a token of the operator's
    /// `ServiceAccount`.
    fn credentials(&self) -> Value {
        let namespace = format!("{}-system", self.name());
        let account = format!("{}-controller-manager", self.name());
        let token = self.kubectl(&["create", "token", &account, "--namespace", &namespace]);
        let authority = self.door.authority();
        let cluster = json!({"server": self.door.url, "certificate-authority": authority});
        json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "pod",
            "contexts": [{"name": "pod", "context": {"cluster": "door", "user": "account", "namespace": namespace}}],
            "clusters": [{"name": "door", "cluster": cluster}],
            "users": [{"name": "account", "user": {"token": token.trim_end()}}],
        })
    }

    pub(super) fn start(&mut self, replica: &str, flags: &[&str]) {
        let log = self.folder.path().join(format!("{replica}.log"));
        self.replicas.push((replica.to_owned(), Operator::launch(&self.program, &self.kubeconfig(), &log, flags)));
        if !self.logs.contains(&log) {
            self.logs.push(log);
        }
    }

    fn take(&mut self, replica: &str) -> Operator {
        let position = self.replicas.iter().position(|(name, _)| name == replica).unwrap();
        self.replicas.remove(position).1
    }

    /// Stops a replica as a kubelet would.
    pub(super) fn stop(&mut self, replica: &str) {
        let code = self.take(replica).stop();
        assert_eq!(code, Some(0), "{}", self.said());
    }

    /// Kills a replica with SIGKILL.
    pub(super) fn kill(&mut self, replica: &str) {
        drop(self.take(replica));
    }

    pub(super) fn runs(&mut self) -> bool {
        self.replicas.iter_mut().all(|(_, operator)| operator.runs())
    }

    /// Returns the log of a replica.
    pub(super) fn log(&self, replica: &str) -> String {
        fs::read_to_string(self.folder.path().join(format!("{replica}.log"))).unwrap()
    }

    /// Returns the last lines of the log of each replica.
    fn said(&self) -> String {
        let tail = |log: &PathBuf| {
            let text = fs::read_to_string(log).unwrap_or_default();
            let lines: Vec<_> = text.lines().collect();
            let tail = lines[lines.len().saturating_sub(40)..].join("\n");
            format!("--- {}\n{tail}\n", log.display())
        };
        self.logs.iter().map(tail).collect()
    }

    /// Runs opctl in the project, with the administrator's kubeconfig.
    pub(super) fn opctl(&self, arguments: &[&str]) -> Output {
        opctl(arguments).current_dir(&self.root).env("KUBECONFIG", &self.plane.kubeconfig).output().unwrap()
    }

    /// Runs kubectl as a cluster user, in the namespace with the operator's name unless the arguments name another one.
    /// Returns its output even if it fails.
    pub(super) fn try_kubectl(&self, arguments: &[&str], input: &str) -> Output {
        let mut kubectl = tool("kubectl");
        kubectl.args(arguments).current_dir(&self.root).env("KUBECONFIG", &self.plane.kubeconfig);
        kubectl.env("HOME", self.folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !arguments.contains(&"--namespace") {
            kubectl.args(["--namespace", self.name()]);
        }
        let mut kubectl = kubectl.spawn().unwrap();
        kubectl.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        kubectl.wait_with_output().unwrap()
    }

    fn must_kubectl(&self, arguments: &[&str], input: &str) -> String {
        let output = self.try_kubectl(arguments, input);
        let [said, told] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(output.status.success(), "kubectl {arguments:?}\n{told}\n{}", self.said());
        said
    }

    /// Runs kubectl, which must succeed. Returns its stdout.
    pub(super) fn kubectl(&self, arguments: &[&str]) -> String {
        self.must_kubectl(arguments, "")
    }

    /// Executes the commands of a chapter of the book, which must all succeed while the operator runs. Leaves out the
    /// commands before the block that starts a control plane. The commands use the control plane of this stage instead
    /// of a new one.
    pub(super) fn plays(&self, chapter: &str) {
        let output = on_plane(&mut script(chapter, "export ", &self.root), &self.plane).output().unwrap();
        let [said, told] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(output.status.success(), "{chapter}\n{said}\n{told}\n{}", self.said());
    }

    pub(super) fn apply(&self, object: &Value) {
        self.must_kubectl(&["apply", "-f", "-"], &object.to_string());
    }

    pub(super) fn patch(&self, what: &str, patch: &Value) {
        self.kubectl(&["patch", &kubectl_name(what), "--type", "merge", "--patch", &patch.to_string()]);
    }

    pub(super) fn delete(&self, what: &str) {
        self.kubectl(&["delete", &kubectl_name(what)]);
    }

    fn path(&self, what: &str) -> String {
        let parts: Vec<_> = what.rsplitn(3, '/').collect();
        let [name, plural, version] = parts[..] else { panic!("{what}") };
        let root = if version.contains('/') { "apis" } else { "api" };
        let path = format!("/{root}/{version}/namespaces/{}/{plural}/{name}", self.name());
        path.trim_end_matches('/').to_owned()
    }

    /// Returns an object by group, version, plural and name (`apps/v1/deployments/web`, `v1/services/web`), or a list
    /// of objects if the name is empty. Returns `None` if the API server does not find the object.
    pub(super) fn get(&self, what: &str) -> Option<Value> {
        let request = http::Request::get(self.path(what)).body(Vec::new()).unwrap();
        match self.runtime.block_on(self.client.request(request)) {
            Ok(object) => Some(object),
            Err(kube::Error::Api(status)) if status.is_not_found() => None,
            Err(error) => panic!("{what}: {error}"),
        }
    }

    pub(super) fn items(&self, what: &str) -> Vec<Value> {
        self.get(what).unwrap()["items"].as_array().unwrap().clone()
    }

    /// Creates objects, up to 50 at the same time.
    pub(super) fn create(&self, plural: &str, objects: impl Iterator<Item = Value>) {
        use futures_util::{StreamExt, TryStreamExt};
        let path = self.path(&format!("{plural}/"));
        let requests = objects.map(|object| {
            let request = http::Request::post(&path).header("content-type", "application/json");
            self.client.request::<Value>(request.body(object.to_string().into_bytes()).unwrap())
        });
        let all = futures_util::stream::iter(requests).buffer_unordered(50);
        self.runtime.block_on(all.try_for_each(async |_| Ok(()))).unwrap();
    }

    /// Waits until the object exists and `is` returns true for it. Returns the object.
    pub(super) fn sees(&self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        self.sees_within(PATIENCE, what, is)
    }

    pub(super) fn sees_within(&self, limit: Duration, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let mut last = None;
        self.within(
            limit,
            || format!("{what} is not as it should be"),
            || {
                last = self.get(what);
                last.clone().filter(&is).ok_or_else(|| format!("{last:#?}"))
            },
        )
    }

    /// Waits until the object exists with another UID than `before`.
    pub(super) fn comes_back(&self, what: &str, before: &Value) -> Value {
        self.sees(what, |again| again["metadata"]["uid"] != before["metadata"]["uid"])
    }

    pub(super) fn gone(&self, what: &str) {
        self.until(&format!("{what} goes"), || self.get(what).map_or(Ok(()), |left| Err(format!("{left:#}"))));
    }

    /// Waits until `look` succeeds. On a timeout, panics with the error of `look`, which describes the state.
    pub(super) fn until<T>(&self, what: &str, look: impl FnMut() -> Result<T, String>) -> T {
        self.within(PATIENCE, || format!("timed out while waiting for: {what}"), look)
    }

    pub(super) fn within<T>(
        &self,
        limit: Duration,
        what: impl Fn() -> String,
        mut look: impl FnMut() -> Result<T, String>,
    ) -> T {
        let begun = Instant::now();
        loop {
            match look() {
                Ok(seen) => return seen,
                Err(instead) => {
                    assert!(begun.elapsed() < limit, "{}, but after {limit:?}:\n{instead}\n{}", what(), self.said());
                }
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Returns the operator's writes after the first `from` ones. Events are not counted.
    pub(super) fn writes_since(&self, from: usize) -> Vec<Write> {
        let writes = self.door.writes().into_iter().filter(|write| write.resource != "events");
        writes.skip(from).collect()
    }

    pub(super) fn writes(&self) -> usize {
        self.writes_since(0).len()
    }

    /// Waits until the operator has written nothing for a second. Returns the number of its writes.
    pub(super) fn settles(&self) -> usize {
        let mut last = (self.writes(), Instant::now());
        self.until("the operator settles", || {
            let now = self.writes();
            if now != last.0 {
                last = (now, Instant::now());
            }
            if last.1.elapsed() > Duration::from_secs(1) { Ok(now) } else { Err(format!("{now} writes")) }
        })
    }
}

/// Converts a path such as `apps/v1/deployments/web` to kubectl's form `deployments.v1.apps/web`, and `v1/services/web`
/// to `services/web`.
fn kubectl_name(what: &str) -> String {
    match what.split('/').collect::<Vec<_>>()[..] {
        [group, version, plural, name] => format!("{plural}.{version}.{group}/{name}"),
        [_, plural, name] => format!("{plural}/{name}"),
        _ => panic!("{what}"),
    }
}

/// Returns the sample of the project.
pub(super) fn sample(root: &Path) -> Value {
    let samples = fs::read_dir(root.join("config/samples")).unwrap().map(|entry| entry.unwrap().path());
    let mut samples = samples.filter(|path| path.file_name().unwrap() != "kustomization.yaml");
    serde_yaml::from_str(&fs::read_to_string(samples.next().unwrap()).unwrap()).unwrap()
}

/// Returns the object's condition of the type `type_`, or null if it has none.
pub(super) fn condition(object: &Value, type_: &str) -> Value {
    let mut conditions = object["status"]["conditions"].as_array().into_iter().flatten();
    conditions.find(|one| one["type"] == type_).cloned().unwrap_or_default()
}

/// Returns true if the object's `status.observedGeneration` equals its generation, and its condition of the type
/// `type_` has the status `status`.
pub(super) fn says(object: &Value, type_: &str, status: &str) -> bool {
    object["status"]["observedGeneration"] == object["metadata"]["generation"]
        && condition(object, type_)["status"] == status
}
