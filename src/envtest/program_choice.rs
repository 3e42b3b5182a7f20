//! Chooses the programs of a control plane.

use super::extent::Extent;
use super::kubernetes_version::{Selector, Version};
use super::places::{CONTROLLER_MANAGER, Places, platform};
use super::programs::Programs;
use super::release::is_published;
use super::setup::setup;
use super::setup_options::{Setup, SetupOptions};
use super::store::{Entry, Store};
use crate::report::Console;
use crate::{Error, Result};

/// Returns the installed programs of a control plane; sets up missing ones first. Includes kube-controller-manager only
/// to simulate nodes. If kube-controller-manager cannot be set up, warns the user and returns the other programs.
pub fn programs(selector: Option<&Selector>, simulate_nodes: bool, console: &Console) -> Result<Programs> {
    let mut programs = found_or_set_up(selector, console)?;
    if !simulate_nodes {
        programs.controller_manager = None;
    } else if programs.controller_manager.is_none() {
        programs = add_controller_manager(programs, console)?;
    }
    Ok(programs)
}

/// Returns the programs of a control plane with a real node. Sets up missing programs first.
pub fn programs_with_node(selector: Option<&Selector>, console: &Console) -> Result<Programs> {
    set_up(selector, Extent::Node, console).map(|entry| Programs::of_entry(&entry))
}

/// Returns the installed version that `selector` selects. Sets up a version first if no such version is installed. If
/// `simulate_nodes` is true, also tries to set up kube-controller-manager if it is missing.
pub fn version_to_test(selector: &Selector, simulate_nodes: bool, console: &Console) -> Result<Version> {
    let entry = set_up(Some(selector), Extent::Servers, console)?;
    if simulate_nodes && !entry.controller_manager {
        // Without it the tests run all the same.
        add_controller_manager(Programs::of_entry(&entry), console)?;
    }
    Ok(entry.version)
}

/// Returns true if etcd and kube-apiserver are installed, so that a control plane can start without a download or a
/// build.
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
    set_up(selector, Extent::Servers, console).map(|entry| Programs::of_entry(&entry))
}

/// Installs kube-controller-manager next to `programs`, and returns the programs including kube-controller-manager.
/// Installs the program only if `programs` are in opctl's store and Kubernetes publishes kube-controller-manager for
/// this machine. Otherwise, or if the download fails, warns the user and returns `programs` unchanged.
fn add_controller_manager(programs: Programs, console: &Console) -> Result<Programs> {
    let store = Store::new(Places::of_this_process()?.store);
    let entry = store.entries().into_iter().find(|entry| programs.directory() == Some(&entry.directory));
    let missing = format!("no nodes are simulated, because `{CONTROLLER_MANAGER}` is not installed");
    match entry {
        None => console.warning(format_args!(
            "{missing} next to `{}`; `opctl envtest setup` installs it in opctl's store, which is used if \
             `KUBEBUILDER_ASSETS` is not set",
            programs.api_server.display()
        )),
        // A build takes minutes: only the user begins it.
        Some(_) if !is_published(&platform()) => {
            console.warning(format_args!("{missing}; `opctl envtest setup` builds it, with Go"));
        }
        Some(entry) => match set_up(Some(&Selector::exactly(entry.version)), Extent::Controllers, console) {
            Ok(entry) => return Ok(Programs::of_entry(&entry)),
            Err(error) => {
                console.warning(format_args!("{missing}: {error}; after you fix this, run `opctl envtest setup`"));
            }
        },
    }
    Ok(programs)
}

fn set_up(selector: Option<&Selector>, extent: Extent, console: &Console) -> Result<Entry> {
    let options = SetupOptions { selector: selector.copied().unwrap_or_default(), extent, ..SetupOptions::default() };
    match setup(&options, console)? {
        Setup::Present(entry) | Setup::Installed(entry) => Ok(entry),
        Setup::Planned(_) => Err(Error::bug("the setup returned a plan instead of installed servers")),
    }
}
