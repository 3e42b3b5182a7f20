//! The container runtimes that a node may have.

use serde::{Deserialize, Serialize};

/// A program that runs the containers of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ContainerRuntime {
    /// containerd, see <https://containerd.io>.
    #[default]
    Containerd,
    /// CRI-O, see <https://cri-o.io>.
    CriO,
}

impl ContainerRuntime {
    /// Returns the name that command-line flags use.
    pub fn name(self) -> &'static str {
        match self {
            ContainerRuntime::Containerd => "containerd",
            ContainerRuntime::CriO => "cri-o",
        }
    }
}
