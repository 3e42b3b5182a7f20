//! What a node needs of this machine.

use super::network;
use crate::error::hint;
use crate::system;
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// The programs, each with Debian's package.
const PROGRAMS: [(&str, &str); 7] = [
    ("containerd", "containerd"),
    ("ctr", "containerd"),
    ("runc", "runc"),
    ("iptables", "iptables"),
    ("ip", "iproute2"),
    ("nsenter", "util-linux"),
    ("unshare", "util-linux"),
];

/// The folders in which distributions install the plugins of CNI (<https://www.cni.dev>).
const PLUGINS: [&str; 3] = ["/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni"];

/// The plugins that the node's network needs.
const PLUGIN_NAMES: [&str; 4] = ["bridge", "host-local", "loopback", "portmap"];

/// Fails with one error that names all that is missing.
pub(in crate::envtest) fn check() -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Err(Error::environment("a node needs Linux")
            .hint("opctl envtest start --simulate-nodes    # without containers"));
    }
    if !system::is_root() {
        return Err(Error::environment("a node needs the rights of root, for mounts and network interfaces")
            .hint("run the same command by sudo, with your own folders: sudo --preserve-env=HOME,PATH opctl envtest start --node\nor, without containers: opctl envtest start --simulate-nodes"));
    }
    let is_there = |name: &str| find(name).is_some();
    let mut missing: Vec<_> = PROGRAMS.into_iter().filter(|(name, _)| !is_there(name)).collect();
    if plugins().is_none() {
        missing.push(("the plugins of CNI", "containernetworking-plugins"));
    }
    if missing.is_empty() {
        return network::check();
    }
    let names: Vec<_> = missing.iter().map(|(name, _)| format!("`{name}`")).collect();
    let mut packages: Vec<_> = missing.iter().map(|(_, package)| *package).collect();
    packages.dedup();
    let packages = packages.join(" ");
    Err(Error::environment(format!("a node needs {}, which this machine lacks", names.join(", "))).hint(hint!(
        "apt-get install {packages}    # Debian's names\nor, without containers: opctl envtest start --simulate-nodes",
        packages
    )))
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
