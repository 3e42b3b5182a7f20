//! Tests of a home folder that a machine shares with a container, whose process ids differ from those of the machine,
//! or that a user shares with root.

use crate::support::{Plane, fails, must, opctl, temporary, tool};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

/// The id of the user `nobody`.
const NOBODY: u32 = 65534;

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_container_leaves_the_control_planes_of_its_machine_running() {
    let plane = Plane::start();
    let inside = |arguments: &[&str]| {
        let mut command = tool("unshare");
        command.args(["--pid", "--fork", "--mount-proc"]).arg(opctl(&[]).get_program()).args(arguments);
        command.env("XDG_STATE_HOME", plane.state());
        command
    };
    let listed = must(&mut inside(&["envtest", "list"]));
    assert!(String::from_utf8_lossy(&listed.stderr).contains("runs on another machine, or in another container"));
    for verb in ["start", "stop", "status"] {
        fails(&mut inside(&["envtest", verb]), 3, "control plane `default` runs on another machine");
    }
    let status = must(opctl(&["envtest", "status"]).env("XDG_STATE_HOME", plane.state()));
    let status = String::from_utf8(status.stdout).unwrap();
    let supervisor = status.split_once("supervisor ").unwrap().1.split(',').next().unwrap();
    must(tool("kill").args(["-9", supervisor]));
    // Once the servers have ended, the container may remove what is left of them.
    let begun = std::time::Instant::now();
    while inside(&["envtest", "list"]).output().unwrap().stderr.starts_with(b"warning") {
        assert!(begun.elapsed().as_secs() < 10);
    }
    assert!(!plane.state().join("opctl/envtest/default").exists());
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn files_that_root_makes_in_the_home_folder_of_a_user_are_the_users() {
    let folder = temporary();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    // The user cannot look into root's folders.
    let program = folder.path().join("opctl");
    fs::copy(opctl(&[]).get_program(), &program).unwrap();
    let home = folder.path().join("home");
    fs::create_dir(&home).unwrap();
    chown(&home, Some(NOBODY), Some(NOBODY)).unwrap();
    let servers = must(&mut opctl(&["envtest", "env", "-o", "json"])).stdout;
    let servers: serde_json::Value = serde_json::from_slice(&servers).unwrap();
    let servers = servers["data"]["KUBEBUILDER_ASSETS"].as_str().unwrap();
    let run_as = |user: u32, verb: &str| {
        let mut command = tool("setpriv");
        command.args([&format!("--reuid={user}"), &format!("--regid={user}"), "--clear-groups"]);
        command.arg(&program).args(["envtest", verb]).env("KUBEBUILDER_ASSETS", servers).env("HOME", &home);
        command.env("SUDO_UID", NOBODY.to_string()).env("SUDO_GID", NOBODY.to_string());
        for folder in ["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
            command.env_remove(folder);
        }
        command
    };
    let (root, user) = (|verb| run_as(0, verb), |verb| run_as(NOBODY, verb));

    must(&mut root("start"));
    let state = home.join(".local/state/opctl/envtest");
    // Only the folder that etcd makes is root's.
    assert_eq!(owned_by_root(&home), [state.join("default/etcd")]);
    let status = String::from_utf8(must(&mut user("status")).stdout).unwrap();
    assert!(status.starts_with("default: Kubernetes v"), "{status}");
    must(&mut user("start"));
    fails(&mut user("stop"), 4, "control plane `default` runs as another user, such as root");
    must(&mut user("list"));
    must(&mut root("stop"));
    assert_eq!(owned_by_root(&home), [""; 0].map(PathBuf::from));
    // The user can take the lock.
    must(&mut user("stop"));
}

/// Returns the files and folders below `folder` that belong to root. Does not list the content of a folder that belongs
/// to root.
fn owned_by_root(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let metadata = entry.metadata().unwrap();
        if metadata.uid() == 0 {
            found.push(entry.path());
        } else if metadata.is_dir() {
            found.extend(owned_by_root(&entry.path()));
        }
    }
    found
}
