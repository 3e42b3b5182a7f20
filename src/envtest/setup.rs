//! Sets up programs in the store: keeps installed programs, downloads missing programs, or builds them from source.
//!
//! A version is set up in two steps. First, etcd and kube-apiserver from an archive become an entry in the store. Then
//! opctl adds the programs that the archive lacks to this entry, just as it adds them to an entry that setup-envtest
//! has created.

use super::origin::Origin;
use super::places::{Places, platform};
use super::plan::plan;
use super::setting::Setting;
use super::setup_options::{Setup, SetupOptions};
use super::store::Store;
use crate::report::Console;
use crate::{Error, Result};

/// Sets up programs. Concurrent setups wait for each other. An interrupted setup leaves no entry, and the next setup
/// continues its downloads.
pub fn setup(options: &SetupOptions, console: &Console) -> Result<Setup> {
    let store = Store::new(Places::of_this_process()?.store);
    let origin = options.origin.clone().unwrap_or_else(Origin::of_this_process);
    let setting = Setting { options, origin, platform: platform(), store: &store, console };
    if let Some(entry) = setting.complete_entry() {
        return Ok(Setup::Present(entry));
    }
    if options.selector.on_disk_only() && store.newest(&options.selector).is_none() {
        return Err(Error::environment("no version of Kubernetes is installed in opctl's store of servers")
            .hint("opctl envtest setup"));
    }
    if options.dry_run {
        return plan(&setting);
    }
    let _lock = store.lock(console)?;
    // Another process may have set up the version while this one waited for the lock.
    if let Some(entry) = setting.complete_entry() {
        return Ok(Setup::Present(entry));
    }
    let (entry, is_new) = match setting.installed_entry() {
        Some(entry) => (entry, false),
        None => setting.servers()?,
    };
    let (entry, is_completed) = setting.add_missing_programs(entry)?;
    store.partials().prune();
    Ok(if is_new || is_completed { Setup::Installed(entry) } else { Setup::Present(entry) })
}
