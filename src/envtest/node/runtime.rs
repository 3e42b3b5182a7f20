//! Starts the container runtime in namespaces of the node, and the kubelet and kube-proxy in the same namespaces.

use super::commands::entering;
use super::config_files;
use super::image_store::ImageStore;
use super::node_programs::NodePrograms;
use super::node_settings::NodeSettings;
use super::{containerd, crio, network, pause, requirements};
use crate::envtest::container_runtime::ContainerRuntime;
use crate::envtest::limits::Limits;
use crate::envtest::node_addresses::NODE;
use crate::envtest::node_cgroups::{self, NodeCgroup};
use crate::envtest::node_lock;
use crate::envtest::server::{Server, wait};
use crate::envtest::state::write_private;
use crate::error::file_error;
use crate::system;
use crate::{Error, Result};
use std::path::Path;
use std::slice;

/// The name of the node in Kubernetes.
pub(in crate::envtest) const NAME: &str = "node";

/// The script that prepares the node's namespaces and then becomes the container runtime. `$1` is the control plane's
/// folder; the other arguments are the command line of the runtime. The kubelet and the CNI plugins use three fixed
/// paths, which another kubelet on the machine may use as well, so the script mounts other folders over these paths. A
/// kubelet would also set six sysctls for the whole machine (`setupKernelTunables` in Kubernetes). The script mounts
/// files with the expected values over these sysctls, so that the kubelet changes no sysctl.
const BEGIN: &str = r#"set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir /run/netns /run/settings
mkdir -p "$1/kubelet" "$1/networks" /var/lib/kubelet /var/lib/cni /var/log/containers
mount --bind "$1/kubelet" /var/lib/kubelet
mount --bind "$1/networks" /var/lib/cni
mount -t tmpfs tmpfs /var/log/containers
echo 1 >/proc/sys/net/ipv4/ip_forward
ip link set lo up
for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
    kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
    path="${setting%=*}"
    [ -e "/proc/sys/$path" ] || continue
    echo "${setting#*=}" >"/run/settings/${path##*/}"
    mount --bind "/run/settings/${path##*/}" "/proc/sys/$path"
done
mount --make-rshared /
shift
exec "$@"
"#;

/// The container runtime, which is the first process in the node's namespaces. All processes of the node end with it.
#[derive(Debug)]
pub(in crate::envtest) struct Runtime {
    server: Server,
    images: ImageStore,
    // The last field: the cgroup is removed once the processes in it are killed.
    _cgroup: NodeCgroup,
}

impl Runtime {
    /// Creates the namespaces, connects this machine to them, starts the container runtime and loads the pause image.
    pub(in crate::envtest) fn start(directory: &Path, settings: &NodeSettings, limits: &Limits) -> Result<Self> {
        let lock = node_lock::take(directory)?;
        let archive = pause::archive()?;
        let plugins = requirements::plugins().ok_or_else(|| Error::bug("the CNI plugins no longer exist"))?;
        for (name, text) in config_files::all(directory, plugins, settings) {
            let path = directory.join(name);
            let folder = path.parent().unwrap_or(directory);
            system::create_folders(folder).map_err(|error| file_error("make the folder", folder, &error))?;
            write_private(&path, &text)?;
        }
        let cgroup = node_cgroups::make(lock)?;
        let folder = directory.display().to_string();
        let arguments =
            ["--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc", "sh", "-c", BEGIN, "sh"];
        let mut arguments: Vec<_> = arguments.map(str::to_owned).into();
        arguments.push(folder);
        let runtime = settings.container_runtime;
        arguments.extend(match runtime {
            ContainerRuntime::Containerd => containerd::command_line(directory),
            ContainerRuntime::CriO => crio::command_line(directory),
        });
        let mut server = Server::start(runtime.name(), Path::new("unshare"), &arguments, directory)?;
        let parent = server.identity().pid;
        let first = || system::first_child(parent).ok_or_else(|| "the node's namespaces do not exist yet".to_owned());
        let init = wait(slice::from_mut(&mut server), limits.start, first)?;
        if let Err(error) = network::connect(init) {
            // If the container runtime has ended, its log says more.
            server.check()?;
            return Err(error);
        }
        let answers = || match runtime {
            ContainerRuntime::Containerd => containerd::answers(init),
            ContainerRuntime::CriO => crio::answers(init),
        };
        wait(slice::from_mut(&mut server), limits.start, || answers().map_err(|error| error.to_string()))?;
        let images = ImageStore { init, runtime, directory: directory.to_owned() };
        images.import(&mut archive.as_slice())?;
        Ok(Runtime { server, images, _cgroup: cgroup })
    }

    /// Starts kube-proxy and the kubelet. Their kubeconfigs and certificates are in `directory`.
    pub(in crate::envtest) fn join(&self, programs: &NodePrograms, directory: &Path) -> Result<[Server; 2]> {
        let start = |name: &'static str, program: &Path, arguments: &[String]| {
            let program = program.display().to_string();
            let mut all = entering(self.images.init);
            all.push(program);
            all.extend_from_slice(arguments);
            Server::start(name, Path::new("nsenter"), &all, directory)
        };
        let file = |flag: &str, name: &str| format!("--{flag}={}", directory.join(name).display());
        let kubelet = [
            file("config", node_cgroups::MARK),
            file("kubeconfig", "kubelet.kubeconfig"),
            "--root-dir=/var/lib/kubelet".to_owned(),
            file("cert-dir", "kubelet-certificates"),
            format!("--hostname-override={NAME}"),
            format!("--node-ip={NODE}"),
        ];
        let proxy = [file("config", config_files::PROXY), format!("--hostname-override={NAME}")];
        Ok([start("kube-proxy", &programs.proxy, &proxy)?, start("kubelet", &programs.kubelet, &kubelet)?])
    }

    /// Returns the process id of the first process in the node's namespaces.
    pub(in crate::envtest) fn init(&self) -> u32 {
        self.images.init
    }

    /// Returns the container runtime's process.
    pub(in crate::envtest) fn server(&self) -> &Server {
        &self.server
    }

    /// Fails, with the last lines of the log, if the container runtime has ended.
    pub(in crate::envtest) fn check(&mut self) -> Result<()> {
        self.server.check()
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        // Else a node that is started at once would find it: the namespaces end after their first process, which is killed last.
        network::disconnect();
    }
}
