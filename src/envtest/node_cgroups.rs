//! The cgroup of the node, which contains the cgroups of the node's pods.

use super::node_lock::{self, NodeLock};
use crate::error::file_error;
use crate::reading::{self, Limit};
use crate::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The kubelet's configuration file, which exists only in the folder of a control plane with a real node.
pub(super) const MARK: &str = "kubelet.yaml";

/// The name of the node's cgroup, which differs from the cgroup of another kubelet on this machine.
pub(super) const CGROUP: &str = "opctl-node";

const ROOT: &str = "/sys/fs/cgroup";

/// The maximum time to wait until the kernel has ended the processes of a node.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// The cgroup controllers that a kubelet needs to start (`cgroupManagerImpl.Validate` in Kubernetes).
const CONTROLLERS: [&str; 5] = ["cpu", "cpuset", "hugetlb", "memory", "pids"];

/// Returns the folder of the node's cgroup in each hierarchy: one for cgroup v2, several for cgroup v1.
fn cgroup_folders() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    if root.join("cgroup.controllers").is_file() {
        return vec![root.join(CGROUP)];
    }
    let folders = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    // Some hierarchies have a second name, a link.
    let hierarchies = folders.filter(|path| !path.is_symlink() && path.join("cgroup.procs").is_file());
    hierarchies.map(|path| path.join(CGROUP)).collect()
}

/// Fails if CRI-O cannot start containers on this machine, because the machine has cgroup v1 and the cgroup controller
/// `hugetlb` is missing. With CRI-O on cgroup v1, runc sets limits for huge pages, and fails if `hugetlb` is missing.
/// With containerd, runc gets no limits for huge pages if `hugetlb` is missing.
pub(super) fn check_for_crio() -> Result<()> {
    check_huge_pages(Path::new(ROOT))
}

fn check_huge_pages(root: &Path) -> Result<()> {
    if root.join("cgroup.controllers").is_file() || root.join("hugetlb/cgroup.procs").is_file() {
        return Ok(());
    }
    Err(Error::environment("CRI-O needs the cgroup controller `hugetlb`, which is not mounted").hint(
        "mkdir /sys/fs/cgroup/hugetlb && mount -t cgroup -o hugetlb cgroup /sys/fs/cgroup/hugetlb\nor, without containers: opctl envtest start --simulate-nodes",
    ))
}

/// The cgroup of a node that this process runs. Dropping this value removes the cgroup; the node's processes must be
/// killed before the drop.
#[derive(Debug)]
pub(super) struct NodeCgroup {
    _lock: NodeLock,
}

impl Drop for NodeCgroup {
    fn drop(&mut self) {
        // The folder of the control plane may be gone, and with it what a later command would know of the cgroup.
        remove_within(PATIENCE);
    }
}

/// Creates the cgroup of the node. `lock` is held as long as the cgroup exists.
pub(super) fn make(lock: NodeLock) -> Result<NodeCgroup> {
    let cgroup = NodeCgroup { _lock: lock };
    let all = cgroup_folders();
    delegate()?;
    if all.is_empty() {
        return Err(Error::environment(format!("this machine has no cgroups at `{ROOT}`"))
            .hint("opctl envtest start --simulate-nodes    # without containers"));
    }
    for path in all {
        fs::create_dir_all(&path).map_err(|error| file_error("make the cgroup", &path, &error))?;
    }
    Ok(cgroup)
}

/// Enables the cgroup controllers that the kubelet needs, if the root of cgroup v2 has them. The controllers stay
/// enabled after the node has ended, because other programs may have begun to depend on them. Container engines do not
/// disable these controllers either.
fn delegate() -> Result<()> {
    let root = Path::new(ROOT);
    let known = reading::text(root.join("cgroup.controllers"), Limit::Settings).unwrap_or_default();
    let wanted = known.split_whitespace().filter(|name| CONTROLLERS.contains(name));
    let wanted: Vec<_> = wanted.map(|name| format!("+{name}")).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let file = root.join("cgroup.subtree_control");
    fs::write(&file, wanted.join(" ")).map_err(|error| file_error("write", &file, &error))
}

/// Removes the cgroup left by the node of the control plane in `directory`, but not the cgroup of another control
/// plane's node. Returns false if processes in the cgroup have not ended after `patience`.
pub(super) fn remove(directory: &Path, patience: Duration) -> bool {
    // An interrupt ends this process while it runs the node.
    if node_lock::is_held_for(directory) {
        return remove_within(patience);
    }
    let begun = Instant::now();
    loop {
        if let Ok(_lock) = node_lock::take(directory) {
            return remove_within(patience.saturating_sub(begun.elapsed()));
        }
        // A killed process counts as ended while one of its threads still holds the lock.
        if !cgroup_folders().iter().any(|path| path.exists()) || begun.elapsed() >= patience {
            return true;
        }
        std::thread::sleep(RETRY_INTERVAL);
    }
}

/// Removes the cgroup and its descendants. Returns false if processes in them have not ended after `patience`.
fn remove_within(patience: Duration) -> bool {
    let begun = Instant::now();
    loop {
        let all = cgroup_folders();
        for path in &all {
            remove_below(path);
        }
        if !all.iter().any(|path| path.exists()) {
            return true;
        }
        if begun.elapsed() >= patience {
            return false;
        }
        std::thread::sleep(RETRY_INTERVAL);
    }
}

fn remove_below(path: &Path) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_below(&entry.path());
        }
    }
    // The kernel refuses to remove a cgroup with processes.
    let _ = fs::remove_dir(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crio_needs_huge_pages_of_cgroup_v1() {
        let root = tempfile::tempdir().unwrap();
        let error = check_huge_pages(root.path()).unwrap_err();
        assert_eq!(error.message(), "CRI-O needs the cgroup controller `hugetlb`, which is not mounted");
        for file in ["cgroup.controllers", "hugetlb/cgroup.procs"] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            assert!(check_huge_pages(root.path()).is_ok(), "{file}");
            fs::remove_file(path).unwrap();
        }
    }
}
