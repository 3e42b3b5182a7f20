//! Chooses the programs of a control plane.

use super::places::{CONTROLLER_MANAGER, Places};
use super::programs::Programs;
use super::setup::{Setup, SetupOptions, Source, setup};
use super::store::Store;
use super::version::Selector;
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

/// Returns the programs of a control plane with a real node, which are built if some are missing.
pub fn programs_with_node(selector: Option<&Selector>, console: &Console) -> Result<Programs> {
    let options = SetupOptions {
        selector: selector.copied().unwrap_or_default(),
        source: Source::BuiltWithNode,
        ..SetupOptions::default()
    };
    set_up(&options, console)
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
    set_up(&options, console)
}

fn set_up(options: &SetupOptions, console: &Console) -> Result<Programs> {
    let (Setup::Present(entry) | Setup::Installed(entry)) = setup(options, console)? else {
        return Err(Error::bug("servers were planned, not set up"));
    };
    Ok(Programs::of_entry(&entry))
}
