//! The cgroup of the node, which holds those of its pods.

use super::node_lock;
use crate::error::file_error;
use crate::reading::{self, Limit};
use crate::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The file by which a folder is known to be that of a control plane with a node: the configuration of the kubelet.
pub(super) const MARK: &str = "kubelet.yaml";

/// The name of the cgroup: another kubelet on this machine has its pods elsewhere.
pub(super) const CGROUP: &str = "opctl-node";

const ROOT: &str = "/sys/fs/cgroup";

/// The controllers without which a kubelet does not start (`cgroupManagerImpl.Validate` in Kubernetes).
const CONTROLLERS: [&str; 5] = ["cpu", "cpuset", "hugetlb", "memory", "pids"];

/// Returns the cgroup in each hierarchy: the only one of cgroup v2, or those of v1.
fn all() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    if root.join("cgroup.controllers").is_file() {
        return vec![root.join(CGROUP)];
    }
    let folders = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    // Some hierarchies have a second name, a link.
    let hierarchies = folders.filter(|path| !path.is_symlink() && path.join("cgroup.procs").is_file());
    hierarchies.map(|path| path.join(CGROUP)).collect()
}

/// Fails if CRI-O could start no container: on cgroup v1, runc sets limits of huge pages for it, which containerd leaves
/// out if they cannot be set.
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

/// Makes the cgroup.
pub(super) fn make() -> Result<()> {
    let all = all();
    delegate()?;
    if all.is_empty() {
        return Err(Error::environment(format!("this machine has no cgroups at `{ROOT}`"))
            .hint("opctl envtest start --simulate-nodes    # without containers"));
    }
    for path in all {
        fs::create_dir_all(&path).map_err(|error| file_error("make the cgroup", &path, &error))?;
    }
    Ok(())
}

/// Lets the cgroup have the controllers that the kubelet asks for, where the root of cgroup v2 has them.
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

/// Removes the cgroup and those below it, once their processes have ended. Returns false if some have not after `patience`.
/// Another control plane's node that runs keeps the cgroup and removes it at its end.
pub(super) fn remove(patience: Duration) -> bool {
    let begun = Instant::now();
    // An interrupt ends this process while it runs the node.
    let is_own = node_lock::is_held();
    let mut lock = None;
    loop {
        // A killed process counts as ended while one of its threads still holds the lock.
        lock = lock.or_else(|| node_lock::take().ok());
        let all = all();
        let is_of_another = !is_own && lock.is_none();
        if !is_of_another {
            for path in &all {
                remove_below(path);
            }
        }
        let removed = !all.iter().any(|path| path.exists());
        if removed || begun.elapsed() >= patience {
            return removed || is_of_another;
        }
        std::thread::sleep(Duration::from_millis(20));
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
