//! The oldest Kubernetes version that an operator supports, and the types and fields that this version lacks.

use crate::exec::{Metadata, resolved_metadata};
use crate::kube_rs::{KubernetesTypes, NewerTypes};
use crate::reading::{self, Limit};
use crate::source::crate_sources::rust_files;
use crate::{Result, error::file_error};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// An old version of Kubernetes, and the types and fields that this version lacks.
#[derive(Clone, Debug)]
pub struct OldestKubernetes {
    /// The version, such as `1.34`.
    pub version: String,
    /// The types and fields that the Kubernetes version of the operator's compiled code has and this older version
    /// lacks.
    pub(crate) lacks: NewerTypes,
}

impl OldestKubernetes {
    /// Finds the types and fields that the operator at `root` is compiled with, but that Kubernetes 1.`minor` lacks. If
    /// k8s-openapi has no types for 1.`minor`, uses the next newer version for which it has types. cargo downloads the
    /// sources of k8s-openapi if they are missing. With `locked`, Cargo.lock does not change.
    ///
    /// Returns `None` if the operator is compiled with the types of 1.`minor` or older, or without k8s-openapi.
    ///
    /// # Errors
    /// Fails if the sources of k8s-openapi cannot be read, or if cargo fails.
    pub fn compare(root: &Path, minor: u32, locked: bool) -> Result<Option<Self>> {
        let metadata = resolved_metadata(root, if locked { &["--locked"] } else { &[] })?;
        let Some(sources) = Sources::of(&metadata) else { return Ok(None) };
        if minor >= sources.used {
            return Ok(None);
        }
        // k8s-openapi has no types of older versions: they lack at least what its oldest version lacks.
        let minor = sources.minors.iter().copied().find(|there| *there >= minor).unwrap_or(sources.used);
        let lacks = sources.types(sources.used)?.newer_than(&sources.types(minor)?);
        Ok(Some(OldestKubernetes { version: format!("1.{minor}"), lacks }))
    }
}

/// The sources of k8s-openapi that the operator is compiled with.
#[derive(Debug, PartialEq)]
struct Sources {
    folder: PathBuf,
    /// The minor version of Kubernetes whose types the operator is compiled with.
    used: u32,
    /// The minor versions of Kubernetes that k8s-openapi has types for, in ascending order.
    minors: Vec<u32>,
}

impl Sources {
    /// Finds k8s-openapi in cargo's metadata; returns `None` if the operator does not use k8s-openapi.
    fn of(metadata: &Metadata) -> Option<Self> {
        let package = metadata.packages.iter().find(|package| package.name == "k8s-openapi")?;
        let node = metadata.resolve.as_ref()?.nodes.iter().find(|node| node.id == package.id)?;
        let minor = |feature: &String| feature.strip_prefix("v1_")?.parse().ok();
        let mut minors: Vec<u32> = package.features.keys().filter_map(minor).collect();
        minors.sort_unstable();
        let used = node.features.iter().find_map(minor)?;
        Some(Sources { folder: package.manifest_path.parent()?.to_owned(), used, minors })
    }

    /// Reads the types of Kubernetes 1.`minor`.
    fn types(&self, minor: u32) -> Result<KubernetesTypes> {
        let folder = PathBuf::from(format!("src/v1_{minor}"));
        let files = rust_files(&self.folder, &folder)?;
        if files.is_empty() {
            return Err(file_error("read", &self.folder.join(folder), &ErrorKind::NotFound.into()));
        }
        let mut types = KubernetesTypes::default();
        for file in files.into_iter().map(|file| self.folder.join(file)) {
            types.add(&reading::text(&file, Limit::Source).map_err(|error| file_error("read", &file, &error))?);
        }
        Ok(types)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_types_in_use_are_those_of_the_enabled_feature() {
        let package = |name: &str, features| {
            json!({
                "id": name, "name": name, "version": "1.0.0", "manifest_path": format!("/{name}/Cargo.toml"), "default_run": null,
                "targets": [], "dependencies": [], "features": features,
            })
        };
        let sources = |packages: &[_], enabled: &[&str]| {
            let nodes = json!([{"id": "k8s-openapi", "features": enabled}]);
            let metadata = json!({"packages": packages, "workspace_root": "/a", "resolve": {"nodes": nodes}});
            Sources::of(&serde_json::from_value(metadata).unwrap())
        };
        let features = json!({"latest": ["v1_37"], "std": [], "v1_9": [], "v1_36": [], "v1_37": []});
        let used = package("k8s-openapi", features);
        let expected = Sources { folder: "/k8s-openapi".into(), used: 37, minors: vec![9, 36, 37] };
        let enabled = ["latest", "std", "v1_37"];
        assert_eq!(sources(&[package("kube", json!({})), used.clone()], &enabled), Some(expected));
        assert_eq!(sources(&[used], &["std"]), None);
        assert_eq!(sources(&[package("kube", json!({}))], &[]), None);
    }
}
