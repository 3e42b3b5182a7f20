//! The images of a node.

use super::{containerd, crio};
use crate::Result;
use crate::envtest::container_runtime::ContainerRuntime;
use crate::envtest::state::State;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The store of the images of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::envtest) struct ImageStore {
    /// The process id of the first process in the namespaces of the node.
    pub(super) init: u32,
    pub(super) runtime: ContainerRuntime,
    /// The folder of the control plane.
    pub(super) directory: PathBuf,
}

impl ImageStore {
    /// Returns the store of the node of a control plane; `None` if it has no node. `directory` is its folder.
    pub(in crate::envtest) fn of(state: &State, directory: &Path) -> Option<Self> {
        let (runtime, directory) = (state.container_runtime, directory.to_owned());
        state.node.map(|init| ImageStore { init, runtime, directory })
    }

    /// Loads the images of an archive, as `docker save` writes it. Returns their names.
    pub(in crate::envtest) fn import(&self, archive: &mut dyn Read) -> Result<Vec<String>> {
        match self.runtime {
            ContainerRuntime::Containerd => containerd::import(self.init, archive),
            ContainerRuntime::CriO => crio::import(self.init, &self.directory, archive),
        }
    }

    /// Gives an image a further name.
    pub(in crate::envtest) fn tag(&self, image: &str, name: &str) -> Result<()> {
        match self.runtime {
            ContainerRuntime::Containerd => containerd::tag(self.init, image, name),
            ContainerRuntime::CriO => crio::tag(self.init, &self.directory, image, name),
        }
    }
}
