//! A real control plane on this machine: etcd and kube-apiserver, found, downloaded or built, and run.
//!
//! The programs' places, the environment's variables and the servers' arguments are controller-runtime's, and the store
//! is shared with setup-envtest. A control plane belongs to one process that watches over it: the caller of
//! [`ControlPlane::start`], or the supervisor behind [`start`], which any later opctl finds by its state folder.
//!
//! Nothing outlives its owner: on Linux the kernel kills the servers with it, and [`reap`] clears what is left
//! anywhere. A process is only ever killed if its id *and* its start are those written down.

mod arguments;
mod build;
mod certificates;
mod detached;
mod download;
mod golang;
mod index;
mod kubeconfig;
mod limits;
mod module;
mod name;
mod owned;
mod places;
mod plane;
mod ports;
mod probe;
mod process;
mod programs;
mod reaper;
mod server;
mod setup;
mod state;
mod store;
mod supervisor;
mod version;

pub use detached::{Running, StartOptions, Status, list, start, status, stop};
pub use index::DEFAULT_INDEX;
pub use name::Name;
pub use owned::{ControlPlane, Options};
pub use places::{API_SERVER, CONTROLLER_MANAGER, ETCD, Places, platform};
pub use process::Identity;
pub use programs::Programs;
pub use reaper::reap;
pub use setup::{Setup, SetupOptions, setup};
pub use state::{Phase, Process, State};
pub use store::{Entry, Store};
pub use supervisor::{COMMAND as SUPERVISE, Supervision, supervise};
pub use version::{PINNED, Selector, Version};

use crate::report::Console;
use crate::{Error, Result};

/// The programs to start: those that are there, or else set up now.
pub fn programs(selector: Option<&Selector>, console: &Console) -> Result<Programs> {
    let store = Store::new(Places::of_this_process()?.store);
    let newest_published = selector.is_some_and(|selector| selector.remote);
    if !newest_published && let Some(programs) = Programs::find(selector, &store)? {
        return Ok(programs);
    }
    let options = SetupOptions { selector: selector.copied().unwrap_or_default(), ..SetupOptions::default() };
    let (Setup::Present(entry) | Setup::Installed(entry)) = setup(&options, console)? else {
        return Err(Error::bug("servers were planned, not set up"));
    };
    Ok(Programs::of_entry(&entry))
}
