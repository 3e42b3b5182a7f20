//! Trouble on a node: the operator is killed, the API server is unavailable, or the disk is full.

use super::{all_are_reconciled, image, kubectl, object, on, operator};
use crate::support::{Plane, fails, must, temporary, text, tool, web_servers};
use kube::api::{Api, DeleteParams, DynamicObject, PostParams};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A disk in memory, which is small enough to be filled.
struct Disk(PathBuf);

impl Disk {
    fn mount(folder: &Path) -> Self {
        fs::create_dir(folder).unwrap();
        must(tool("mount").args(["-t", "tmpfs", "-o", "size=2g", "tmpfs"]).arg(folder));
        Disk(folder.to_owned())
    }

    /// Fills the disk of 2 GB except for 18 MB. etcd works with this space, but a kubelet accepts no pods if less than
    /// 1 % of the disk is free.
    fn fill(&self) {
        let left = text(&must(tool("df").args(["--output=avail", "-k"]).arg(&self.0)).stdout);
        let left: u64 = left.lines().nth(1).unwrap().trim().parse().unwrap();
        must(tool("fallocate").arg("-l").arg(format!("{}k", left - 18_000)).arg(self.0.join("filling")));
    }

    fn free(&self) {
        fs::remove_file(self.0.join("filling")).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = tool("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// Creates an object as soon as the webhooks answer, and waits until the operator has reported on it.
async fn works(objects: &Api<DynamicObject>, name: &str) {
    let begun = Instant::now();
    while let Err(error) = objects.create(&PostParams::default(), &object(name)).await {
        assert!(begun.elapsed() < Duration::from_secs(60), "{error}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    all_are_reconciled(objects, &[name.to_owned()]).await;
}

/// Creates an object, and waits until its status gives one of these reasons why its pod does not start.
async fn says_why_a_pod_does_not_start(objects: &Api<DynamicObject>, name: &str, reasons: &[&str]) {
    let mut broken = object(name);
    broken.data["spec"]["replicas"] = json!(1);
    objects.create(&PostParams::default(), &broken).await.unwrap();
    let begun = Instant::now();
    loop {
        let status = objects.get(name).await.unwrap().data["status"].take();
        let mut conditions = status["conditions"].as_array().into_iter().flatten();
        let ready = conditions.find(|condition| condition["type"] == "Ready");
        let message = ready.and_then(|ready| ready["message"].as_str()).unwrap_or_default();
        let why = message.strip_prefix("0 of 1 replicas are ready: ").unwrap_or_default();
        if reasons.iter().any(|reason| why.starts_with(reason)) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{status:#}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    objects.delete(name, &DeleteParams::default()).await.unwrap();
}

/// Waits until the node's condition `DiskPressure`, which reports a full disk, has the status `is`.
fn until_disk_pressure(plane: &Plane, is: &str) {
    for _ in 0..120 {
        let node = kubectl(plane, &["get", "node", "node"]);
        let conditions = node["status"]["conditions"].as_array().unwrap();
        if conditions.iter().any(|condition| condition["type"] == "DiskPressure" && condition["status"] == is) {
            return;
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    panic!("the node does not report DiskPressure={is}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: .ci/long"]
async fn an_operator_goes_on_after_what_happens_to_its_node() {
    let (root, program) = operator();
    // An operator that was killed, and one that was cut off, lead again after this time.
    let manager = root.join("config/manager/manager.yaml");
    let before = fs::read_to_string(&manager).unwrap();
    let shorter = "        - --leader-elect\n        - --leader-election-lease-duration=5s\n";
    fs::write(&manager, before.replace("        - --leader-elect\n", shorter)).unwrap();
    let folder = temporary();
    let disk = Disk::mount(&folder.path().join("disk"));
    let plane = Plane::start_in(TempDir::new_in(&disk.0).unwrap(), &["--node"]);
    let archive = image(&program, "localhost/shop:1", folder.path());
    must(on(&plane, &root, &["envtest", "load"]).arg(&archive));
    let deploy = |timeout: &str| on(&plane, &root, &["deploy", "--image", "localhost/shop:1", "--timeout", timeout]);
    must(&mut deploy("60s"));
    let objects = web_servers(&plane.client().await);
    works(&objects, "at-first").await;
    // The image of the samples is in no registry.
    says_why_a_pod_does_not_start(&objects, "without-image", &["ErrImagePull: ", "ImagePullBackOff: "]).await;
    let run_kubectl = |arguments: &[&str]| must(tool("kubectl").args(arguments).env("KUBECONFIG", &plane.kubeconfig));
    run_kubectl(&["cordon", "node"]);
    says_why_a_pod_does_not_start(&objects, "without-node", &["Unschedulable: 0/1 nodes are available"]).await;
    run_kubectl(&["uncordon", "node"]);

    must(tool("pkill").args(["-9", "-x", "manager"]));
    works(&objects, "after-a-kill").await;

    let status = must(&mut on(&plane, &root, &["envtest", "status", "-o", "json"])).stdout;
    let status: Value = serde_json::from_slice(&status).unwrap();
    let server = status["data"]["processes"]["kube-apiserver"].to_string();
    must(tool("kill").args(["-STOP", &server]));
    tokio::time::sleep(Duration::from_secs(25)).await;
    must(tool("kill").args(["-CONT", &server]));
    works(&objects, "after-the-api-server-was-away").await;

    disk.fill();
    let full = "the disk of the node is full";
    fails(on(&plane, &root, &["envtest", "load"]).arg(&archive), 4, full);
    until_disk_pressure(&plane, "True");
    run_kubectl(&["delete", "pod", "--all", "--wait=false", "--namespace", "shop-operator-system"]);
    let deployed = deploy("20s").output().unwrap();
    let said = text(&deployed.stderr);
    assert_eq!(deployed.status.code(), Some(5), "{said}");
    assert!(said.contains("no node can run the pod: 0/1 nodes are available"), "{said}");
    disk.free();
    until_disk_pressure(&plane, "False");
    must(&mut deploy("90s"));
    works(&objects, "after-the-disk-was-full").await;
}
