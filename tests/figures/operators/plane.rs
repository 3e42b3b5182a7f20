//! A control plane for one run: creates objects, and counts the writes to the API server.

use crate::cost::processor;
use crate::opctl;
use kube::api::{ApiResource, DynamicObject, ListParams, PatchParams, PostParams, VersionMatch};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::GroupVersionKind;
use kube::{Api, Client, Config};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

/// The resources that the operators write, and whose writes are counted.
const RESOURCES: [&str; 3] = ["webservers", "deployments", "services"];
const AUDIT_LOG: &str = "audit.log";

/// A control plane that stops when it is dropped.
pub(crate) struct Plane {
    folder: tempfile::TempDir,
    kubeconfig: PathBuf,
    runtime: Runtime,
    client: Client,
}

impl Plane {
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), flags)
    }

    /// Starts a control plane with the real controllers, a simulated node, and an audit log that names the user agent
    /// of each write.
    pub(super) fn audited() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let policy = folder.path().join("policy.yaml");
        let rules = json!([{ "level": "Metadata", "omitStages": ["RequestReceived"], "verbs": ["create", "update", "patch", "delete"] }, { "level": "None" }]);
        fs::write(&policy, json!({ "apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": rules }).to_string())
            .unwrap();
        let policy = format!("--apiserver-arg=--audit-policy-file={}", policy.display());
        let log = format!("--apiserver-arg=--audit-log-path={}", folder.path().join(AUDIT_LOG).display());
        Self::start_in(folder, &["--simulate-nodes", &policy, &log])
    }

    fn start_in(folder: tempfile::TempDir, flags: &[&str]) -> Self {
        let output = envtest(folder.path(), "start").args(flags).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let kubeconfig = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
        let runtime = Runtime::new().unwrap();
        let client = runtime.block_on(async {
            let file = Kubeconfig::read_from(&kubeconfig).unwrap();
            let config = Config::from_custom_kubeconfig(file, &KubeConfigOptions::default()).await.unwrap();
            Client::try_from(config).unwrap()
        });
        Plane { folder, kubeconfig, runtime, client }
    }

    pub(crate) fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Returns the client for `WebServer` objects in one version of their API.
    pub(super) fn objects_in(&self, version: &str) -> Api<DynamicObject> {
        self.objects("WebServer", version)
    }

    fn objects(&self, kind: &str, version: &str) -> Api<DynamicObject> {
        let kind = GroupVersionKind::gvk("web.example.com", version, kind);
        Api::default_namespaced_with(self.client.clone(), &ApiResource::from_gvk(&kind))
    }

    /// Applies a CRD, and waits until its kind is served.
    pub(super) fn install(&self, crd: &Path) {
        let crd: Value = serde_yaml::from_str(&fs::read_to_string(crd).unwrap()).unwrap();
        self.apply(&crd);
        let kind = crd["spec"]["names"]["kind"].as_str().unwrap();
        let listed = || self.runtime.block_on(self.objects(kind, "v1alpha1").list(&ListParams::default()));
        while listed().is_err() {
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Applies an object that is in no namespace.
    pub(crate) fn apply(&self, object: &Value) {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap();
        let (group, version) = text("/apiVersion").split_once('/').unwrap();
        let kind = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, text("/kind")));
        let objects: Api<DynamicObject> = Api::all_with(self.client.clone(), &kind);
        let (params, patch) = (PatchParams::apply("figures"), kube::api::Patch::Apply(object));
        self.runtime.block_on(objects.patch(text("/metadata/name"), &params, &patch)).unwrap();
    }

    /// Creates a `WebServer` object for each number in `numbers`, eight at a time. The number is a part of its name.
    pub(super) fn create(&self, numbers: Range<usize>, replicas: i32) {
        self.create_of("WebServer", numbers, replicas);
    }

    /// Creates objects of a kind with the fields of `WebServer`, like [`Plane::create`].
    pub(super) fn create_of(&self, kind: &'static str, numbers: Range<usize>, replicas: i32) {
        let mut creators = JoinSet::new();
        for creator in 0..8 {
            let (objects, numbers) = (self.objects(kind, "v1alpha1"), numbers.clone());
            creators.spawn_on(
                async move {
                    for index in numbers.skip(creator).step_by(8) {
                        let object = json!({
                            "apiVersion": "web.example.com/v1alpha1", "kind": kind,
                            "metadata": { "name": format!("{}-{index}", kind.to_lowercase()) },
                            "spec": { "image": "nginx:1.27", "replicas": replicas, "port": 80 },
                        });
                        let object: DynamicObject = serde_json::from_value(object).unwrap();
                        objects.create(&PostParams::default(), &object).await.unwrap();
                    }
                },
                self.runtime.handle(),
            );
        }
        self.runtime.block_on(creators.join_all());
    }

    /// Waits until `fits` returns true for `number` objects, and returns how long this takes. Lists the objects from
    /// the API server's watch cache, twice a second or, if lists take long, less often.
    pub(super) fn until_all(&self, number: usize, fits: impl Fn(&Value) -> bool) -> Duration {
        self.until_all_of("WebServer", number, fits)
    }

    /// Waits for objects of a kind like [`Plane::until_all`].
    pub(super) fn until_all_of(&self, kind: &str, number: usize, fits: impl Fn(&Value) -> bool) -> Duration {
        let start = Instant::now();
        let list = ListParams::default().at("0").matching(VersionMatch::NotOlderThan);
        let limit = Duration::from_secs(300 + number as u64 / 25);
        let mut pause = Duration::from_millis(500);
        loop {
            std::thread::sleep(pause);
            let asked = Instant::now();
            let found = self.runtime.block_on(self.objects(kind, "v1alpha1").list(&list)).unwrap();
            pause = pause.max(asked.elapsed() * 5);
            let fitting = found.items.iter().filter(|object| fits(&object.data)).count();
            if fitting == number {
                return start.elapsed();
            }
            assert!(start.elapsed() < limit, "{fitting} of {number} objects after {limit:?}");
        }
    }

    /// Waits until the API server has counted this number of [writes](Self::writes). Reading this counter costs the API
    /// server less than lists of many objects.
    pub(super) fn until_written(&self, writes: u64) {
        let mut known = (self.writes(), Instant::now());
        while known.0 < writes {
            std::thread::sleep(Duration::from_secs(3));
            let now = self.writes();
            if now > known.0 {
                known = (now, Instant::now());
            }
            assert!(known.1.elapsed() < Duration::from_secs(60), "{now} of {writes} writes, and no more in a minute");
        }
    }

    /// Returns the processor time of the API server and of etcd so far.
    pub(super) fn processor(&self) -> Duration {
        let folder = self.folder.path().to_str().unwrap();
        let command = |process: &Path| fs::read_to_string(process.join("cmdline")).unwrap_or_default();
        let is_own = |command: &str| {
            let program = command.split('\0').next().unwrap_or_default();
            (program.ends_with("/kube-apiserver") || program.ends_with("/etcd")) && command.contains(folder)
        };
        let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
        let times: Vec<_> = processes.filter(|process| is_own(&command(process))).map(|own| processor(&own)).collect();
        assert_eq!(times.len(), 2, "an API server and etcd");
        times.into_iter().sum()
    }

    /// Returns the number of writes to `RESOURCES` in the API server's metrics so far. Events are not counted.
    pub(super) fn writes(&self) -> u64 {
        let request = http::Request::get("/metrics").body(Vec::new()).unwrap();
        let text = self.runtime.block_on(self.client.request_text(request)).unwrap();
        let counted = text.lines().filter(|line| {
            let label =
                |name: &str, values: &[&str]| values.iter().any(|value| line.contains(&format!("{name}=\"{value}\"")));
            line.starts_with("apiserver_request_total{")
                && label("resource", &RESOURCES)
                && label("verb", &["POST", "PUT", "PATCH", "APPLY", "DELETE"])
        });
        counted.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).map(whole).sum()
    }

    /// Returns the number of the operator's writes in the audit log. Leaves out the writes of the Kubernetes
    /// controllers, which also write to Deployments, and the requests that create the measured objects.
    pub(super) fn audited_writes(&self) -> usize {
        let log = fs::read_to_string(self.folder.path().join(AUDIT_LOG)).unwrap();
        let entries = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let by_operator = |entry: &Value| {
            let agent = entry["userAgent"].as_str().unwrap_or_default();
            let resource = entry["objectRef"]["resource"].as_str().unwrap_or_default();
            RESOURCES.contains(&resource) && !agent.starts_with("kube-controller-manager")
        };
        entries.filter(by_operator).count() - super::ROLLOUTS
    }
}

impl Drop for Plane {
    fn drop(&mut self) {
        let _ = envtest(self.folder.path(), "stop").output();
    }
}

fn envtest(folder: &Path, command: &str) -> std::process::Command {
    let mut envtest = opctl(folder, &["envtest", command]);
    if let Some(cpus) = std::env::var_os("API_SERVER_CPUS") {
        let arguments = [envtest.get_program(), "envtest".as_ref(), command.as_ref()].map(OsStr::to_owned);
        envtest = std::process::Command::new("taskset");
        envtest.arg("--cpu-list").arg(cpus).args(arguments).current_dir(folder).env_remove("CARGO_TARGET_DIR");
    }
    envtest.env("XDG_STATE_HOME", folder);
    envtest
}

/// Converts the value of a counter to an integer. From a million on, the metrics contain values such as `1e+06`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a counter")]
fn whole(counter: f64) -> u64 {
    counter as u64
}
