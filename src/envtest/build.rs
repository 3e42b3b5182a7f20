//! Builds the servers from their published Go modules.

use super::golang;
use super::kubernetes_version::{PINNED, Selector, Version};
use super::module;
use crate::Result;
use crate::error::file_error;
use crate::report::Console;
use crate::system;
use std::path::Path;
use std::time::Instant;

/// The build tags of Kubernetes' own builds. All servers are built with the same tags, because other tags would compile
/// hundreds of packages again.
const TAGS: &str = "selinux,notest,grpcnotrace";

/// Builds the programs `names` in the version that `selector` selects. Writes the Go module to build into `staging`,
/// and the programs into `filled`, an existing folder in `staging`.
pub(super) fn build(
    selector: &Selector,
    names: &[&str],
    [staging, filled]: [&Path; 2],
    console: &Console,
) -> Result<Version> {
    golang::require(if selector.matches(PINNED) { module::pinned_go() } else { (1, 24) })?;
    let folder = staging.join("module");
    system::create_folder(&folder).map_err(|error| file_error("make the folder", &folder, &error))?;
    let version = module::choose(selector, &folder)?;
    if version == PINNED {
        module::write_pinned(&folder)?;
    } else {
        console.note(format_args!("opctl pins the modules of {PINNED} only: the Go tool resolves those of {version}"));
        let _spinner = console.spinner("Resolving", format!("the modules of Kubernetes {version}"));
        module::resolve(version, &folder)?;
    }
    let flags = module::linker_flags(version);
    let packages: Vec<_> = module::packages().filter(|(name, _)| names.contains(name)).collect();
    for (step, (name, package)) in packages.iter().enumerate() {
        let begun = Instant::now();
        let of = format!("{} of {}", step + 1, packages.len());
        {
            let _spinner = console.spinner("Building", format!("{name} ({of})"));
            let target = filled.join(name).display().to_string();
            let flags = format!("-ldflags={flags}");
            let tags = format!("-tags={TAGS}");
            golang::run(&folder, &["build", "-mod=readonly", "-trimpath", &tags, &flags, "-o", &target, package])?;
        }
        console.status("Built", format_args!("{name} ({of}) in {} s", begun.elapsed().as_secs()));
    }
    Ok(version)
}
