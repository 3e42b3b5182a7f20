//! Compares CRDs with older ones of the same name, and reports the changes that break users of the API.
//!
//! A change breaks users if an object that the older CRD allowed is refused or comes back incomplete, or if a request
//! that worked fails (Kubernetes, "Changing the API",
//! <https://git.k8s.io/community/contributors/devel/sig-architecture/api_changes.md>). A change that only allows more
//! is fine.

mod bounds;
mod definition;
mod schema;
mod subject;

pub(crate) use definition::LOSS;

use crate::finding::{Finding, Lint};
use crate::source::discover::ApiType;
use crate::source::places::Places;
use crate::{Error, Result, conflict, yaml};
use serde_json::Value;
use std::path::{Path, PathBuf};
use subject::Subject;

static OWN: &[&Lint] = &[&GONE_DEFINITION, &bounds::NARROWED];

pub(crate) static GONE_DEFINITION: Lint = Lint::error(
    "OP601",
    "a definition that is gone",
    "When the definition leaves a cluster, all objects of its kind leave with it.",
    "// the type `WebServer` is removed",
    "#[kube(group = \"example.com\", version = \"v1\", kind = \"WebServer\", deprecated = \"use Site\")]",
);

pub(crate) fn lints() -> impl Iterator<Item = &'static Lint> {
    [OWN, definition::LINTS, schema::LINTS].into_iter().flatten().copied()
}

/// Older CRDs to compare with.
#[derive(Clone, Debug, Default)]
pub struct Older {
    /// The user's name for the older CRDs, such as `main`.
    pub name: String,
    /// The older CRDs, each with its file at that time, below the project's root.
    pub definitions: Vec<(PathBuf, Value)>,
    /// The project's CRDs that are not made from Rust types.
    pub beside: Vec<(PathBuf, Value)>,
    /// Reports a missing CRD. False for a cluster, which also has CRDs of other projects.
    pub complete: bool,
}

impl Older {
    /// Returns the CRDs in a file, also those in a list; other objects are left out.
    ///
    /// # Errors
    /// Fails if the file is not YAML.
    pub fn read(file: &Path, text: &str) -> Result<Vec<(PathBuf, Value)>> {
        let documents = serde_yaml::from_multiple::<Value>(text).map_err(|error| {
            let otherwise = Error::user(format!("`{}` is not valid YAML", file.display()))
                .caused_by(yaml::cause(&error))
                .hint("fix the file, or name another one");
            conflict::or(&file.display().to_string(), text, otherwise)
        })?;
        let lists = documents.into_iter().flat_map(|document| match document["items"].as_array() {
            Some(items) => items.clone(),
            None => vec![document],
        });
        let definitions = lists.filter(|document| document["kind"] == "CustomResourceDefinition");
        Ok(definitions.map(|definition| (file.to_owned(), definition)).collect())
    }
}

/// Compares each older CRD with the one of the same name, or of the same group and kind.
pub(super) fn compare(older: &Older, newer: &[(PathBuf, Value)], types: &[ApiType], places: &Places) -> Vec<Finding> {
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
                let reason = format!("the CRD `{}` is gone, and all its objects with it", subject.definition);
                subject.say(
                    &GONE_DEFINITION,
                    None,
                    reason,
                    "keep the type, or tell its users how to move before it goes",
                );
            }
            None => {}
        }
        findings.append(&mut subject.findings);
    }
    findings
}

/// Reports the fields that objects stored under an older CRD would lose.
pub(super) fn storage_loss(
    (file, old): (&Path, &Value),
    new: &Value,
    types: &[ApiType],
    places: &Places,
) -> Option<Finding> {
    let mut subject = Subject::new(old, file, types, places);
    definition::storage_loss(&mut subject, old, new);
    subject.findings.pop()
}

#[cfg(test)]
mod tests;
