//! Performs the steps of a setup of programs: chooses between a download and a build, adds etcd and kube-apiserver to
//! the store, and then adds the programs that are still missing.

use super::build::build;
use super::extent::Extent;
use super::failure::Failure;
use super::fallback::instead;
use super::index::Archive;
use super::kubernetes_version::{Selector, Version};
use super::origin::Origin;
use super::places::{API_SERVER, ETCD};
use super::release::{Release, is_published};
use super::setup_options::SetupOptions;
use super::store::{Entry, Store};
use super::{archive, archives, fetch, golang};
use crate::Result;
use crate::error::file_error;
use crate::report::Console;
use crate::system;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The source of etcd and kube-apiserver for a new entry in the store.
pub(super) enum Way {
    Download(Archive),
    Build,
}

/// The source of the programs that an entry in the store lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Supply {
    Download,
    Build,
    /// No source: the programs are not published for this machine, and Go is not installed to build them.
    None,
}

/// The options of a running setup, the origin and the platform of the programs, the store that gets them, and the
/// console for messages. The methods are the steps of the setup.
pub(super) struct Setting<'a> {
    pub(super) options: &'a SetupOptions,
    pub(super) origin: Origin,
    /// The operating system and architecture of this machine.
    pub(super) platform: String,
    pub(super) store: &'a Store,
    pub(super) console: &'a Console,
}

impl Setting<'_> {
    /// Returns the newest installed entry that the selector matches; `None` if no entry matches, or if the selector
    /// requests the newest published version.
    pub(super) fn installed_entry(&self) -> Option<Entry> {
        if self.options.selector.remote { None } else { self.store.newest(&self.options.selector) }
    }

    /// Returns the installed entry that the selector selects; `None` if there is none, or if it lacks programs that the
    /// options request.
    pub(super) fn complete_entry(&self) -> Option<Entry> {
        self.installed_entry().filter(|entry| self.options.extent.missing_programs(entry).is_empty())
    }

    /// Returns the store's entry that contains etcd and kube-apiserver in the selected version, and true if the entry
    /// is new. Downloads or builds etcd and kube-apiserver if the store has no such entry.
    pub(super) fn servers(&self) -> Result<(Entry, bool)> {
        let way = self.way()?;
        if let Way::Download(archive) = &way
            && let Some(entry) = self.store.entry(archive.version)
        {
            return Ok((entry, false));
        }
        let (staging, filled) = self.staging()?;
        let folders = [staging.path(), &filled];
        let version = match way {
            Way::Download(archive) => match self.download(&archive, folders) {
                Ok(()) => archive.version,
                Err(failure) => {
                    instead(failure, &self.origin, self.console)?;
                    self.build(&Selector::exactly(archive.version), folders)?
                }
            },
            Way::Build => self.build(&self.options.selector, folders)?,
        };
        Ok((self.store.publish(&filled, version)?, true))
    }

    fn download(&self, archive: &Archive, [staging, filled]: [&Path; 2]) -> Result<(), Failure> {
        let item = archives::item(archive, &self.origin).map_err(Failure::Refused)?;
        let packed = staging.join(&archive.name);
        fetch::download_item(&item, self.options.plain_http, &self.store.partials(), &packed, self.console)?;
        let _spinner = self.console.spinner("Unpacking", format!("`{}`", archive.name));
        archive::unpack(&packed, filled).map_err(Failure::Refused)
    }

    /// Builds etcd, kube-apiserver and the other programs that the options request, in the version that `selector`
    /// selects, and returns the version. `folders` contains the staging folder and the folder inside it that gets the
    /// programs. Always builds kube-controller-manager as well, because it shares most of its code with kube-apiserver.
    fn build(&self, selector: &Selector, folders: [&Path; 2]) -> Result<Version> {
        let extent = if self.options.extent == Extent::Node { Extent::Node } else { Extent::Controllers };
        let names = [&[ETCD, API_SERVER], extent.names()].concat();
        build(selector, &names, folders, self.console)
    }

    pub(super) fn way(&self) -> Result<Way> {
        if self.options.from_source {
            return Ok(Way::Build);
        }
        let selector = &self.options.selector;
        let archives = match archives::archives(&self.origin, &self.platform, self.options.plain_http, self.console) {
            Ok(archives) => archives,
            Err(failure) => return instead(failure, &self.origin, self.console).map(|()| Way::Build),
        };
        match archives::newest(&archives, selector, &self.platform) {
            Ok(archive) => Ok(Way::Download(archive)),
            Err(error) => {
                instead(Failure::Unreachable(error), &self.origin, self.console)?;
                Ok(Way::Build)
            }
        }
    }

    pub(super) fn release(&self, version: Version) -> Release<'_> {
        let plain_http = self.options.plain_http;
        Release { origin: &self.origin, version, platform: &self.platform, plain_http }
    }

    pub(super) fn supply(&self) -> Supply {
        supply(self.options.from_source, &self.platform, || golang::version().is_some())
    }

    /// Adds missing programs to an entry, each as soon as it is available. Returns the resulting entry, and true if
    /// programs were added.
    pub(super) fn add_missing_programs(&self, mut entry: Entry) -> Result<(Entry, bool)> {
        let (version, mut missing) = (entry.version, self.options.extent.missing_programs(&entry));
        if missing.is_empty() {
            return Ok((entry, false));
        }
        let supply = self.supply();
        if supply != Supply::Download && !self.options.from_source {
            self.console.note(not_published(&missing, &self.platform, supply));
        }
        if supply == Supply::None {
            return Ok((entry, false));
        }
        while supply == Supply::Download && !missing.is_empty() {
            let (_staging, filled) = self.staging()?;
            match self.release(version).fetch(missing[0], &self.store.partials(), &filled, self.console) {
                Ok(()) => {
                    entry = self.store.add(&filled, version)?;
                    missing.remove(0);
                }
                Err(failure) => {
                    instead(failure, &self.origin, self.console).map_err(|error| {
                        error.caused_by("etcd and kube-apiserver are installed, and work without the missing program")
                    })?;
                    break;
                }
            }
        }
        if !missing.is_empty() {
            let (staging, filled) = self.staging()?;
            build(&Selector::exactly(version), &missing, [staging.path(), &filled], self.console)?;
            entry = self.store.add(&filled, version)?;
        }
        Ok((entry, true))
    }

    /// Creates a staging folder, and an empty folder for programs inside.
    fn staging(&self) -> Result<(TempDir, PathBuf)> {
        let staging = self.store.staging()?;
        let filled = staging.path().join("bin");
        system::create_folder(&filled).map_err(|error| file_error("make the folder", &filled, &error))?;
        Ok((staging, filled))
    }
}

fn supply(from_source: bool, platform: &str, has_go: impl Fn() -> bool) -> Supply {
    match (from_source, is_published(platform)) {
        (true, _) => Supply::Build,
        (false, true) => Supply::Download,
        (false, false) if has_go() => Supply::Build,
        (false, false) => Supply::None,
    }
}

/// Returns a note to the user: the programs `names` are not downloaded, because Kubernetes publishes them for Linux
/// only, and the builds that the project kwok publishes have no checksums. The note also says if opctl builds the
/// programs, or that the user must install Go first.
fn not_published(names: &[&str], platform: &str, supply: Supply) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    let reason =
        format!("Kubernetes publishes {names} for Linux only, and kwok's builds for {platform} have no checksums");
    match supply {
        Supply::Build => format!("{reason}: building from source with Go, which takes some minutes"),
        _ => format!(
            "{reason}; install Go and run `opctl envtest setup` again to build from source: until then, garbage \
             collection and simulated nodes are not available"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpublished_programs_are_built_from_source_if_go_is_installed() {
        for (from_source, platform, has_go, expected) in [
            (false, "linux-amd64", false, Supply::Download),
            (false, "linux-arm64", true, Supply::Download),
            (true, "linux-amd64", true, Supply::Build),
            (false, "darwin-arm64", true, Supply::Build),
            (false, "windows-amd64", false, Supply::None),
        ] {
            assert_eq!(supply(from_source, platform, || has_go), expected, "{platform}");
        }
        let told = |supply| not_published(&["kube-controller-manager"], "darwin-arm64", supply);
        assert!(told(Supply::Build).starts_with("Kubernetes publishes `kube-controller-manager` for Linux only"));
        assert!(told(Supply::Build).contains("building from source") && told(Supply::None).contains("install Go"));
    }
}
