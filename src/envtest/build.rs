//! Builds the servers from their published Go modules.

use super::golang;
use super::module::{self, NODE_PACKAGES, PACKAGES};
use super::version::{PINNED, Selector, Version};
use crate::Result;
use crate::error::file_error;
use crate::report::Console;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// The build tags of Kubernetes' own builds. All servers use the same tags: others would compile hundreds of packages
/// again.
const TAGS: &str = "selinux,notest,grpcnotrace";

/// Builds the version that `selector` selects into `filled`, a folder below `staging` that does not exist yet; with `node`,
/// also the programs of a node.
pub(super) fn build(
    selector: &Selector,
    node: bool,
    [staging, filled]: [&Path; 2],
    console: &Console,
) -> Result<Version> {
    golang::require(if selector.matches(PINNED) { module::pinned_go() } else { (1, 24) })?;
    let folder = staging.join("module");
    for made in [folder.as_path(), filled] {
        fs::create_dir(made).map_err(|error| file_error("make the folder", made, &error))?;
    }
    let version = module::choose(selector, &folder)?;
    if version == PINNED {
        module::write_pinned(&folder)?;
    } else {
        console.note(format_args!("opctl pins the modules of {PINNED} only: the Go tool resolves those of {version}"));
        let _spinner = console.spinner("Resolving", format!("the modules of Kubernetes {version}"));
        module::resolve(version, &folder)?;
    }
    let flags = module::linker_flags(version);
    let packages: Vec<_> = PACKAGES.into_iter().chain(NODE_PACKAGES.into_iter().filter(|_| node)).collect();
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
