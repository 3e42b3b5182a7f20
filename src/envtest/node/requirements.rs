//! Checks that this machine has all that a node needs.

use super::network;
use crate::envtest::node_lock;
use crate::system;
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// The programs, of the packages that the hint names.
const PROGRAMS: [&str; 7] = ["containerd", "ctr", "runc", "iptables", "ip", "nsenter", "unshare"];

/// The folders in which distributions install the plugins of CNI (<https://www.cni.dev>).
const PLUGINS: [&str; 3] = ["/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni"];

/// The plugins that the node's network needs.
const PLUGIN_NAMES: [&str; 4] = ["bridge", "host-local", "loopback", "portmap"];

/// Fails with one error that names all that is missing.
/// `directory` is the folder of the control plane.
pub(in crate::envtest) fn check(directory: &Path) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Err(Error::environment("a node needs Linux")
            .hint("opctl envtest start --simulate-nodes    # without containers"));
    }
    if !system::is_root() {
        return Err(Error::environment("a node needs the rights of root, for mounts and network interfaces")
            .hint("run the same command by sudo, with your own folders: sudo --preserve-env=HOME,PATH opctl envtest start --node\nor, without containers: opctl envtest start --simulate-nodes"));
    }
    if directory.starts_with("/run") {
        return Err(Error::environment(format!("a node cannot keep its state in `{}`", directory.display()))
            .caused_by("the node has a `/run` of its own")
            .hint("keep the state elsewhere: export XDG_STATE_HOME=\"$PWD/.state\""));
    }
    let mut missing: Vec<_> = PROGRAMS.into_iter().filter(|name| find(name).is_none()).collect();
    if plugins().is_none() {
        missing.push("the plugins of CNI");
    }
    if missing.is_empty() {
        // The process that runs the node takes the lock again.
        node_lock::take()?;
        return network::check();
    }
    let names: Vec<_> = missing.iter().map(|name| format!("`{name}`")).collect();
    Err(Error::environment(format!("a node needs {}, which this machine lacks", names.join(", "))).hint(
        "on Debian: apt-get install containerd runc containernetworking-plugins iptables iproute2 util-linux\nor, without containers: opctl envtest start --simulate-nodes",
    ))
}

/// Returns the folder with the plugins of CNI.
pub(super) fn plugins() -> Option<&'static Path> {
    let is_whole = |folder: &&Path| PLUGIN_NAMES.iter().all(|name| folder.join(name).is_file());
    PLUGINS.iter().map(Path::new).find(is_whole)
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}
