//! Checks of the project's files: of its crates, and of the API versions in `config`.

use super::super::version::{locked_version, versions_in};
use super::api_versions::api_version_replacement;
use super::versions::version;
use crate::error::{Hint, hint};
use crate::reading::{self, Limit};
use crate::report::Check;
use crate::yaml;
use std::path::Path;

/// Returns the project's `rust-version`.
pub(super) fn rust_version(root: &Path) -> Option<String> {
    let manifest: toml_edit::DocumentMut =
        reading::text_within(root, "Cargo.toml", Limit::Source).ok()?.parse().ok()?;
    let package = |table: &toml_edit::Item| table.get("package")?.get("rust-version")?.as_str().map(str::to_owned);
    package(manifest.as_item()).or_else(|| package(manifest.get("workspace")?))
}

/// Checks the Kubernetes crates of the project at `root`, and the API versions in its folder `config`. `is_adopted` is
/// true for a project that `opctl adopt` took over; it only changes the hints.
pub(super) fn checks(root: &Path, is_adopted: bool) -> Vec<Check> {
    let mut checks = crates(root, is_adopted);
    let mut old = Vec::new();
    api_versions(root, &root.join("config"), &mut old);
    if old.is_empty() {
        old.push(Check::ok("config", "no API version that Kubernetes has removed"));
    }
    checks.extend(old);
    checks
}

/// Returns the Kubernetes crates that the project uses, with their versions.
pub(super) fn crates_of(root: &Path) -> Vec<(&'static str, String)> {
    let lock = reading::text_within(root, "Cargo.lock", Limit::Source).unwrap_or_default();
    ["kube", "k8s-openapi"].into_iter().filter_map(|name| Some((name, of_lock(&lock, name)?))).collect()
}

/// Compares the versions of the project's Kubernetes crates with the versions in a new project. `is_adopted` is true
/// for
/// a project that `opctl adopt` took over: `opctl update` cannot update the crates of such a project.
fn crates(root: &Path, is_adopted: bool) -> Vec<Check> {
    let check = |(name, found): (&str, String)| {
        let newest = locked_version(name)?;
        if version(&found) < version(&newest) {
            let message = format!("{found}, and new projects have {newest}");
            // `opctl update` does not edit the Cargo.toml files of an adopted operator.
            let hint = if is_adopted {
                Hint::snippet(format!(
                    "{name} = \"{newest}\"    # in Cargo.toml, with the same features as before: \
                     https://kube.rs/upgrading/"
                ))
            } else {
                "opctl update    # after: git commit -a".into()
            };
            return Some(Check::warning(name, message, hint));
        }
        Some(Check::ok(name, found))
    };
    crates_of(root).into_iter().filter_map(check).collect()
}

/// Returns the newest version of a package in a lock file.
fn of_lock(lock: &str, name: &str) -> Option<String> {
    versions_in(lock, name).max_by_key(|text| version(text)).map(str::to_owned)
}

/// Adds to `checks` an error for each object in the YAML files below `folder` whose API version is no longer served.
/// Messages name the files relative to `root`.
fn api_versions(root: &Path, folder: &Path, checks: &mut Vec<Check>) {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            api_versions(root, &path, checks);
            continue;
        }
        let text = yaml::is_yaml(&path).then(|| reading::text(&path, Limit::Source).ok()).flatten();
        let Some(text) = text else { continue };
        // A file that is not YAML is an error in the commands that need it.
        for object in yaml::read(&text).unwrap_or_default() {
            let part = |key: &str| object[key].as_str().unwrap_or_default();
            let Some((since, instead)) = api_version_replacement(part("apiVersion"), part("kind")) else { continue };
            let place = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let (found, kind) = (part("apiVersion"), part("kind"));
            let message = format!("`{found}` of {kind} has not been served since Kubernetes {since}");
            checks.push(Check::error(
                "config",
                message,
                hint!("write `apiVersion: {instead}` in {place}", instead, place),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    #[test]
    fn old_crates_and_api_versions_are_found() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("Cargo.toml", "[workspace.package]\nrust-version = \"1.80\"\n");
        assert_eq!(rust_version(root.path()).as_deref(), Some("1.80"));
        write("Cargo.toml", "[package]\nrust-version = \"1.81\"\n");
        assert_eq!(rust_version(root.path()).as_deref(), Some("1.81"));
        write(
            "Cargo.lock",
            "[[package]]\nname = \"kube\"\nversion = \"0.9.0\"\n\n[[package]]\nname = \"kube\"\nversion = \"0.10.0\"\n",
        );
        write(
            "config/a/x.yaml",
            "apiVersion: v1\nkind: Service\n---\napiVersion: policy/v1beta1\nkind: PodDisruptionBudget\n",
        );
        write("config/a/y.yaml", "{{ not yaml\n");
        let adopted = checks(root.path(), true);
        assert!(adopted[0].hint.as_ref().is_some_and(|hint| hint.as_str().starts_with("kube = \"")), "{adopted:?}");
        let checks = checks(root.path(), false);
        let shown: Vec<(&str, Verdict)> = checks.iter().map(|check| (check.name.as_str(), check.verdict)).collect();
        assert_eq!(shown, [("kube", Verdict::Warning), ("config", Verdict::Error)]);
        assert!(checks[0].message.starts_with("0.10.0, and new projects have "), "{checks:?}");
        assert_eq!(checks[1].hint, Some("write `apiVersion: policy/v1` in config/a/x.yaml".into()));
        std::fs::remove_dir_all(root.path().join("config")).unwrap();
        assert_eq!(super::checks(root.path(), false)[1].verdict, Verdict::Ok);
    }
}
