//! The golden operator's life against a real API server: install, sample, Ready, change, delete, uninstall.

use crate::golden::{cargo, must, project, target_folder};
use crate::support::temporary;
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, Patch, PatchParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::GroupVersionKind;
use kube::{Client, Config};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A control plane of its own, stopped at the end.
pub(crate) struct Plane {
    state: tempfile::TempDir,
    pub(crate) kubeconfig: PathBuf,
}

impl Plane {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// One on which pods run.
    pub(crate) fn simulated() -> Self {
        Self::start_with(&["--simulate-nodes"])
    }

    pub(crate) fn start_with(flags: &[&str]) -> Self {
        let state = temporary();
        let output = must(opctl(&["envtest", "start"]).args(flags).env("XDG_STATE_HOME", state.path()));
        let kubeconfig = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end());
        Plane { state, kubeconfig }
    }

    pub(crate) fn run(&self, root: &Path, arguments: &[&str]) -> Output {
        opctl(arguments)
            .current_dir(root)
            .env("KUBECONFIG", &self.kubeconfig)
            .env("XDG_STATE_HOME", self.state.path())
            // No kubectl: what is scaffolded needs none.
            .env("PATH", self.state.path())
            .output()
            .unwrap()
    }

    pub(crate) fn must(&self, root: &Path, arguments: &[&str]) -> String {
        let output = self.run(root, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "opctl {arguments:?}\n{said}");
        said
    }

    pub(crate) async fn client(&self) -> Client {
        let kubeconfig = Kubeconfig::read_from(&self.kubeconfig).unwrap();
        let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
        Client::try_from(config).unwrap()
    }

    /// The folder that an opctl finds it by.
    pub(crate) fn state(&self) -> &Path {
        self.state.path()
    }
}

impl Drop for Plane {
    fn drop(&mut self) {
        let _ = opctl(&["envtest", "stop"]).env("XDG_STATE_HOME", self.state.path()).output();
    }
}

pub(crate) fn opctl(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_opctl"));
    command.args(arguments);
    command
}

/// The operator's process, killed at the end.
pub(crate) struct Operator(Child);

impl Operator {
    pub(crate) fn start(plane: &Plane, name: &str, log: &Path) -> Self {
        Operator::start_with(plane, name, log, &[])
    }

    pub(crate) fn start_with(plane: &Plane, name: &str, log: &Path, flags: &[&str]) -> Self {
        must(&mut cargo(name, &["build", "--locked"]));
        Operator::launch(&target_folder().join("debug").join(name), &plane.kubeconfig, log, flags)
    }

    pub(crate) fn launch(program: &Path, kubeconfig: &Path, log: &Path, flags: &[&str]) -> Self {
        let output = std::fs::File::create(log).unwrap();
        let child = Command::new(program)
            .args(["--health-probe-bind-address", "127.0.0.1:0"])
            .args(flags)
            .env("KUBECONFIG", kubeconfig)
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .spawn()
            .unwrap();
        Operator(child)
    }

    /// Whether it has not ended.
    pub(crate) fn runs(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Sends a signal, such as `STOP`.
    pub(crate) fn signal(&self, name: &str) {
        must(Command::new("kill").args([&format!("-{name}"), &self.0.id().to_string()]));
    }

    /// Asks it to stop, as a kubelet would, and gives its exit code.
    pub(crate) fn stop(self) -> Option<i32> {
        self.signal("TERM");
        self.ended()
    }

    /// Waits for its end, and gives its exit code.
    pub(crate) fn ended(mut self) -> Option<i32> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            assert!(start.elapsed() < Duration::from_secs(40), "the operator does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn web_servers(client: &Client) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("example.com", "v1alpha1", "WebServer");
    Api::namespaced_with(client.clone(), "default", &ApiResource::from_gvk(&kind))
}

/// The Ready condition's status and message, and the generation that was observed.
pub(crate) fn ready(object: &DynamicObject) -> (String, String, i64) {
    let condition = &object.data["status"]["conditions"][0];
    let text = |key: &str| condition[key].as_str().unwrap_or_default().to_owned();
    (text("status"), text("message"), object.data["status"]["observedGeneration"].as_i64().unwrap_or_default())
}

pub(crate) async fn until(
    api: &Api<DynamicObject>,
    name: &str,
    log: &Path,
    done: impl Fn(&DynamicObject) -> bool,
) -> DynamicObject {
    let start = Instant::now();
    loop {
        let object = api.get_opt(name).await.unwrap();
        if let Some(object) = object.as_ref().filter(|object| done(object)) {
            return object.clone();
        }
        let log = std::fs::read_to_string(log).unwrap_or_default();
        assert!(start.elapsed() < Duration::from_secs(30), "{name} is {object:#?}\n{log}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_generated_operator_lives_on_a_real_api_server() {
    let plane = Plane::start();
    let root = project("webserver-operator");

    let dry = plane.must(&root, &["install", "--dry-run"]);
    assert!(dry.contains("create customresourcedefinition/webservers.example.com"), "{dry}");
    let first = plane.must(&root, &["install"]);
    assert!(first.contains("create customresourcedefinition/webservers.example.com"), "{first}");
    assert!(first.contains("https://127.0.0.1:"), "the server is shown first: {first}");
    let second = plane.must(&root, &["install"]);
    assert!(second.contains("unchanged customresourcedefinition/webservers.example.com"), "{second}");

    let client = plane.client().await;
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let definitions: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::from_gvk(&kind));
    let labels = definitions.get("webservers.example.com").await.unwrap().metadata.labels.unwrap();
    assert_eq!(labels["app.kubernetes.io/name"], "webserver-operator", "kustomize would have set it");
    let api = web_servers(&client);
    let temporary = temporary();
    let log = temporary.path().join("operator.log");
    let operator = Operator::start(&plane, "webserver-operator", &log);

    let text = std::fs::read_to_string(root.join("config/samples/v1alpha1_webserver.yaml")).unwrap();
    let sample: DynamicObject = serde_yaml::from_str(&text).unwrap();
    let name = sample.metadata.name.clone().unwrap();
    let parameters = PatchParams::apply("test");
    api.patch(&name, &parameters, &Patch::Apply(&sample)).await.unwrap();
    let object = until(&api, &name, &log, |object| ready(object).0 == "True").await;
    assert_eq!(ready(&object).2, object.metadata.generation.unwrap());

    // A converged object costs no request: nothing but the user's change moves its version.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(api.get(&name).await.unwrap().metadata.resource_version, object.metadata.resource_version);

    let changed = serde_json::json!({"spec": {"message": "Changed"}});
    api.patch(&name, &PatchParams::default(), &Patch::Merge(&changed)).await.unwrap();
    let object = until(&api, &name, &log, |object| ready(object).1 == "Changed").await;
    assert_eq!(ready(&object), ("True".to_owned(), "Changed".to_owned(), 2));

    let refused = serde_json::json!({"spec": {"message": ""}});
    let error = api.patch(&name, &PatchParams::default(), &Patch::Merge(&refused)).await.unwrap_err();
    assert!(error.to_string().contains("spec.message"), "{error}");

    let refusal = plane.run(&root, &["uninstall"]);
    let said = String::from_utf8_lossy(&refusal.stderr).into_owned();
    assert_eq!(refusal.status.code(), Some(3), "{said}");
    assert!(said.contains("error: `webservers.example.com` still has 1 object"), "{said}");
    assert!(said.contains("1 object of webservers in namespace `default`"), "{said}");

    api.delete(&name, &DeleteParams::default()).await.unwrap();
    let start = Instant::now();
    while api.get_opt(&name).await.unwrap().is_some() {
        assert!(start.elapsed() < Duration::from_secs(10), "the object is not deleted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(operator.stop(), Some(0), "{}", std::fs::read_to_string(&log).unwrap());

    plane.must(&root, &["uninstall"]);
    let again = plane.must(&root, &["uninstall"]);
    assert!(again.contains("nothing to do"), "{again}");
}

#[test]
fn what_a_cluster_refuses_is_one_clear_error() {
    let plane = Plane::start();
    let root = project("webserver-operator");
    let fails = |arguments: &[&str], code: i32, texts: &[&str]| {
        let output = plane.run(&root, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "opctl {arguments:?}\n{said}");
        for text in texts.iter().chain(&["error: ", "hint: "]) {
            assert!(said.contains(text), "opctl {arguments:?} does not say `{text}`:\n{said}");
        }
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
    };
    fails(&["install", "--context", "other"], 4, &["no context `other`", "it has `envtest`", "--context envtest"]);
    fails(&["install", "--kubeconfig", "none.yaml"], 4, &["no kubeconfig", "none.yaml", "opctl envtest start"]);

    let text = std::fs::read_to_string(&plane.kubeconfig).unwrap();
    let temporary = temporary();
    let write = |name: &str, text: String| {
        let path = temporary.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let mut nobody: serde_json::Value = serde_yaml::from_str(&text).unwrap();
    let server = nobody["clusters"][0]["cluster"]["server"].as_str().unwrap().to_owned();
    let unreachable = write("unreachable", text.replace(&server, "https://127.0.0.1:1"));
    fails(&["install", "--kubeconfig", &unreachable], 5, &["cannot reach `https://127.0.0.1:1`"]);

    nobody["users"][0]["user"] = serde_json::json!({});
    let forbidden = write("forbidden", nobody.to_string());
    fails(&["install", "--kubeconfig", &forbidden], 5, &["you may not get customresourcedefinitions", "auth can-i"]);
    nobody["users"][0]["user"] = serde_json::json!({"token": "wrong"});
    let unauthorized = write("unauthorized", nobody.to_string());
    fails(&["install", "--kubeconfig", &unauthorized], 5, &["does not know who you are"]);
}

#[tokio::test]
async fn a_field_of_somebody_else_is_a_conflict_until_forced() {
    let plane = Plane::start();
    let root = project("webserver-operator");
    plane.must(&root, &["install"]);
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let api: Api<DynamicObject> = Api::all_with(plane.client().await, &ApiResource::from_gvk(&kind));
    let theirs = serde_json::json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {"names": {"kind": "WebServer", "listKind": "Elsewhere", "plural": "webservers"}},
    });
    let parameters = PatchParams::apply("somebody").force();
    api.patch("webservers.example.com", &parameters, &Patch::Apply(&theirs)).await.unwrap();
    let output = plane.run(&root, &["install"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("another field manager owns fields of")
            && said.contains(".spec.names.listKind")
            && said.contains("--force-conflicts"),
        "{said}"
    );
    plane.must(&root, &["install", "--force-conflicts"]);
}
