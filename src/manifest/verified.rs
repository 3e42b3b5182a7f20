//! Remembers the CRDs that a real API server has accepted, so that no server is asked about them twice.
//!
//! The record lies beside the compiled shim, below cargo's target folder: if it is lost, the server is asked again.

use super::generate::refuse;
use super::lint::{self, Cause, UNVERIFIED, WARNED};
use super::lints::lints;
use super::manifests::{Generated, Manifests};
use crate::Result;
use crate::error::file_error;
use crate::finding::Finding;
use crate::reading::{self, Limit};
use crate::source::places::{Located, Places};
use crate::{exec, shim};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const FILE: &str = "verified.json";

/// An API server's answer to one CRD.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The CRD's name.
    pub name: String,
    /// The server's reasons for refusing the CRD.
    pub refused: Vec<Cause>,
    /// The server's warnings, in its words.
    pub warnings: Vec<String>,
}

/// A CRD that a server accepted.
#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
struct Accepted {
    hash: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// Returns the folder below cargo's target folder that keeps from run to run what is known of the project at `root`, an
/// absolute path. If it is lost, things are only compiled or asked again.
pub fn memory(root: &Path) -> PathBuf {
    shim::folder(root, &exec::target_folder(root))
}

/// Reads the accepted CRDs, by name.
fn read_accepted(folder: &Path) -> BTreeMap<String, Accepted> {
    let text = reading::bytes(folder.join(FILE), Limit::Bundle).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Replaces the accepted CRDs on disk.
fn write_accepted(folder: &Path, verified: &BTreeMap<String, Accepted>) -> Result<()> {
    let path = folder.join(FILE);
    let text = serde_json::to_vec(verified).unwrap_or_default();
    fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).map_err(|error| file_error("write", &path, &error))
}

/// Returns the hash of the fields that a server judges, the CRD's name and spec, and of opctl's version.
fn hash(definition: &Value) -> String {
    let judged = format!("{} {} {}", env!("CARGO_PKG_VERSION"), definition["metadata"]["name"], definition["spec"]);
    shim::digest(judged.as_bytes())
}

/// Returns the record of a CRD that has not changed since it was accepted.
fn accepted<'a>(known: &'a BTreeMap<String, Accepted>, definition: &Value) -> Option<&'a Accepted> {
    known.get(&name(definition)).filter(|accepted| accepted.hash == hash(definition))
}

fn name(definition: &Value) -> String {
    definition["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}

impl Manifests {
    /// Returns the CRDs that no server has accepted in this form, by name.
    pub fn unverified(&self) -> Vec<(String, Value)> {
        let verified = read_accepted(&self.memory);
        let unknown = |object: &&Value| accepted(&verified, object).is_none();
        let objects = self.definitions.iter().map(|generated| &generated.object);
        objects.filter(unknown).map(|object| (name(object), object.clone())).collect()
    }

    /// Adds a server's answers to the findings, and remembers the CRDs that it accepted.
    ///
    /// # Errors
    /// Fails if the server refused a CRD: one finding for each reason, at its Rust field.
    pub fn judged(&mut self, judgements: &[Verification]) -> Result<()> {
        let known = read_accepted(&self.memory);
        let said = |object: &Value| judgements.iter().find(|judged| judged.name == name(object));
        let mut all = BTreeMap::new();
        for Generated { object, .. } in &self.definitions {
            let fine = match said(object) {
                Some(judged) if judged.refused.is_empty() => {
                    Some(Accepted { hash: hash(object), warnings: judged.warnings.clone() })
                }
                Some(_) => None,
                None => accepted(&known, object).cloned(),
            };
            all.extend(fine.map(|fine| (name(object), fine)));
        }
        write_accepted(&self.memory, &all)?;
        self.drop_unverified_warnings();
        if judgements.iter().any(|judged| !judged.refused.is_empty() || !judged.warnings.is_empty()) {
            let places = Places::read(&self.sources);
            let (mut found, mut warned) = (Vec::new(), Vec::new());
            for Generated { object, types } in &self.definitions {
                let types: Vec<_> = types.iter().collect();
                if let Some(judged) = said(object) {
                    found.extend(lint::refused(object, &types, &judged.refused, &places));
                    warned.extend(lint::warned(object, &types, &judged.warnings, &places));
                }
            }
            // All other allowances have been applied before.
            warned = lint::apply_allowances(warned, &self.sources, &places, |_| false, &lints());
            self.findings.splice(0..0, found);
            self.findings.extend(warned.into_iter().filter(|finding| finding.code == WARNED.code));
        }
        refuse(&self.findings, true)
    }

    /// Returns the server's warnings about CRDs that have not changed since the server accepted them.
    pub(super) fn remembered(&self, sources: &Located) -> Vec<Finding> {
        let known = read_accepted(&self.memory);
        let mut findings = Vec::new();
        for Generated { object, types } in &self.definitions {
            let warnings = accepted(&known, object).map_or(&[][..], |accepted| &accepted.warnings);
            if !warnings.is_empty() {
                let types: Vec<_> = types.iter().collect();
                findings.extend(lint::warned(object, &types, warnings, sources.places()));
            }
        }
        findings
    }

    /// Removes OP551 for CRDs that a server has accepted.
    pub(super) fn drop_unverified_warnings(&mut self) {
        let unknown: Vec<String> = self.unverified().into_iter().map(|(name, _)| name).collect();
        self.findings.retain(|finding| {
            finding.code != UNVERIFIED.code || finding.definition.as_ref().is_none_or(|name| unknown.contains(name))
        });
    }
}
