//! Records the CRDs that a real API server has accepted, so that no server checks a CRD twice.
//!
//! The record is a file below cargo's target folder, in the folder where opctl compiles the program that prints the
//! schemas. If the record is lost, the CRDs are checked again.

use super::findings::refuse;
use super::judged::{self, name, without_judged};
use super::lint::{self, Cause, WARNED};
use super::lints::lints;
use super::manifests::{GeneratedDefinition, Manifests};
use crate::Result;
use crate::error::file_error;
use crate::finding::Finding;
use crate::reading::{self, Limit};
use crate::source::places::LazyPlaces;
use crate::system;
use crate::type_program;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const FILE: &str = "verified.json";

/// An API server's answer to one CRD.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The name of the CRD, such as `webservers.example.com`.
    pub name: String,
    /// The server's reasons for refusing the CRD.
    pub refused: Vec<Cause>,
    /// The server's warnings, in the server's words.
    pub warnings: Vec<String>,
}

/// The record of a CRD that an API server accepted.
#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
struct Accepted {
    hash: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// Reads the records of accepted CRDs, by CRD name.
fn read_accepted(folder: &Path) -> BTreeMap<String, Accepted> {
    let text = reading::bytes(folder.join(FILE), Limit::Bundle).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Writes the records of accepted CRDs, and replaces the previous records.
fn write_accepted(folder: &Path, verified: &BTreeMap<String, Accepted>) -> Result<()> {
    let path = folder.join(FILE);
    let text = serde_json::to_vec(verified).unwrap_or_default();
    system::create_folders(folder)
        .and_then(|()| system::write_file(&path, text))
        .map_err(|error| file_error("write", &path, &error))
}

/// Returns a hash of the CRD's name and spec, which are the parts that an API server checks, and of opctl's version.
fn hash(definition: &Value) -> String {
    let judged = format!("{} {} {}", env!("CARGO_PKG_VERSION"), definition["metadata"]["name"], definition["spec"]);
    type_program::digest(judged.as_bytes())
}

/// Returns the record of a CRD that has not changed since an API server accepted the CRD.
fn accepted_record<'a>(known: &'a BTreeMap<String, Accepted>, definition: &Value) -> Option<&'a Accepted> {
    known.get(&name(definition)).filter(|accepted| accepted.hash == hash(definition))
}

fn unverified_definitions<'a>(
    memory: &Path,
    definitions: &'a [GeneratedDefinition],
) -> impl Iterator<Item = &'a Value> {
    let verified = read_accepted(memory);
    let objects = definitions.iter().map(|generated| &generated.object);
    objects.filter(move |object| accepted_record(&verified, object).is_none())
}

/// Returns the API server's warnings about CRDs that have not changed since the server accepted them.
pub(super) fn remembered_warnings(
    memory: &Path,
    definitions: &[GeneratedDefinition],
    sources: &LazyPlaces,
) -> Vec<Finding> {
    let known = read_accepted(memory);
    let said = definitions.iter().filter_map(|made| Some((made, &accepted_record(&known, &made.object)?.warnings)));
    let said = said.filter(|(_, warnings)| !warnings.is_empty());
    said.flat_map(|(made, warnings)| lint::warning_findings(&made.object, &made.types, warnings, sources.places()))
        .collect()
}

impl Manifests {
    /// Returns the CRDs that no API server has accepted in their current form, each with its name.
    pub fn unverified_definitions(&self) -> Vec<(String, Value)> {
        unverified_definitions(&self.memory, &self.definitions).map(|object| (name(object), object.clone())).collect()
    }

    /// Records the CRDs that a server accepted. Returns the manifests with findings about the server's answers.
    ///
    /// # Errors
    /// Fails if the server refused a CRD, with a finding for each reason at the Rust field.
    pub fn record_judgements(self, judgements: &[Verification]) -> Result<Self> {
        let known = read_accepted(&self.memory);
        let said = |object: &Value| judgements.iter().find(|judged| judged.name == name(object));
        let fine = self.definitions.iter().filter_map(|GeneratedDefinition { object, .. }| match said(object) {
            Some(judged) => {
                let accepted = Accepted { hash: hash(object), warnings: judged.warnings.clone() };
                judged.refused.is_empty().then(|| (name(object), accepted))
            }
            None => Some((name(object), accepted_record(&known, object)?.clone())),
        });
        let fine: BTreeMap<String, Accepted> = fine.collect();
        write_accepted(&self.memory, &fine)?;
        let objects = self.definitions.iter().map(|generated| &generated.object);
        judged::remember(&self.memory, objects.filter(|object| fine.contains_key(&name(object))))?;
        let (mut found, mut warned) = (Vec::new(), Vec::new());
        for GeneratedDefinition { object, types, .. } in &self.definitions {
            if let Some(judged) =
                said(object).filter(|judged| !judged.refused.is_empty() || !judged.warnings.is_empty())
            {
                found.extend(lint::refusal_findings(object, types, &judged.refused, self.sources.places()));
                warned.extend(lint::warning_findings(object, types, &judged.warnings, self.sources.places()));
            }
        }
        // All other allowances have been applied before.
        let mut warned = lint::apply_allowances(warned, &self.sources, |_| false, &lints());
        warned.retain(|finding| finding.code == WARNED.code);
        let before = without_judged(self.findings, &self.memory, &self.definitions);
        let findings = [found, before, warned].concat();
        refuse(&findings, true)?;
        Ok(Manifests { findings, ..self })
    }
}
