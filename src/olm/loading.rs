//! Checks that a bundle has its folders, readable files and exactly one `ClusterServiceVersion`.

use super::bundle::{Bundle, Unreadable};
use super::field_types;
use crate::finding::{Finding, Lint};
use std::path::Path;

pub(super) static LINTS: &[&Lint] = &[&FOLDERS, &NO_MANIFEST, &VERSIONS];

pub(super) static FOLDERS: Lint = Lint::error(
    "OP701",
    "a bundle with missing folders, or with folders or hidden files in `manifests`",
    "A bundle consists of a folder `manifests` with only files, and a folder `metadata`. OLM tools refuse a bundle \
     that lacks either folder, or that has folders or hidden files in `manifests`.",
    "bundle/manifests/crds/webservers.example.com.yaml",
    "bundle/manifests/webservers.example.com.yaml\nbundle/metadata/annotations.yaml",
);

pub(super) static NO_MANIFEST: Lint = Lint::error(
    "OP702",
    "a file in the bundle that is not a valid manifest",
    "Each file in `manifests` must be one object in YAML or JSON, with the field types that its kind defines. \
     Otherwise, OLM cannot load the bundle.",
    "# bundle/manifests/README.md\nThis bundle ...",
    "apiVersion: v1\nkind: ConfigMap",
);

pub(super) static VERSIONS: Lint = Lint::error(
    "OP703",
    "a bundle without exactly one ClusterServiceVersion",
    "A bundle is one version of an operator, and the ClusterServiceVersion describes it. OLM tools report `contains \
     multiple CSVs` or `unable to find a csv`.",
    "bundle/manifests/web.v1.clusterserviceversion.yaml\nbundle/manifests/web.v2.clusterserviceversion.yaml",
    "bundle/manifests/web.clusterserviceversion.yaml",
);

/// Returns the finding about a file that cannot be read as a Kubernetes object, or about a folder in `manifests/`.
fn unreadable_file_finding(Unreadable { file, reason }: &Unreadable) -> Finding {
    let Some(reason) = reason else {
        let reason = format!("`{file}` is a folder, but `manifests` must contain only files");
        return Finding::new(
            &FOLDERS,
            Path::new(file),
            1,
            reason,
            "move the folder's files to `manifests`, and remove the folder",
        );
    };
    let reason = format!("`{file}` is not a manifest: {reason}");
    Finding::new(
        &NO_MANIFEST,
        Path::new(file),
        1,
        reason,
        "write one object into the file, or move the file out of the bundle",
    )
}

fn missing_folders(bundle: &Bundle) -> impl Iterator<Item = &'static str> {
    ["manifests", "metadata"].into_iter().filter(|folder| {
        let below = format!("{folder}/");
        !bundle.files.iter().any(|file| file.path.starts_with(&below))
    })
}

/// Returns true if the bundle has the folders `manifests` and `metadata`.
pub(super) fn has_folders(bundle: &Bundle) -> bool {
    missing_folders(bundle).next().is_none()
}

/// Checks that the bundle has the folders `manifests` and `metadata`, and that `manifests` has no hidden file.
pub(super) fn folders(bundle: &Bundle) -> Vec<Finding> {
    let missing = missing_folders(bundle);
    let place = |folder: &str| bundle.finding_path(folder);
    let missing = missing.map(|folder| {
        let reason = format!("the bundle has no folder `{folder}`");
        Finding::new(&FOLDERS, Path::new(&place(folder)), 1, reason, "opctl bundle    # writes the bundle of a project")
    });
    let hidden = bundle.files.iter().filter(|file| file.path.starts_with("manifests/."));
    let hidden = hidden.map(|file| {
        let named = place(&file.path);
        let reason = format!("`{named}` is hidden, and OLM refuses hidden files in `manifests`");
        Finding::new(&FOLDERS, Path::new(&named), 1, reason, "remove the file from the bundle")
    });
    missing.chain(hidden).collect()
}

/// Checks that each object can be loaded, and that the bundle has exactly one `ClusterServiceVersion`.
pub(super) fn objects(bundle: &Bundle) -> Vec<Finding> {
    let mut findings: Vec<Finding> = bundle.unreadable.iter().map(unreadable_file_finding).collect();
    for manifest in &bundle.manifests {
        if manifest.kind().is_empty() {
            let reason = format!("the object in `{}` has no `kind`", manifest.file);
            findings.push(manifest.finding(&NO_MANIFEST, "/kind", reason, "kind: ConfigMap"));
        }
        if let Some(reason) = field_types::mistake(manifest) {
            let reason = format!("the {} in `{}` cannot be loaded: {reason}", manifest.kind(), manifest.file);
            findings.push(manifest.finding(&NO_MANIFEST, "", reason, "correct the type of the field"));
        }
    }
    let versions: Vec<_> = bundle.of_kind("ClusterServiceVersion").collect();
    match versions.as_slice() {
        [_] => {}
        [] => {
            let reason = "the bundle has no ClusterServiceVersion";
            let place = bundle.finding_path("manifests");
            findings.push(Finding::new(&VERSIONS, Path::new(&place), 1, reason, "opctl bundle    # writes one"));
        }
        [_, others @ ..] => findings.extend(others.iter().map(|other| {
            let reason = format!("the ClusterServiceVersion `{}` is not the only one in the bundle", other.name());
            other.finding(&VERSIONS, "/metadata/name", reason, "move this ClusterServiceVersion into a separate bundle")
        })),
    }
    findings
}
