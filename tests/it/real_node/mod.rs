//! An operator on a real node, with a kubelet and containerd: its image is loaded, deployed and updated.

mod broken;
mod end_to_end;
mod in_cluster;
mod registry;
mod shared_home;
mod trouble;

use crate::support::{
    Machine, Plane, cargo_in, fails, keep, lay, must, opctl, project, target_folder, temporary, tool, variable,
    web_servers,
};
use kube::api::{Api, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The number of tasks that write objects during an update.
const WRITERS: usize = 50;

/// Makes a project with webhooks, and builds its operator. Returns the paths of the project and of the program.
fn operator() -> (PathBuf, PathBuf) {
    let fresh = temporary();
    lay(&project("shop-operator"), fresh.path());
    must(
        opctl(&["create", "webhook", "--kind", "WebServer", "--defaulting", "--validation"]).current_dir(fresh.path()),
    );
    let root = keep("real-node/shop-operator", fresh.path());
    must(opctl(&["manifests"]).current_dir(&root).env("CARGO_TARGET_DIR", target_folder()));
    must(&mut cargo_in(&root, &["build", "--locked"]));
    (root, target_folder().join("debug/shop-operator"))
}

/// Puts a program and the libraries that it links into an archive of an image, as `docker save` writes it.
fn image(program: &Path, name: &str, folder: &Path) -> PathBuf {
    image_with(program, &[], name, folder)
}

/// Writes an image archive as [`image`] does, for an image that starts the program with these arguments.
fn image_with(program: &Path, arguments: &[&str], name: &str, folder: &Path) -> PathBuf {
    let layer = folder.join("layer");
    let _ = fs::remove_dir_all(&layer);
    fs::create_dir(&layer).unwrap();
    must(tool("strip").arg("-o").arg(layer.join("manager")).arg(program));
    let linked = must(tool("ldd").arg(program));
    for library in String::from_utf8(linked.stdout).unwrap().split_whitespace().filter(|word| word.starts_with('/')) {
        let target = layer.join(library.trim_start_matches('/'));
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(library, target).unwrap();
    }
    let tar = |archive: &Path, from: &Path| {
        must(tool("tar").args(["--owner=0", "--group=0", "-cf"]).arg(archive).arg("-C").arg(from).arg("."));
    };
    let parts = folder.join("parts");
    let _ = fs::remove_dir_all(&parts);
    fs::create_dir(&parts).unwrap();
    tar(&parts.join("layer.tar"), &layer);
    let sum = must(tool("sha256sum").arg(parts.join("layer.tar"))).stdout;
    let digest = String::from_utf8(sum[..64].to_vec()).unwrap();
    let entrypoint = [&["/manager"], arguments].concat();
    let config = json!({
        "architecture": if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" },
        "os": "linux",
        // Images of two names differ, so that a kubelet replaces the pod.
        "config": { "Entrypoint": entrypoint, "User": "65532:65532", "Labels": { "name": name } },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{digest}")] },
    });
    let manifest = json!([{ "Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"] }]);
    fs::write(parts.join("config.json"), config.to_string()).unwrap();
    fs::write(parts.join("manifest.json"), manifest.to_string()).unwrap();
    let archive = folder.join("image.tar");
    tar(&archive, &parts);
    archive
}

/// Calls `command` until the machine has no cgroup and no network interface of a node.
fn until_nothing_is_left(command: impl Fn()) {
    let begun = std::time::Instant::now();
    loop {
        let cgroups = fs::read_dir("/sys/fs/cgroup").unwrap().map(|entry| entry.unwrap().path().join("opctl-node"));
        let others = ["/sys/fs/cgroup/opctl-node".into(), "/sys/class/net/opctl-node".into()];
        let left: Vec<_> = cgroups.chain(others).filter(|path| path.exists()).collect();
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{left:?}");
        command();
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The state that the writers share: the flag that stops them, the number of their calls, and their failures.
#[derive(Default)]
struct Written {
    stop: AtomicBool,
    calls: AtomicUsize,
    failed: Mutex<Vec<String>>,
    /// The names of objects that were made and not deleted.
    left: Mutex<Vec<String>>,
}

impl Written {
    fn note<Answer, Error: std::fmt::Debug>(&self, what: &str, answer: Result<Answer, Error>) -> bool {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let failed = answer.err().map(|error| format!("{what}: {error:?}"));
        let is_done = failed.is_none();
        self.failed.lock().unwrap().extend(failed);
        is_done
    }

    /// Creates objects, changes each of them and deletes most, until the flag `stop` is set.
    async fn write(&self, objects: &Api<DynamicObject>, prefix: &str, writer: usize) {
        for number in 0.. {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let name = format!("{prefix}-{writer}-{number}");
            if !self.note("create", objects.create(&PostParams::default(), &object(&name)).await) {
                continue;
            }
            for port in 2000..2004 {
                tokio::time::sleep(Duration::from_millis(200)).await;
                let change = Patch::Merge(json!({ "spec": { "port": port } }));
                self.note("patch", objects.patch(&name, &PatchParams::default(), &change).await);
            }
            if number % 4 == 0 {
                self.left.lock().unwrap().push(name);
            } else {
                self.note("delete", objects.delete(&name, &DeleteParams::default()).await);
            }
        }
    }
}

/// Returns an object for which the operator makes no pod, so that a test measures the operator and not the kubelet.
fn object(name: &str) -> DynamicObject {
    let metadata = json!({ "name": name, "annotations": { "example.com/created-by": "" } });
    let spec = json!({ "image": "localhost/none:1", "replicas": 0 });
    let object =
        json!({ "apiVersion": "example.com/v1alpha1", "kind": "WebServer", "metadata": metadata, "spec": spec });
    serde_json::from_value(object).unwrap()
}

/// Waits until the operator has reported on the last change of each object, and checks that no object is missing.
async fn all_are_reconciled(objects: &Api<DynamicObject>, names: &[String]) {
    let is_late = |object: &DynamicObject| {
        let observed = object.data["status"]["observedGeneration"].as_i64();
        observed != object.metadata.generation
    };
    let mut late = Vec::new();
    for _ in 0..120 {
        let all = objects.list(&ListParams::default()).await.unwrap().items;
        let there: Vec<_> = all.iter().filter_map(|object| object.metadata.name.clone()).collect();
        let missing: Vec<_> = names.iter().filter(|name| !there.contains(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        for object in &all {
            let annotations = object.metadata.annotations.iter().flatten();
            let is_defaulted =
                annotations.into_iter().any(|(name, value)| name == "example.com/created-by" && !value.is_empty());
            assert!(is_defaulted, "no webhook has seen {:?}", object.metadata.name);
        }
        late = all.into_iter().filter(is_late).collect();
        if late.is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    panic!("{} objects are not reconciled, such as {:#?}", late.len(), late.first());
}

/// Waits until the image of each pod of the operator is `image`.
async fn until_pods_run(plane: &Plane, image: &str) {
    let begun = std::time::Instant::now();
    loop {
        let pods = kubectl(plane, &["get", "pods", "--namespace", "shop-operator-system"]);
        if pods["items"].as_array().unwrap().iter().all(|pod| pod["spec"]["containers"][0]["image"] == image) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{pods:#}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn on(plane: &Plane, root: &Path, arguments: &[&str]) -> Command {
    let mut command = opctl(arguments);
    command.current_dir(root).env("KUBECONFIG", &plane.kubeconfig).env("XDG_STATE_HOME", plane.state());
    command.env("CARGO_TARGET_DIR", target_folder());
    command
}

fn kubectl(plane: &Plane, arguments: &[&str]) -> Value {
    let output = must(tool("kubectl").args(arguments).args(["-o", "json"]).env("KUBECONFIG", &plane.kubeconfig));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn missing_requirements_of_a_node_are_named_before_it_is_created() {
    let folder = temporary();
    let mut start = tool("unshare");
    start.args(["--user", "--map-user=1000", env!("CARGO_BIN_EXE_opctl"), "envtest", "start", "--node"]);
    start.env("XDG_STATE_HOME", folder.path().join("state"));
    fails(&mut start, 4, "error: a node needs root privileges, for mounts and network interfaces");
    let mut lacking = tool("unshare");
    lacking.args(["--user", "--map-root-user", "env"]).arg(format!("PATH={}", folder.path().display()));
    lacking.args([env!("CARGO_BIN_EXE_opctl"), "envtest", "start", "--node"]);
    lacking.env("XDG_STATE_HOME", folder.path().join("state"));
    fails(
        &mut lacking,
        4,
        "error: a node needs programs that are not installed on this machine: `containerd`, `ctr`, `runc`,",
    );
    let said = String::from_utf8(lacking.output().unwrap().stderr).unwrap();
    assert!(said.contains("hint: on Debian: apt-get install containerd runc"), "{said}");
    let mut start = opctl(&["envtest", "start", "--node", "--apiserver-arg=--authorization-mode=RBAC"]);
    fails(&mut start, 2, "`--authorization-mode` is set by opctl");
    let mut load = opctl(&["envtest", "load", "image.tar"]);
    load.env("XDG_STATE_HOME", folder.path().join("state"));
    fails(&mut load, 4, "control plane `default` runs no node");
}

/// Runs `opctl envtest load` for the image `name` with a script in place of the container tool `container_tool`. The
/// script gives opctl the image in `archive`, as the container tool would if it had this image.
fn load_from(container_tool: &str, plane: &Plane, root: &Path, name: &str, archive: &Path) {
    let stored = Machine::new(&[]);
    let script = format!("case \"$1 $4\" in \"save {name}\") cp {} \"$3\";; *) exit 1;; esac", archive.display());
    let tool = stored.program(container_tool, &script);
    let others = variable("PATH").unwrap();
    let path = [tool.parent().unwrap().to_owned()].into_iter().chain(std::env::split_paths(&others));
    let mut load = on(plane, root, &["envtest", "load", name]);
    must(load.env("PATH", std::env::join_paths(path).unwrap()));
}

/// Checks that a node rejects a file that is not an image archive, and that a second node does not start on the
/// machine.
fn mistakes_are_refused(plane: &Plane, root: &Path, folder: &Path) {
    let rubbish = folder.join("rubbish.tar");
    fs::write(&rubbish, "rubbish").unwrap();
    fails(on(plane, root, &["envtest", "load"]).arg(rubbish), 1, "the node rejects the image archive");
    let other = &["envtest", "start", "--name", "other", "--node"];
    fails(
        &mut on(plane, root, other),
        3,
        "this machine can run only one node, and another control plane already runs it",
    );
}

/// Deploys the image while [`WRITERS`] tasks write objects. Returns the state that these tasks share, with their
/// failures.
async fn written_during_an_update(
    plane: &Plane,
    root: &Path,
    objects: &Api<DynamicObject>,
    image: &str,
    prefix: &str,
) -> Written {
    let written = Written::default();
    let writers = (0..WRITERS).map(|writer| written.write(objects, prefix, writer));
    let update = async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        let mut deploy = on(plane, root, &["deploy", "--image", image, "--timeout", "120s"]);
        let deployed = tokio::task::spawn_blocking(move || deploy.output().unwrap()).await.unwrap();
        // The last pod of the old image ends some seconds later.
        until_pods_run(plane, image).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        written.stop.store(true, Ordering::Relaxed);
        assert!(deployed.status.success(), "{}", String::from_utf8_lossy(&deployed.stderr));
    };
    tokio::join!(futures_util::future::join_all(writers), update);
    written
}

fn no_call_failed(plane: &Plane, written: &Written) {
    let (calls, failed) = (written.calls.load(Ordering::Relaxed), written.failed.lock().unwrap());
    let pods = kubectl(plane, &["get", "pods", "--namespace", "shop-operator-system"]);
    let ended: Vec<_> =
        pods["items"].as_array().unwrap().iter().map(|pod| &pod["status"]["containerStatuses"]).collect();
    assert!(failed.is_empty(), "{} of {calls} calls failed, as {}\n{ended:#?}", failed.len(), failed[0]);
    assert!(calls > 500, "{calls} calls");
}

/// Returns the number of pods that have this image and are not being deleted.
fn running(plane: &Plane, image: &str) -> usize {
    let pods = kubectl(plane, &["get", "pods", "--namespace", "shop-operator-system"]);
    let has_image = |pod: &&Value| pod["spec"]["containers"][0]["image"] == image;
    let stays = |pod: &&Value| pod["metadata"]["deletionTimestamp"].is_null();
    pods["items"].as_array().unwrap().iter().filter(has_image).filter(stays).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: .ci/long"]
async fn an_update_of_the_operator_loses_no_call_and_no_write() {
    let (root, program) = operator();
    let folder = temporary();
    let plane = Plane::start_with(&["--node"]);
    let images = ["localhost/shop:1", "localhost/shop:2", "localhost/shop:3"];
    let archive = |name: &str| image(&program, name, folder.path());
    must(on(&plane, &root, &["envtest", "load"]).arg(archive(images[0])));
    load_from("docker", &plane, &root, images[1], &archive(images[1]));
    // Podman keeps another name of the image.
    load_from("podman", &plane, &root, images[2], &archive(images[2]));
    let manager = root.join("config/manager/manager.yaml");
    let one = fs::read_to_string(&manager).unwrap();
    must(&mut on(&plane, &root, &["deploy", "--image", images[0], "--timeout", "90s"]));
    mistakes_are_refused(&plane, &root, folder.path());
    let objects = web_servers(&plane.client().await);
    // Objects of other names: the garbage collector may not have removed the Deployments of earlier ones yet.
    for (replicas, image, prefix) in [("replicas: 1", images[1], "first"), ("replicas: 2", images[2], "second")] {
        fs::write(&manager, one.replace("replicas: 1", replicas)).unwrap();
        let written = written_during_an_update(&plane, &root, &objects, image, prefix).await;
        no_call_failed(&plane, &written);
        all_are_reconciled(&objects, &written.left.into_inner().unwrap()).await;
        assert_eq!(format!("replicas: {}", running(&plane, image)), replicas);
        for name in objects.list(&ListParams::default()).await.unwrap() {
            let name = name.metadata.name.unwrap();
            objects.delete(&name, &DeleteParams::default()).await.unwrap();
        }
    }
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn nothing_is_left_of_a_node_that_was_killed() {
    let plane = Plane::start_with(&["--node"]);
    let status = must(opctl(&["envtest", "status", "-o", "json"]).env("XDG_STATE_HOME", plane.state()));
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    let status = &status["data"];
    assert_eq!(status["node"], true, "{status}");
    must(tool("kill").args(["-9", &status["processes"]["supervisor"].to_string()]));
    // Each command removes what the kernel has left. The killed process may not have ended when the first one begins.
    until_nothing_is_left(|| drop(must(opctl(&["envtest", "list"]).env("XDG_STATE_HOME", plane.state()))));
    let mut below = opctl(&["envtest", "start", "--node"]);
    fails(below.env("XDG_STATE_HOME", "/run/opctl-tests"), 4, "a node cannot keep its state in `/run/opctl-tests/");
    fs::remove_dir_all("/run/opctl-tests").unwrap();
    must(tool("ip").args(["route", "add", "10.251.7.0/24", "dev", "lo"]));
    let mut start = opctl(&["envtest", "start", "--node"]);
    start.env("XDG_STATE_HOME", plane.state());
    let output = start.output().unwrap();
    must(tool("ip").args(["route", "del", "10.251.7.0/24", "dev", "lo"]));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the addresses `10.251.0.0/16` of the node are in use"), "{said}");
}
