//! The lock file of a new project: the tested lock file, with the project's own packages where cargo sorts them.

use crate::{Error, Result};
use std::collections::BTreeSet;
use toml_edit::{DocumentMut, Item, TableLike};

/// The manifests of a project's packages.
pub(super) const MANIFESTS: [&str; 3] = ["Cargo.toml", "api/Cargo.toml", "runtime/Cargo.toml"];

/// Adds the packages with these manifests to `lock`, which holds all others sorted by name.
///
/// # Errors
/// Fails if a manifest is not TOML, which is a defect in opctl.
pub(super) fn with_packages(lock: &str, manifests: &[String]) -> Result<String> {
    let own = manifests.iter().map(|manifest| package(manifest)).collect::<Result<Vec<_>>>()?;
    let (head, rest) = lock.split_once("[[package]]\n").unwrap_or((lock, ""));
    let mut packages: Vec<&str> = rest.split("\n[[package]]\n").map(|package| package.trim_end_matches('\n')).collect();
    packages.extend(own.iter().map(String::as_str));
    packages.sort_by_key(|package| name_of(package).to_owned());
    let packages: Vec<String> = packages.iter().map(|package| format!("[[package]]\n{package}\n")).collect();
    Ok(format!("{head}{}", packages.join("\n")))
}

/// Returns the lines of a package in the lock file, with all dependencies in its manifest, including those of tests and
/// of features.
fn package(manifest: &str) -> Result<String> {
    let document = manifest.parse::<DocumentMut>();
    let document = document.map_err(|error| Error::bug("a manifest of a project is no TOML").source(&error))?;
    let text = |key: &str| document["package"][key].as_str().unwrap_or_default();
    let tables = ["dependencies", "dev-dependencies"].into_iter().filter_map(|key| document.get(key)?.as_table_like());
    let names: BTreeSet<&str> = tables.flat_map(TableLike::iter).map(dependency).collect();
    let names: Vec<String> = names.iter().map(|name| format!(" \"{name}\",\n")).collect();
    let (name, version) = (text("name"), text("version"));
    Ok(format!("name = \"{name}\"\nversion = \"{version}\"\ndependencies = [\n{}]", names.concat()))
}

/// Returns the package of a dependency, which may have another name in the code.
fn dependency<'a>((key, value): (&'a str, &'a Item)) -> &'a str {
    value.get("package").and_then(Item::as_str).unwrap_or(key)
}

fn name_of(package: &str) -> &str {
    package.strip_prefix("name = \"").and_then(|rest| rest.split('"').next()).unwrap_or_default()
}
