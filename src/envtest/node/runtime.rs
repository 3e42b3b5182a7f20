//! containerd in namespaces of the node, and the kubelet and kube-proxy beside it.

use super::commands::{entering, inside};
use super::files::{self, SOCKET};
use super::node_programs::NodePrograms;
use super::{network, pause, requirements};
use crate::envtest::limits::Limits;
use crate::envtest::node_addresses::NODE;
use crate::envtest::node_cgroups;
use crate::envtest::node_lock;
use crate::envtest::server::{Server, wait};
use crate::envtest::state::write_private;
use crate::error::file_error;
use crate::exec;
use crate::system;
use crate::{Error, Result};
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::slice;

/// The name of the node.
pub(in crate::envtest) const NAME: &str = "node";

/// Becomes containerd in the namespaces; `$1` is the control plane's folder. The kubelet uses two folders of the machine
/// whatever its flags say, where another kubelet may have its files. It wants three settings of the machine to have these
/// values: files in their place let it find them, and the machine keeps its own.
const BEGIN: &str = r#"set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir /run/netns /run/settings
mkdir -p "$1/kubelet" /var/lib/kubelet /var/log/containers
mount --bind "$1/kubelet" /var/lib/kubelet
mount -t tmpfs tmpfs /var/log/containers
echo 1 >/proc/sys/net/ipv4/ip_forward
ip link set lo up
echo 1 >/run/settings/overcommit_memory; mount --bind /run/settings/overcommit_memory /proc/sys/vm/overcommit_memory
echo 10 >/run/settings/panic; mount --bind /run/settings/panic /proc/sys/kernel/panic
echo 1 >/run/settings/panic_on_oops; mount --bind /run/settings/panic_on_oops /proc/sys/kernel/panic_on_oops
mount --make-rshared /
exec containerd --config "$1/containerd.toml"
"#;

/// containerd, the first process of the node's namespaces. With it, all that runs on the node ends.
#[derive(Debug)]
pub(in crate::envtest) struct Runtime {
    containerd: Server,
    /// The process id of containerd outside of its namespaces.
    init: u32,
    _lock: File,
}

impl Runtime {
    /// Makes the namespaces, links this machine with them, starts containerd there and loads the image of pods.
    pub(in crate::envtest) fn start(directory: &Path, limits: &Limits) -> Result<Self> {
        let lock = node_lock::take()?;
        let archive = pause::archive()?;
        let plugins = requirements::plugins().ok_or_else(|| Error::bug("the plugins of CNI have vanished"))?;
        let network = directory.join("cni");
        fs::create_dir_all(&network).map_err(|error| file_error("make the folder", &network, &error))?;
        for (name, text) in files::all(directory, plugins) {
            write_private(&directory.join(name), &text)?;
        }
        node_cgroups::make()?;
        let folder = directory.display().to_string();
        let arguments =
            ["--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc", "sh", "-c", BEGIN, "sh"];
        let mut arguments: Vec<_> = arguments.map(str::to_owned).into();
        arguments.push(folder);
        let mut containerd = Server::start("containerd", Path::new("unshare"), &arguments, directory)?;
        let parent = containerd.identity().pid;
        let first = || system::first_child(parent).ok_or_else(|| "its namespaces are missing".to_owned());
        let init = wait(slice::from_mut(&mut containerd), limits.start, first)?;
        if let Err(error) = network::connect(init) {
            // If containerd has ended, its log says more.
            containerd.check()?;
            return Err(error);
        }
        let mut runtime = Runtime { containerd, init, _lock: lock };
        let asks = ["ctr", "--address", SOCKET, "version"];
        let answer = || inside(init, &asks).map_err(|error| error.to_string());
        wait(slice::from_mut(&mut runtime.containerd), limits.start, answer)?;
        import(init, &mut archive.as_slice())?;
        Ok(runtime)
    }

    /// Starts the kubelet and kube-proxy, which find their kubeconfigs and certificates in `directory`.
    pub(in crate::envtest) fn join(&self, programs: &NodePrograms, directory: &Path) -> Result<[Server; 2]> {
        let start = |name: &'static str, program: &Path, arguments: &[String]| {
            let program = program.display().to_string();
            let mut all = entering(self.init);
            all.push(program);
            all.extend_from_slice(arguments);
            Server::start(name, Path::new("nsenter"), &all, directory)
        };
        let file = |flag: &str, name: &str| format!("--{flag}={}", directory.join(name).display());
        let kubelet = [
            file("config", files::KUBELET),
            file("kubeconfig", "kubelet.kubeconfig"),
            "--root-dir=/var/lib/kubelet".to_owned(),
            file("cert-dir", "kubelet-certificates"),
            format!("--hostname-override={NAME}"),
            format!("--node-ip={NODE}"),
        ];
        let proxy = [file("config", files::PROXY), format!("--hostname-override={NAME}")];
        Ok([start("kube-proxy", &programs.proxy, &proxy)?, start("kubelet", &programs.kubelet, &kubelet)?])
    }

    /// Returns the process id of the first process in the namespaces.
    pub(in crate::envtest) fn init(&self) -> u32 {
        self.init
    }

    /// Returns containerd's server.
    pub(in crate::envtest) fn server(&self) -> &Server {
        &self.containerd
    }

    /// Fails, with the end of the log, if containerd has ended.
    pub(in crate::envtest) fn check(&mut self) -> Result<()> {
        self.containerd.check()
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        // Else a node that is started at once would find it: the namespaces end after containerd, which is killed last.
        network::disconnect();
    }
}

/// Loads the images of an archive into the node whose first process is `init`. Returns what `ctr` says.
pub(in crate::envtest) fn import(init: u32, archive: &mut dyn Read) -> Result<String> {
    let failed = |error: std::io::Error| Error::environment("cannot load the images into the node").source(&error);
    let mut command = exec::command_for_this_process("nsenter").map_err(failed)?;
    command.args(entering(init)).args(["ctr", "--address", SOCKET, "--namespace", "k8s.io", "images", "import", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = exec::spawn(&mut command).map_err(failed)?;
    let stdin = child.child().stdin.take();
    let copied = stdin.map(|mut stdin| std::io::copy(archive, &mut stdin).and_then(|_| stdin.flush()));
    let output = child.output().map_err(failed)?;
    match copied {
        // `ctr` has closed the pipe: it says why, or has read all that it needs.
        Some(Err(error)) if error.kind() != ErrorKind::BrokenPipe => return Err(failed(error)),
        _ => {}
    }
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let error = Error::user("the node does not take the archive of an image");
        return Err(said.lines().filter(|line| !line.trim().is_empty()).fold(error, Error::caused_by));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Gives an image of the node whose first process is `init` a further name.
pub(in crate::envtest) fn tag(init: u32, image: &str, name: &str) -> Result<()> {
    let words = ["ctr", "--address", SOCKET, "--namespace", "k8s.io", "images", "tag", "--force", image, name];
    inside(init, &words).map(drop)
}
