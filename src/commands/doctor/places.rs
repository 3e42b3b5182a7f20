//! Checks the programs of the control plane, the free disk space, and the size of the files that opctl stores.

use super::super::sizes::{human, size};
use crate::envtest::{Places, Programs, Store};
use crate::exec::{cache_folder, target_folder};
use crate::report::Check;
use crate::system;
use std::path::Path;

const GIB: u64 = 1 << 30;

/// The free space, in bytes, below which opctl warns that an operator may not build.
const SCARCE: u64 = 2 * GIB;

/// The free space, in bytes, below which no command that compiles can work.
const NONE: u64 = GIB / 4;

/// Checks the folders that opctl uses: the store of the programs of local control planes, and the folder below cargo's
/// target folder in which opctl compiles the types of the project at `root`. Also checks the free space of the disk.
pub(super) fn places(root: Option<&Path>) -> Vec<Check> {
    let mut checks = Vec::new();
    let target = root.map(target_folder);
    match Places::of_this_process() {
        Err(error) => {
            checks.push(Check::error("control plane", error.message(), error.hint_or_none()));
        }
        Ok(places) => {
            checks.push(programs(&Store::new(&places.store)));
            checks.push(folder_size_check("control plane's store", &places.store));
        }
    }
    if let Some(target) = &target {
        checks.push(folder_size_check("compiled types", &cache_folder(target)));
    }
    let place = target.iter().flat_map(|target| target.ancestors()).find(|path| path.is_dir());
    let place = place.unwrap_or(Path::new("."));
    checks.extend(system::free_space(place).ok().map(|free| disk(place, free)));
    checks
}

fn programs(store: &Store) -> Check {
    const NAME: &str = "control plane";
    const SETUP: &str = "opctl envtest setup";
    match Programs::find(None, store) {
        Err(error) => Check::error(NAME, error.message(), error.hint_or_none()),
        Ok(None) => Check::warning(NAME, "it is not set up; the first `opctl test` sets it up", SETUP),
        Ok(Some(programs)) => {
            let place = programs.api_server.display().to_string();
            match programs.controller_manager {
                Some(_) => Check::ok(NAME, place),
                None => Check::warning(
                    NAME,
                    format!("{place}, without kube-controller-manager, which simulated nodes need"),
                    SETUP,
                ),
            }
        }
    }
}

fn folder_size_check(name: &str, folder: &Path) -> Check {
    let size = size(folder);
    let message = if size == 0 { "empty".to_owned() } else { format!("{} in {}", human(size), folder.display()) };
    Check::ok(name, message)
}

fn disk(place: &Path, free: u64) -> Check {
    const CLEAN: &str = "cargo clean    # or make room elsewhere";
    let message = format!("{} free for {}", human(free), place.display());
    match free {
        free if free < NONE => Check::error("disk", message, CLEAN),
        free if free < SCARCE => Check::warning("disk", message, CLEAN),
        _ => Check::ok("disk", message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    #[test]
    fn a_full_disk_must_be_mended() {
        let verdict = |free| disk(Path::new("here"), free).verdict;
        assert_eq!(
            [verdict(NONE - 1), verdict(SCARCE - 1), verdict(SCARCE)],
            [Verdict::Error, Verdict::Warning, Verdict::Ok]
        );
        assert_eq!(disk(Path::new("here"), 3 * GIB).message, "3.00 GiB free for here");
    }

    #[test]
    fn sizes_of_stored_files_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a/b")).unwrap();
        std::fs::write(folder.path().join("a/b/c"), vec![0; 2048]).unwrap();
        assert_eq!(size(folder.path()), 2048);
        assert!(folder_size_check("x", folder.path()).message.starts_with("2.00 KiB in "));
        assert_eq!(folder_size_check("x", &folder.path().join("none")).message, "empty");
        assert_eq!(programs(&Store::new(folder.path())).name, "control plane");
        assert!(system::free_space(folder.path()).unwrap() > 0);
    }
}
