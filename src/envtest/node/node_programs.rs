//! The Kubernetes programs that a node needs in addition to the programs of the control plane.

use crate::envtest::module::NODE_PACKAGES;
use crate::envtest::programs::Programs;
use std::path::PathBuf;

/// The paths of a node's programs, which all exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePrograms {
    /// The path of kubelet.
    pub kubelet: PathBuf,
    /// The path of kube-scheduler.
    pub scheduler: PathBuf,
    /// The path of kube-proxy.
    pub proxy: PathBuf,
}

impl NodePrograms {
    /// Returns the node programs in the folder that contains kube-apiserver; `None` if a node program is missing.
    pub fn beside(programs: &Programs) -> Option<Self> {
        let folder = programs.api_server.parent()?;
        let [kubelet, scheduler, proxy] = NODE_PACKAGES.map(|(name, _)| folder.join(name));
        let all = NodePrograms { kubelet, scheduler, proxy };
        [&all.kubelet, &all.scheduler, &all.proxy].iter().all(|path| path.is_file()).then_some(all)
    }
}
