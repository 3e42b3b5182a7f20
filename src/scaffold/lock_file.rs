//! Creates a new project's `Cargo.lock`: inserts the project's packages, in cargo's order, into a lock file with
//! tested versions of all dependencies.

use crate::{Error, Result};
use std::collections::BTreeSet;
use toml_edit::{DocumentMut, Item, TableLike};

/// The name of the runtime's crate in a registry.
const RUNTIME: &str = "opctl-runtime";
const PACKAGE: &str = "[[package]]\n";

/// The manifests of a project's packages.
pub(super) const MANIFESTS: [&str; 3] = ["Cargo.toml", "api/Cargo.toml", "runtime/Cargo.toml"];

/// Adds the packages that the texts of `Cargo.toml` files describe to the lock file `lock`, which contains all
/// other packages, sorted by name.
///
/// # Errors
/// Fails if a manifest is not TOML, which is a defect in opctl.
pub(super) fn with_packages(lock: &str, manifests: &[String]) -> Result<String> {
    let mut own = manifests.iter().map(|manifest| package(manifest)).collect::<Result<Vec<_>>>()?;
    own.sort_by(|left, right| name_of(left).cmp(name_of(right)));
    let mut text = String::with_capacity(lock.len() + own.iter().map(|package| package.len() + 16).sum::<usize>());
    let mut rest = lock;
    for package in &own {
        let begins = |(at, _): &(usize, &str)| name_of(&rest[at + PACKAGE.len()..]) > name_of(package);
        let before;
        (before, rest) = rest.split_at(rest.match_indices(PACKAGE).find(begins).map_or(rest.len(), |(at, _)| at));
        let (above, below) = if rest.is_empty() { ("\n", "\n") } else { ("", "\n\n") };
        text.extend([before, above, PACKAGE, package, below]);
    }
    Ok(text + rest)
}

/// Returns the lines of a package in the lock file. The dependencies are all dependencies in the package's manifest,
/// including dev-dependencies and optional dependencies, but not the registry's crate `opctl-runtime`, which cargo
/// adds.
fn package(manifest: &str) -> Result<String> {
    let document = manifest.parse::<DocumentMut>();
    let document =
        document.map_err(|error| Error::bug("a `Cargo.toml` of the project is not valid TOML").source(&error))?;
    let text = |key: &str| document["package"][key].as_str().unwrap_or_default();
    let tables = ["dependencies", "dev-dependencies"].into_iter().filter_map(|key| document.get(key)?.as_table_like());
    // cargo completes the lock by the runtime of a registry, whose checksum only the registry knows.
    let names: BTreeSet<&str> =
        tables.flat_map(TableLike::iter).map(dependency).filter(|name| *name != RUNTIME).collect();
    let names: Vec<String> = names.iter().map(|name| format!(" \"{name}\",\n")).collect();
    let (name, version) = (text("name"), text("version"));
    Ok(format!("name = \"{name}\"\nversion = \"{version}\"\ndependencies = [\n{}]", names.concat()))
}

/// Returns the package name of a dependency, which may differ from the name in the code.
fn dependency<'a>((key, value): (&'a str, &'a Item)) -> &'a str {
    value.get("package").and_then(Item::as_str).unwrap_or(key)
}

fn name_of(package: &str) -> &str {
    package.strip_prefix("name = \"").and_then(|rest| rest.split('"').next()).unwrap_or_default()
}
