//! Tests that the node pulls images from a registry on this machine.

use super::{kubectl, on, operator, until_nothing_is_left};
use crate::support::{Plane, fails, must, opctl, temporary, tool, variable, with_network};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::Path;

const IMAGE: &str = "localhost:5917/shop:1";

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_node_pulls_from_the_registry_of_this_machine() {
    let (root, _) = operator();
    let state = temporary();
    // A machine that has all that a node needs, and no registry.
    let path = variable("PATH").unwrap();
    let find = |name: &str| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file());
    for name in ["containerd", "ctr", "runc", "iptables", "ip", "nsenter", "unshare"] {
        symlink(find(name).unwrap(), state.path().join(name)).unwrap();
    }
    let start = |path: &Path, words: &[&str]| {
        let mut start = opctl(&["envtest", "start", "--node"]);
        start.args(words).env("XDG_STATE_HOME", state.path().join("state")).env("PATH", path);
        start
    };
    fails(&mut start(state.path(), &["--registry"]), 4, "a registry needs `docker-registry`, which this machine lacks");
    let crio = &["--container-runtime", "cri-o"];
    fails(
        &mut start(state.path(), crio),
        4,
        "a node needs programs that are not installed on this machine: `crio`, `conmon`, `pinns`, `skopeo`",
    );
    {
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let taken = format!("--registry={}", other.local_addr().unwrap().port());
        let mut start = start(Path::new(&path), &[&taken]);
        fails(&mut start, 4, "the registry cannot use port");
    }

    let noted = || std::fs::read_dir("/var/lib/cni/results").into_iter().flatten().count();
    let noted_before = noted();
    let plane = Plane::start_with(&["--node", "--registry=5917"]);
    let build = ["build", "--image", IMAGE, "--local", "--profile", "dev", "--push"];
    must(with_network(&mut on(&plane, &root, &build)));
    must(&mut on(&plane, &root, &["deploy", "--image", IMAGE, "--timeout", "60s"]));
    let pods = kubectl(&plane, &["get", "pods", "--namespace", "shop-operator-system"]);
    assert_eq!(pods["items"][0]["status"]["containerStatuses"][0]["image"], IMAGE, "{pods:#}");
    let said = must(&mut on(&plane, &root, &["envtest", "status"])).stdout;
    assert!(String::from_utf8(said).unwrap().contains("registry    localhost:5917"));
    let other = ["envtest", "start", "--node", "--registry=5918"];
    fails(&mut on(&plane, &root, &other), 3, "control plane `default` is already running, but without this registry");
    let other = ["envtest", "start", "--node", "--container-runtime", "cri-o"];
    fails(
        &mut on(&plane, &root, &other),
        3,
        "control plane `default` is already running, but with another container runtime",
    );
    assert_eq!(noted(), noted_before, "the networks of its pods are noted outside of the node");
    let small = temporary();
    must(tool("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(small.path()));
    let mut load = on(&plane, &root, &["envtest", "load", "web:1"]);
    fails(load.env("TMPDIR", small.path()), 4, "the disk has no room for the image `web:1` in `");
    must(tool("umount").arg(small.path()));
    // A pod runs. Its node writes files while the folder is removed, so that some may stay.
    let _ = std::fs::remove_dir_all(plane.state().join("opctl/envtest/default"));
    until_nothing_is_left(|| {});
}
