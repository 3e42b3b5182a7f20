//! `opctl run`: the operator against a cluster, and its end.

use crate::golden::{cargo, must, project};
use crate::life::{Plane, ready, until, web_servers};
use kube::api::{DynamicObject, Patch, PatchParams};
use std::process::{Command, Stdio};

#[tokio::test]
async fn an_operator_runs_until_it_is_interrupted() {
    let plane = Plane::start();
    let root = project("webserver-operator");
    must(&mut cargo("webserver-operator", &["build", "--locked"]));
    let temporary = tempfile::tempdir().unwrap();
    let log = temporary.path().join("log");
    let output = std::fs::File::create(&log).unwrap();
    let mut opctl = Command::new(env!("CARGO_BIN_EXE_opctl"));
    opctl.args(["run", "--context", "envtest", "--", "--health-probe-bind-address", "127.0.0.1:0"]);
    opctl
        .current_dir(&root)
        .env("KUBECONFIG", &plane.kubeconfig)
        .env("CARGO_TARGET_DIR", crate::golden::target_folder());
    opctl.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output);
    let mut opctl = opctl.spawn().unwrap();

    let client = plane.client().await;
    let api = web_servers(&client);
    let text = std::fs::read_to_string(root.join("config/samples/v1alpha1_webserver.yaml")).unwrap();
    let sample: DynamicObject = serde_yaml::from_str(&text).unwrap();
    let name = sample.metadata.name.clone().unwrap();
    // The definition is installed by the same command.
    let start = std::time::Instant::now();
    while api.patch(&name, &PatchParams::apply("test"), &Patch::Apply(&sample)).await.is_err() {
        let said = || std::fs::read_to_string(&log).unwrap();
        assert!(opctl.try_wait().unwrap().is_none() && start.elapsed().as_secs() < 60, "{}", said());
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    until(&api, &name, &log, |object| ready(object).0 == "True").await;

    must(Command::new("kill").args(["-INT", &opctl.id().to_string()]));
    let status = opctl.wait().unwrap();
    let said = std::fs::read_to_string(&log).unwrap();
    assert!(status.success(), "{status}\n{said}");
    assert!(said.contains("$ opctl manifests") && said.contains("$ opctl install"), "{said}");
    assert!(said.contains("stopping") && said.contains("the operator has stopped"), "it ends in order: {said}");
}
