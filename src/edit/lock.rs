//! Merges the Cargo.lock of two branches, package by package.

use std::collections::{BTreeMap, BTreeSet};

const HEAD: &str = "[[package]]\n";

/// Merges the changes of both sides since `base` into one lock file. Returns `None` if both sides changed the same
/// package, unless they only changed its dependencies.
pub fn merge_locks(base: Option<&str>, ours: &str, theirs: &str) -> Option<String> {
    let head = ours.split(HEAD).next().unwrap_or_default();
    let [base, ours, theirs] = [base.unwrap_or_default(), ours, theirs].map(packages);
    let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let mut merged: Vec<(&str, String)> = Vec::new();
    for key in keys {
        let [base, ours, theirs] = [&base, &ours, &theirs].map(|packages| packages.get(key).copied());
        let package = match (ours, theirs) {
            _ if ours == theirs || base == theirs => ours.map(str::to_owned),
            _ if base == ours => theirs.map(str::to_owned),
            (Some(ours), Some(theirs)) => Some(merge_package(base.unwrap_or_default(), ours, theirs)?),
            _ => return None,
        };
        merged.extend(package.map(|package| (key.as_str(), package)));
    }
    let packages: Vec<String> = merged.iter().map(|(_, package)| format!("{HEAD}{package}\n")).collect();
    Some(format!("{head}{}", packages.join("\n")))
}

/// Returns the text of each package, keyed by its name, version and source, in the order of cargo's lock file.
fn packages(lock: &str) -> BTreeMap<String, &str> {
    let is_key = |line: &&str| ["name", "version", "source"].iter().any(|key| line.starts_with(key));
    let packages = lock.split(HEAD).skip(1).map(str::trim_end);
    packages.map(|package| (package.lines().take_while(is_key).collect(), package)).collect()
}

/// Merges a package for which both sides changed the list of dependencies. Returns `None` if anything else in the
/// package differs between `ours` and `theirs`.
fn merge_package(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let listed = |package: &str| -> Option<(String, BTreeSet<String>)> {
        let (head, list) = package.split_once("dependencies = [\n")?;
        Some((head.to_owned(), list.strip_suffix(']')?.lines().map(str::to_owned).collect()))
    };
    let known = listed(base).map(|(_, list)| list).unwrap_or_default();
    let ((head, ours), (other_head, theirs)) = (listed(ours)?, listed(theirs)?);
    let stays = |line: &&String| ours.contains(*line) && theirs.contains(*line) || !known.contains(*line);
    let lines: Vec<String> = ours.union(&theirs).filter(stays).map(|line| format!("{line}\n")).collect();
    (head == other_head).then(|| format!("{head}dependencies = [\n{}]", lines.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(packages: &[(&str, &[&str])]) -> String {
        let packages: Vec<String> = packages
            .iter()
            .map(|(name, dependencies)| {
                let lines: Vec<String> = dependencies.iter().map(|name| format!(" \"{name}\",\n")).collect();
                let list =
                    if lines.is_empty() { String::new() } else { format!("dependencies = [\n{}]\n", lines.concat()) };
                format!("[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n{list}")
            })
            .collect();
        format!("# Made by cargo.\nversion = 4\n\n{}", packages.join("\n"))
    }

    #[test]
    fn both_sides_add_a_crate() {
        let base = lock(&[("app", &["m"]), ("gone", &[]), ("m", &[])]);
        let ours = lock(&[("app", &["b", "m"]), ("b", &[]), ("gone", &[]), ("m", &[])]);
        let theirs = lock(&[("a", &["m"]), ("app", &["a", "m"]), ("m", &[])]);
        let merged = lock(&[("a", &["m"]), ("app", &["a", "b", "m"]), ("b", &[]), ("m", &[])]);
        assert_eq!(merge_locks(Some(&base), &ours, &theirs).as_deref(), Some(merged.as_str()));
        assert_eq!(merge_locks(Some(&ours), &ours, &ours).as_deref(), Some(ours.as_str()));
    }

    #[test]
    fn a_package_changed_on_one_side_and_removed_on_the_other_is_not_merged() {
        let base = lock(&[("app", &["m"]), ("m", &[])]);
        let ours = base.replace("\"m\"\nversion = \"1.0.0\"\n", "\"m\"\nversion = \"1.0.0\"\nchecksum = \"1\"\n");
        assert!(merge_locks(Some(&base), &ours, &lock(&[("app", &["m"])])).is_none(), "changed and removed");
    }
}
