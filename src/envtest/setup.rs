//! Provides servers in the store: installed ones, or else downloaded ones, or else built ones.

use super::build::build;
use super::download;
use super::index::{Archive, DEFAULT_INDEX};
use super::node::NodePrograms;
use super::places::{CONTROLLER_MANAGER, Places, platform};
use super::programs::Programs;
use super::store::{Entry, Store};
use super::version::{PINNED, Selector, Version};
use super::web::Failure;
use super::{golang, module};
use crate::error::hint;
use crate::report::Console;
use crate::{Error, Result};

/// The source of programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Archives are downloaded, or else built.
    #[default]
    Published,
    /// The published Go modules are built.
    Built,
    /// The same, with the programs of a node.
    BuiltWithNode,
}

/// Options of `opctl envtest setup`.
#[derive(Clone, Debug, Default)]
pub struct SetupOptions {
    /// The version; by default any patch version of the pinned one.
    pub selector: Selector,
    /// The source of programs that are missing.
    pub source: Source,
    /// The URL of another index of archives. If it fails, nothing is built instead, because the user asked for this
    /// index.
    pub index: Option<String>,
    /// Allow http to other machines than this one.
    pub plain_http: bool,
    /// Report what would be done, and do nothing.
    pub dry_run: bool,
}

/// The result of a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// The version was installed already.
    Present(Entry),
    /// The version was downloaded or built.
    Installed(Entry),
    /// A dry run; with a sentence that says what a setup would do.
    Planned(String),
}

/// The source of new servers.
enum Way {
    Download(Archive),
    Build,
}

/// Sets up servers. Concurrent setups wait for each other; an interrupted one leaves no entry.
pub fn setup(options: &SetupOptions, console: &Console) -> Result<Setup> {
    let store = Store::new(Places::of_this_process()?.store);
    if let Some(entry) = present(options, &store) {
        return Ok(Setup::Present(entry));
    }
    if options.selector.on_disk_only() {
        return Err(Error::environment("no version of Kubernetes is in the store").hint("opctl envtest setup"));
    }
    if options.dry_run {
        return Ok(match way(options, console)? {
            Way::Download(archive) => match store.entry(archive.version) {
                Some(entry) => Setup::Present(entry),
                None => Setup::Planned(format!(
                    "would download `{}` to `{}`",
                    archive.url,
                    store.directory(archive.version).display()
                )),
            },
            Way::Build => Setup::Planned(build_plan(options)?),
        });
    }
    let _lock = store.lock(console)?;
    // Another process may have set up the version while this one waited for the lock.
    if let Some(entry) = present(options, &store) {
        return Ok(Setup::Present(entry));
    }
    let staging = store.staging()?;
    let filled = staging.path().join("bin");
    let version = match way(options, console)? {
        Way::Download(archive) => {
            if let Some(entry) = store.entry(archive.version) {
                return Ok(Setup::Present(entry));
            }
            match download::fetch(&archive, options.plain_http, staging.path(), &filled, console) {
                Ok(()) => archive.version,
                Err(failure) => {
                    instead(failure, options, console)?;
                    let exactly = Selector::exactly(archive.version);
                    build(&exactly, false, [staging.path(), &filled], console)?
                }
            }
        }
        Way::Build => {
            build(&options.selector, options.source == Source::BuiltWithNode, [staging.path(), &filled], console)?
        }
    };
    let entry = store.publish(&filled, version)?;
    if !entry.controller_manager {
        console.note(format_args!(
            "the published archives hold no {CONTROLLER_MANAGER}: no garbage is collected and no workload is simulated; \
             `opctl envtest setup {version} --from-source` adds it"
        ));
    }
    Ok(Setup::Installed(entry))
}

fn build_plan(options: &SetupOptions) -> Result<String> {
    golang::require(module::pinned_go())?;
    let pinned = !options.selector.remote && options.selector.matches(PINNED);
    let wanted = if pinned { PINNED.to_string() } else { options.selector.to_string() };
    Ok(format!("would build Kubernetes {wanted} from its Go modules"))
}

/// Returns an installed entry that satisfies the options, if there is one.
fn present(options: &SetupOptions, store: &Store) -> Option<Entry> {
    if options.selector.remote {
        return None;
    }
    // An entry that is built must have kube-controller-manager, as a build does.
    let entry = store.newest(&options.selector);
    let entry = entry.filter(|entry| entry.controller_manager || options.source == Source::Published);
    entry.filter(|entry| {
        options.source != Source::BuiltWithNode || NodePrograms::beside(&Programs::of_entry(entry)).is_some()
    })
}

fn way(options: &SetupOptions, console: &Console) -> Result<Way> {
    if options.source != Source::Published {
        return Ok(Way::Build);
    }
    let url = options.index.as_deref().unwrap_or(DEFAULT_INDEX);
    let index = {
        let _spinner = console.spinner("Fetching", format!("`{url}`"));
        download::index(url, options.plain_http)
    };
    let index = match index {
        Ok(index) => index,
        Err(failure) => return instead(failure, options, console).map(|()| Way::Build),
    };
    let archives = index.archives(&platform());
    if let Some(version) = options.selector.newest(archives.iter().map(|archive| archive.version)) {
        let archive = archives.into_iter().find(|archive| archive.version == version);
        return archive.map(Way::Download).ok_or_else(|| Error::bug("an archive vanished from its index"));
    }
    let versions: Vec<_> = archives.iter().map(|archive| archive.version).collect();
    instead(Failure::Unreachable(unpublished(&options.selector, &versions)), options, console).map(|()| Way::Build)
}

/// Tells the user that servers are built instead of downloaded; fails if they cannot be.
fn instead(failure: Failure, options: &SetupOptions, console: &Console) -> Result<()> {
    let error = match failure {
        Failure::Refused(error) => return Err(error),
        Failure::Unreachable(error) => error,
    };
    if options.index.is_some() {
        return Err(error);
    }
    let needed = module::pinned_go();
    match golang::version() {
        Some(_) => {
            console.note(format_args!("{error}; building from source instead, which takes some minutes the first time"));
            Ok(())
        }
        None if error.hint_text().is_some() => Err(error),
        None => Err(error.caused_by("Go, to build it instead, is not on the PATH").hint(hint!("connect to the network, or install Go {}.{} or newer (https://go.dev/doc/install), and run: opctl envtest setup", needed.0, needed.1))),
    }
}

fn unpublished(selector: &Selector, versions: &[Version]) -> Error {
    let newest: Vec<_> = versions.iter().rev().take(5).map(|version| format!("`{version}`")).collect();
    let error = Error::environment(format!("no archive of Kubernetes `{selector}` is published for {}", platform()));
    match versions.last() {
        Some(last) => error.caused_by(format!("the newest are {}", newest.join(", "))).hint(hint!(
            "opctl envtest setup {last}\nor, with Go: opctl envtest setup {PINNED} --from-source",
            last,
            PINNED
        )),
        None => error.hint(hint!("with Go: opctl envtest setup {PINNED} --from-source", PINNED)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_published_is_named_newest_first() {
        let versions = ["1.34.0", "1.35.0", "1.36.2"].map(|text| Version::parse(text).unwrap());
        let error = unpublished(&Selector::exactly(PINNED), &versions);
        assert_eq!(error.causes(), ["the newest are `1.36.2`, `1.35.0`, `1.34.0`"]);
        assert!(error.hint_text().is_some_and(|hint| hint.starts_with("opctl envtest setup 1.36.2")));
    }
}
