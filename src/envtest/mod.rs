//! A real control plane on this machine: etcd and kube-apiserver, found, downloaded or built, and run.
//!
//! The paths of the programs, the environment variables and the servers' arguments are those of controller-runtime, and
//! the store is shared with setup-envtest. Each control plane belongs to one process that watches over it: the caller
//! of [`ControlPlane::start`], or the supervisor that [`start`] runs, which any later opctl finds by its state folder.
//!
//! Nothing outlives its owner: on Linux the kernel kills the servers with it, and on all systems [`reap`] clears what
//! is left. A process is only ever killed if its id *and* its start time match the recorded state.

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
mod simulation;
mod state;
mod store;
mod supervisor;
mod version;
mod web;

pub use certificates::serving_certificate;
pub use detached::{Running, StartOptions, Status, list, start, status, stop};
pub use name::Name;
pub use owned::{ControlPlane, Options};
pub use places::{CONTROLLER_MANAGER, Places, platform};
pub use process::Identity;
pub use programs::Programs;
pub use reaper::reap;
pub use setup::{Setup, SetupOptions, setup};
pub use store::{Entry, Store};
pub use supervisor::{COMMAND as SUPERVISE, Supervision, supervise};
pub use version::{PINNED, Selector, Version};

use crate::report::Console;
use crate::{Error, Result};

/// Returns the programs to start: those that are installed, or else newly set up ones. kube-controller-manager is among
/// them only if nodes are to be simulated; if it is missing, the user is warned, and everything else works.
pub fn programs(selector: Option<&Selector>, simulate_nodes: bool, console: &Console) -> Result<Programs> {
    let mut programs = found_or_set_up(selector, console)?;
    if !simulate_nodes {
        programs.controller_manager = None;
    } else if programs.controller_manager.is_none() {
        console.warning(format_args!(
            "no nodes are simulated, for there is no `{CONTROLLER_MANAGER}`: the published archives lack it; \
             `opctl envtest setup --from-source` builds it"
        ));
    }
    Ok(programs)
}

/// Returns true if [`programs()`] needs no network and no build.
pub fn are_installed() -> Result<bool> {
    let store = Store::new(Places::of_this_process()?.store);
    Ok(Programs::find(None, &store)?.is_some())
}

fn found_or_set_up(selector: Option<&Selector>, console: &Console) -> Result<Programs> {
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
