//! `opctl run --in-cluster` on the node of this machine.

use super::{kubectl, on};
use crate::support::{Machine, Plane, keep, must, project, separate_target_folder, temporary, tool, with_network};
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_change_of_a_source_runs_in_the_cluster() {
    let root = keep("in-cluster/shop-operator", &project("shop-operator"));
    let (folder, plane) = (temporary(), Plane::start_with(&["--node"]));
    let log = folder.path().join("log");
    let output = fs::File::create(&log).unwrap();
    let mut run = on(&plane, &root, &["run", "--in-cluster", "--load", "node", "--watch"]);
    run.env("CARGO_TARGET_DIR", separate_target_folder("in-cluster"));
    with_network(&mut run).stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output);
    let mut run = run.spawn().unwrap();
    let mut wait = |texts: &[&str]| {
        let begun = Instant::now();
        loop {
            let said = fs::read_to_string(&log).unwrap();
            if texts.iter().try_fold(&said[..], |rest, text| Some(rest.split_once(text)?.1)).is_some() {
                return;
            }
            assert!(run.try_wait().unwrap().is_none() && begun.elapsed().as_secs() < 400, "not {texts:?}:\n{said}");
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    let image = || {
        let deployments = kubectl(&plane, &["get", "deployments", "--namespace", "shop-operator-system"]);
        deployments["items"][0]["spec"]["template"]["spec"]["containers"][0]["image"].as_str().unwrap().to_owned()
    };
    let first = ["$ opctl manifests", "$ opctl envtest load", "$ opctl deploy --image localhost/shop-operator:dev-"];
    let first = [&first[..], &["Running in the cluster", "leading"]].concat();
    wait(&first);
    let before = image();

    let main = root.join("src/main.rs");
    let text = fs::read_to_string(&main).unwrap();
    let changed = text.replacen(
        "fn main() -> anyhow::Result<()> {\n",
        "fn main() -> anyhow::Result<()> {\n    eprintln!(\"another operator\");\n",
        1,
    );
    assert_ne!(text, changed);
    fs::write(&main, changed).unwrap();
    // The log of the new pod comes before or after the end of its deployment.
    for text in ["another operator", "Running in the cluster"] {
        wait(&[&first[..], &["Changed src/main.rs", text]].concat());
    }
    assert_ne!(image(), before);

    must(tool("kill").args(["-INT", &run.id().to_string()]));
    let status = run.wait().unwrap();
    let said = fs::read_to_string(&log).unwrap();
    assert_eq!(status.code(), Some(130), "{said}");
    assert!(said.contains("the operator keeps running in the cluster until `opctl undeploy`"), "{said}");
    must(&mut on(&plane, &root, &["undeploy"]));
}

#[test]
fn an_image_without_a_way_into_the_cluster_is_refused() {
    let machine = Machine::new(&[]);
    let refused = |words: &[&str], told: &str| machine.fails(&[&["run"], words].concat(), 2, told);
    refused(&["--in-cluster"], "`opctl run --in-cluster` needs `--load` or `--image`");
    refused(&["--load", "node"], "the following required arguments were not provided");
    refused(&["--in-cluster", "--load", "node", "--envtest"], "cannot be used with");
    refused(&["--in-cluster", "--image", "example.com/web:1"], "`example.com/web:1` has a tag");
    refused(&["--in-cluster", "--image", "Web"], "`Web` is not a valid image reference");
}
