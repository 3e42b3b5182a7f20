//! Describes the steps that a setup would perform, for a dry run.

use super::kubernetes_version::{PINNED, Version};
use super::setting::{Setting, Supply, Way};
use super::setup_options::Setup;
use super::{golang, module};
use crate::Result;

/// Returns the result of a dry run of a setup.
pub(super) fn plan(setting: &Setting) -> Result<Setup> {
    let extent = setting.options.extent;
    let entry = match setting.installed_entry() {
        Some(entry) => entry,
        None => match setting.way()? {
            Way::Build => return build_plan(setting).map(Setup::Planned),
            Way::Download(archive) => match setting.store.entry(archive.version) {
                Some(entry) => entry,
                None => {
                    let archive_location = setting.origin.archive(&archive).to_string();
                    return Ok(Setup::Planned(sentence(setting, archive.version, &[archive_location], extent.names())));
                }
            },
        },
    };
    let missing = extent.missing_programs(&entry);
    if missing.is_empty() || setting.supply() == Supply::None {
        return Ok(Setup::Present(entry));
    }
    Ok(Setup::Planned(sentence(setting, entry.version, &[], &missing)))
}

/// Returns the sentence for a dry run, which says that opctl would download an archive, and would download or build
/// `programs`. `first` contains the location of the archive; it is empty if the store already has the version. The
/// sentence names the location of each program to download.
fn sentence(setting: &Setting, version: Version, first: &[String], programs: &[&str]) -> String {
    let supply = if programs.is_empty() { Supply::None } else { setting.supply() };
    let downloaded = programs.iter().filter(|_| supply == Supply::Download);
    let release = setting.release(version);
    let rest = downloaded.map(|name| release.location(name).to_string());
    let from: Vec<_> = first.iter().cloned().chain(rest).map(|from| format!("`{from}`")).collect();
    let mut parts = Vec::new();
    if !from.is_empty() {
        let target = setting.store.directory(version);
        parts.push(format!("would download {} to `{}`", from.join(", "), target.display()));
    }
    if supply == Supply::Build {
        let built: Vec<_> = programs.iter().map(|name| format!("`{name}`")).collect();
        parts.push(format!("would build {} of Kubernetes {version} from its Go modules", built.join(", ")));
    }
    parts.join(", and ")
}

fn build_plan(setting: &Setting) -> Result<String> {
    golang::require(module::pinned_go())?;
    let selector = setting.options.selector;
    let pinned = !selector.remote && selector.matches(PINNED);
    let wanted = if pinned { PINNED.to_string() } else { selector.to_string() };
    Ok(format!("would build Kubernetes {wanted} from its Go modules"))
}
