//! Compares the CRDs of a project with older CRDs.

use super::older::Older;
use super::subject::Subject;
use super::{bounds, definition, schema};
use crate::finding::{Finding, Lint};
use crate::source::discover::ApiType;
use crate::source::places::Places;
use serde_json::Value;
use std::path::{Path, PathBuf};

static OWN: &[&Lint] = &[&GONE_DEFINITION, &bounds::NARROWED];

pub(crate) static GONE_DEFINITION: Lint = Lint::error(
    "OP601",
    "a CRD that was removed",
    "When a CRD is deleted from a cluster, all objects of its kind are deleted with it.",
    "// the type `WebServer` is removed",
    "#[kube(group = \"example.com\", version = \"v1\", kind = \"WebServer\", deprecated = \"use Site\")]",
);

pub(crate) fn lints() -> impl Iterator<Item = &'static Lint> {
    [OWN, definition::LINTS, schema::LINTS].into_iter().flatten().copied()
}

/// Compares each older CRD with the newer CRD of the same name, or of the same group and kind.
pub(in crate::manifest) fn compare(
    older: &Older,
    newer: &[(PathBuf, Value)],
    types: &[ApiType],
    places: &Places,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, old) in &older.definitions {
        let same = |(_, new): &&(PathBuf, Value)| {
            let both = |pointer: &str| old.pointer(pointer).is_some() && old.pointer(pointer) == new.pointer(pointer);
            both("/metadata/name") || (both("/spec/group") && both("/spec/names/kind"))
        };
        let found = newer.iter().find(same);
        let mut subject = Subject::new(old, found.map_or(file, |(file, _)| file), types, places);
        match found {
            Some((_, new)) => definition::compare(&mut subject, old, new),
            None if older.complete => {
                let reason = format!(
                    "the CRD `{}` is removed, and deleting it from a cluster deletes all its objects",
                    subject.definition
                );
                subject.say(
                    &GONE_DEFINITION,
                    None,
                    reason,
                    "keep the type, or tell its users how to migrate before you remove it",
                );
            }
            None => {}
        }
        findings.append(&mut subject.findings);
    }
    findings
}

/// Returns a finding if objects that are stored under the older CRD would lose fields under the newer CRD.
pub(in crate::manifest) fn storage_loss(
    (file, old): (&Path, &Value),
    new: &Value,
    types: &[ApiType],
    places: &Places,
) -> Option<Finding> {
    let mut subject = Subject::new(old, file, types, places);
    definition::storage_loss(&mut subject, old, new);
    subject.findings.pop()
}
