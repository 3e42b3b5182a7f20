//! An operator of `testdata/golden` as a process, and the objects that it reconciles.

use super::{Plane, cargo, must, target_folder, tool};
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject};
use kube::core::GroupVersionKind;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// The process of an operator. It is killed when it is dropped.
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
        let child = tool(program)
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

    /// Returns true if the process has not ended.
    pub(crate) fn runs(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Sends a signal, such as `STOP`.
    pub(crate) fn signal(&self, name: &str) {
        must(tool("kill").args([&format!("-{name}"), &self.0.id().to_string()]));
    }

    /// Stops the operator as a kubelet would, and returns its exit code.
    pub(crate) fn stop(self) -> Option<i32> {
        self.signal("TERM");
        self.ended()
    }

    /// Waits until the operator ends, and returns its exit code.
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

/// Returns the status and message of the object's first condition, which is Ready, and the observed generation.
pub(crate) fn ready(object: &DynamicObject) -> (String, String, i64) {
    let condition = &object.data["status"]["conditions"][0];
    let text = |key: &str| condition[key].as_str().unwrap_or_default().to_owned();
    (text("status"), text("message"), object.data["status"]["observedGeneration"].as_i64().unwrap_or_default())
}

/// Returns true if a scaffolded controller has reported on the object without an error: the object is ready, or the
/// message says what the scaffold does not do yet.
pub(crate) fn reported(object: &DynamicObject) -> bool {
    let (status, message, _) = ready(object);
    status == "True" || message.contains(" yet")
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
