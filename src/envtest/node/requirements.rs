//! Checks that this machine meets the requirements of a node.

use super::network;
use crate::envtest::container_runtime::ContainerRuntime;
use crate::envtest::{node_cgroups, node_lock};
use crate::system;
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// The programs that each node needs. The hint in [`check`] names their packages.
const PROGRAMS: [&str; 4] = ["iptables", "ip", "nsenter", "unshare"];

/// Returns the programs that a container runtime needs.
fn programs_of(runtime: ContainerRuntime) -> &'static [&'static str] {
    match runtime {
        ContainerRuntime::Containerd => &["containerd", "ctr", "runc"],
        ContainerRuntime::CriO => &["crio", "conmon", "pinns", "runc", "skopeo"],
    }
}

/// A folder in which CRI-O packages install helper programs.
const HELPERS: &str = "/usr/libexec/crio";

/// The folders in which distributions install the CNI plugins (<https://www.cni.dev>).
const PLUGINS: [&str; 3] = ["/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni"];

/// The CNI plugins that the node's network needs.
const PLUGIN_NAMES: [&str; 4] = ["bridge", "host-local", "loopback", "portmap"];

/// Fails if this machine lacks something that a node needs; one error names all missing programs. `directory` is
/// the folder of the control plane. Returns the container runtime `wanted` or, if `wanted` is `None`, the first
/// installed container runtime.
pub(in crate::envtest) fn check(directory: &Path, wanted: Option<ContainerRuntime>) -> Result<ContainerRuntime> {
    if !cfg!(target_os = "linux") {
        return Err(Error::environment("a node needs Linux")
            .hint("opctl envtest start --simulate-nodes    # without containers"));
    }
    if !system::is_root() {
        return Err(Error::environment("a node needs root privileges, for mounts and network interfaces").hint(
            "run the same command with sudo and your own folders: sudo env \"HOME=$HOME\" \"PATH=$PATH\" opctl \
             envtest start --node\nor, without containers: opctl envtest start --simulate-nodes",
        ));
    }
    if directory.starts_with("/run") {
        return Err(Error::environment(format!("a node cannot keep its state in `{}`", directory.display()))
            .caused_by("the node mounts its own `/run`, which hides all files in the `/run` of this machine")
            .hint("keep the state elsewhere: export XDG_STATE_HOME=\"$PWD/.state\""));
    }
    let is_missing = |name: &&str| find(name).is_none();
    let is_there = |runtime: &ContainerRuntime| !is_missing(&programs_of(*runtime)[0]);
    let found = [ContainerRuntime::Containerd, ContainerRuntime::CriO].into_iter().find(is_there);
    let runtime = wanted.or(found).unwrap_or_default();
    let programs = programs_of(runtime).iter().chain(&PROGRAMS).copied();
    let mut missing: Vec<_> = programs.filter(is_missing).collect();
    if plugins().is_none() {
        missing.push("the CNI plugins");
    }
    if missing.is_empty() {
        if runtime == ContainerRuntime::CriO {
            node_cgroups::check_for_crio()?;
        }
        // The process that runs the node takes the lock again.
        node_lock::take(directory)?;
        return network::check().map(|()| runtime);
    }
    let names: Vec<_> = missing.iter().map(|name| format!("`{name}`")).collect();
    let error = Error::environment(format!(
        "a node needs programs that are not installed on this machine: {}",
        names.join(", ")
    ));
    let error =
        if missing.contains(&"crio") { error.caused_by("CRI-O is available at https://cri-o.io") } else { error };
    Err(error.hint(match runtime {
        ContainerRuntime::Containerd => {
            "on Debian: apt-get install containerd runc containernetworking-plugins iptables iproute2 util-linux\nor, without containers: opctl envtest start --simulate-nodes"
        }
        // Debian has no CRI-O.
        ContainerRuntime::CriO => {
            "on Debian: apt-get install conmon runc skopeo containernetworking-plugins iptables iproute2 util-linux\nor, without containers: opctl envtest start --simulate-nodes"
        }
    }))
}

/// Returns the folder that contains the CNI plugins.
pub(super) fn plugins() -> Option<&'static Path> {
    let is_whole = |folder: &&Path| PLUGIN_NAMES.iter().all(|name| folder.join(name).is_file());
    PLUGINS.iter().map(Path::new).find(is_whole)
}

/// Returns the path of a program on the `PATH`, or of a helper program of CRI-O in [`HELPERS`].
pub(super) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let helpers = Some(PathBuf::from(HELPERS)).filter(|_| ["conmon", "pinns"].contains(&program));
    let mut folders = std::env::split_paths(&path).chain(helpers);
    folders.find_map(|folder| Some(folder.join(program)).filter(|path| path.is_file()))
}
