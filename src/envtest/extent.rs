//! The programs that a setup provides.

use super::places::CONTROLLER_MANAGER;
use super::store::Entry;

/// The programs that are needed in addition to etcd and kube-apiserver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// The servers alone: etcd and kube-apiserver.
    Servers,
    /// kube-controller-manager, for Kubernetes' own controllers and for simulated nodes.
    #[default]
    Controllers,
    /// kube-controller-manager, and the programs of a node.
    Node,
}

impl Extent {
    /// Returns the names of the programs that are needed in addition to etcd and kube-apiserver.
    pub(super) fn names(self) -> &'static [&'static str] {
        const ALL: &[&str] = &[CONTROLLER_MANAGER, "kubelet", "kube-scheduler", "kube-proxy"];
        match self {
            Extent::Servers => &[],
            Extent::Controllers => &ALL[..1],
            Extent::Node => ALL,
        }
    }

    /// Returns the names of the programs that are needed in addition to etcd and kube-apiserver and that are missing in
    /// an
    /// entry of the store.
    pub(super) fn missing_programs(self, entry: &Entry) -> Vec<&'static str> {
        let is_missing = |name: &&&str| !entry.directory.join(name).is_file();
        self.names().iter().filter(is_missing).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envtest::module::{NODE_PACKAGES, packages};

    #[test]
    fn every_program_can_be_built() {
        assert!(NODE_PACKAGES.iter().all(|(name, _)| Extent::Node.names().contains(name)));
        for name in Extent::Node.names() {
            assert!(packages().any(|(built, _)| built == *name), "{name}");
        }
    }
}
