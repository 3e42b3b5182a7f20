//! `opctl run`: the operator against a cluster, and how it ends.

use crate::support::{
    Plane, must, opctl, project, reported, separate_target_folder, temporary, tool, until, web_servers,
};
use kube::api::{DynamicObject, Patch, PatchParams};
use std::process::Stdio;

#[tokio::test]
async fn an_operator_runs_until_it_is_interrupted() {
    let plane = Plane::start();
    let root = project("webserver-operator");
    // In the folder of the golden projects, cargo waits for the builds of all other tests.
    let target = separate_target_folder("watched");
    let temporary = temporary();
    let log = temporary.path().join("log");
    let output = std::fs::File::create(&log).unwrap();
    let mut opctl = opctl(&["run", "--context", "envtest", "--", "--health-probe-bind-address", "127.0.0.1:0"]);
    opctl.current_dir(&root).env("KUBECONFIG", &plane.kubeconfig).env("CARGO_TARGET_DIR", target);
    opctl.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output);
    let mut opctl = opctl.spawn().unwrap();

    let client = plane.client().await;
    let api = web_servers(&client);
    let text = std::fs::read_to_string(root.join("config/samples/v1alpha1_webserver.yaml")).unwrap();
    let sample: DynamicObject = serde_yaml::from_str(&text).unwrap();
    let name = sample.metadata.name.clone().unwrap();
    // The other test of this file compiles into the same folder.
    said(&mut opctl, &log, &["$ opctl install"]);
    let start = std::time::Instant::now();
    while api.patch(&name, &PatchParams::apply("test"), &Patch::Apply(&sample)).await.is_err() {
        let text = || std::fs::read_to_string(&log).unwrap();
        assert!(opctl.try_wait().unwrap().is_none() && start.elapsed().as_secs() < 60, "{}", text());
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    // Likewise for `cargo run`.
    said(&mut opctl, &log, &["$ cargo run", "serving"]);
    until(&api, &name, &log, reported).await;

    must(tool("kill").args(["-INT", &opctl.id().to_string()]));
    let status = opctl.wait().unwrap();
    let said = std::fs::read_to_string(&log).unwrap();
    assert_eq!(status.code(), Some(130), "{status}\n{said}");
    assert!(said.contains("$ opctl manifests") && said.contains("$ opctl install"), "{said}");
    assert!(said.contains("stopping") && said.contains("the operator has stopped"), "it ends in order: {said}");
}

/// Waits until opctl has printed all of `texts` in this order. Returns its output so far.
fn said(opctl: &mut std::process::Child, log: &std::path::Path, texts: &[&str]) -> String {
    let start = std::time::Instant::now();
    loop {
        let said = std::fs::read_to_string(log).unwrap();
        let found = texts.iter().try_fold(&said[..], |rest, text| Some(rest.split_once(text)?.1));
        if found.is_some() {
            return said;
        }
        assert!(opctl.try_wait().unwrap().is_none() && start.elapsed().as_secs() < 300, "not {texts:?}:\n{said}");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

#[test]
fn a_watched_operator_is_built_anew_and_goes_on_when_that_fails() {
    let folder = temporary();
    let root = crate::support::keep("watched", &project("webserver-operator"));
    let log = folder.path().join("log");
    let output = std::fs::File::create(&log).unwrap();
    let mut command = opctl(&["run", "--envtest", "--watch", "--", "--health-probe-bind-address", "127.0.0.1:0"]);
    command.current_dir(&root).env("XDG_STATE_HOME", folder.path());
    command.env("CARGO_TARGET_DIR", separate_target_folder("watched"));
    let mut opctl = command.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output).spawn().unwrap();
    let first = said(
        &mut opctl,
        &log,
        &["$ opctl manifests", "$ opctl install", "$ cargo build", "Running webserver-operator"],
    );

    let (file, change) = (root.join("src/main.rs"), |text: &str| {
        let before = std::fs::read_to_string(root.join("src/main.rs")).unwrap();
        std::fs::write(root.join("src/main.rs"), format!("{before}{text}")).unwrap();
    });
    let before = std::fs::read_to_string(&file).unwrap();
    change("\nfn broken( {\n");
    let broken = ["Changed src/main.rs", "error: the operator does not compile", "the previous operator keeps running"];
    let told = said(&mut opctl, &log, &broken);
    let process = first.rsplit_once("(process ").unwrap().1.split(')').next().unwrap();
    assert!(std::path::Path::new("/proc").join(process).exists(), "{told}");

    std::fs::write(&file, before).unwrap();
    change("\n#[allow(dead_code)]\nfn another() {}\n");
    let fixed = [&broken[..], &["Changed src/main.rs", "Stopping process", "Running webserver-operator"]].concat();
    let told = said(&mut opctl, &log, &fixed);
    assert!(told.contains(&format!("Stopping process {process}")) && told.contains("stopping"), "{told}");
    let line = told.lines().rfind(|line| line.contains("Running webserver-operator")).unwrap();
    assert!(line.contains("), built in ") && line.ends_with(" s after src/main.rs"), "{line}");

    must(tool("kill").args(["-INT", &opctl.id().to_string()]));
    let status = opctl.wait().unwrap();
    let told = std::fs::read_to_string(&log).unwrap();
    assert!(status.code() == Some(130) && told.contains("the operator has stopped"), "{status}\n{told}");
    let left = std::fs::read_dir(folder.path().join("opctl/envtest")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).filter(|name| name != ".locks").collect();
    assert!(left.is_empty(), "{left:?}");
}
