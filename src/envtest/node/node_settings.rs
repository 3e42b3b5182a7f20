//! The settings of a node: its programs, its container runtime and its image registry.

use super::node_programs::NodePrograms;
use crate::envtest::container_runtime::ContainerRuntime;

/// The programs and options of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::envtest) struct NodeSettings {
    pub(in crate::envtest) programs: NodePrograms,
    pub(in crate::envtest) container_runtime: ContainerRuntime,
    /// The port of a registry on this machine from which the node pulls images; `None` for a node without a registry.
    pub(in crate::envtest) registry: Option<u16>,
}
