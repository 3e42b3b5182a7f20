//! Runs a real control plane on this machine: finds, downloads or builds etcd and kube-apiserver, and starts and stops
//! them.
//!
//! The paths of the programs, the environment variables and the servers' arguments are the same as in
//! controller-runtime. The folder of installed programs is shared with setup-envtest.
//!
//! Each control plane has an owner, which is a process that supervises the servers. The owner is the caller of
//! [`ControlPlane::start`], or a background process that [`start`] runs. Any later opctl finds the background process
//! by the state folder of the control plane.
//!
//! The servers end with their owner: on Linux the kernel kills them, and on all systems [`reap`] removes the remains. A
//! process is only ever killed if its id *and* its start time match the recorded state.

mod archive;
mod archives;
mod arguments;
mod build;
mod certificates;
mod checksum;
mod container_runtime;
mod detached;
mod download_only;
mod extent;
mod failure;
mod fallback;
mod fetch;
mod folder_lock;
mod foreign;
mod golang;
mod index;
mod kubeconfig;
mod kubernetes_version;
mod limits;
mod load;
mod location;
mod module;
mod name;
mod node;
mod node_addresses;
mod node_cgroups;
mod node_lock;
mod origin;
mod owned;
mod partial;
mod places;
mod plan;
mod plane;
mod ports;
mod probe;
mod process;
mod program_choice;
mod programs;
mod publish;
mod reaper;
mod release;
mod server;
mod setting;
mod setup;
mod setup_options;
mod simulation;
mod state;
mod store;
mod supervisor;
mod web;

pub use certificates::serving_certificate;
pub use container_runtime::ContainerRuntime;
pub use detached::{Running, StartOptions, Status, list, start, status, stop};
pub use download_only::{DownloadOptions, download_only};
pub use extent::Extent;
pub use kubernetes_version::{PINNED, Selector, Version};
pub use load::{Images, check_has_node, load};
pub use name::Name;
pub use origin::Origin;
pub use owned::{ControlPlane, Options, check_node};
pub use places::{Places, platform};
pub use process::Identity;
pub use program_choice::{are_installed, programs, programs_with_node, version_to_test};
pub use programs::Programs;
pub use reaper::reap;
pub use setup::setup;
pub use setup_options::{Setup, SetupOptions};
pub use store::{Entry, Store};
pub use supervisor::{COMMAND as SUPERVISE, Supervision, supervise};
