//! The programs of a node that come from Kubernetes, beside those of the control plane.

use crate::envtest::module::NODE_PACKAGES;
use crate::envtest::programs::Programs;
use std::path::PathBuf;

/// The programs of a node; all of them exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePrograms {
    /// kubelet.
    pub kubelet: PathBuf,
    /// kube-scheduler.
    pub scheduler: PathBuf,
    /// kube-proxy.
    pub proxy: PathBuf,
}

impl NodePrograms {
    /// Returns the programs in the folder of the API server; `None` if one is missing there.
    pub fn beside(programs: &Programs) -> Option<Self> {
        let folder = programs.api_server.parent()?;
        let [kubelet, scheduler, proxy] = NODE_PACKAGES.map(|(name, _)| folder.join(name));
        let all = NodePrograms { kubelet, scheduler, proxy };
        [&all.kubelet, &all.scheduler, &all.proxy].iter().all(|path| path.is_file()).then_some(all)
    }
}
