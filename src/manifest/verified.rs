//! Which definitions a real API server has taken as they are, so that it is not asked again.
//!
//! Kept beside the compiled shim, below cargo's target folder: what is lost is asked again.

use super::generate::refuse;
use super::lint::{self, Refusal};
use super::manifests::{Generated, Manifests};
use super::places::{Located, Places};
use super::shim;
use crate::Result;
use crate::error::file_error;
use crate::finding::{Finding, UNVERIFIED, WARNED};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FILE: &str = "verified.json";

/// What a server said to a definition that it was asked about.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The definition's name.
    pub name: String,
    /// What is refused of it.
    pub refused: Vec<Refusal>,
    /// What it warns of, in its words.
    pub warnings: Vec<String>,
}

/// A definition that was taken.
#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
struct Taken {
    hash: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// The definitions that were taken, by name.
fn read(folder: &Path) -> BTreeMap<String, Taken> {
    let text = fs::read(folder.join(FILE)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Keeps them, and forgets those of definitions that are no more.
fn write(folder: &Path, verified: &BTreeMap<String, Taken>) -> Result<()> {
    let path = folder.join(FILE);
    let text = serde_json::to_vec(verified).unwrap_or_default();
    fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).map_err(|error| file_error("write", &path, &error))
}

/// The hash of what a server judges: the definition without its annotations, by this opctl.
fn hash(definition: &Value) -> String {
    let judged = format!("{} {} {}", env!("CARGO_PKG_VERSION"), definition["metadata"]["name"], definition["spec"]);
    shim::digest(judged.as_bytes())
}

/// What is known of a definition, if that is still as it was.
fn taken<'a>(known: &'a BTreeMap<String, Taken>, definition: &Value) -> Option<&'a Taken> {
    known.get(&name(definition)).filter(|taken| taken.hash == hash(definition))
}

fn name(definition: &Value) -> String {
    definition["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}

impl Manifests {
    /// The definitions that no server has taken yet as they are, by name.
    pub fn unverified(&self) -> Vec<(String, Value)> {
        let verified = read(&self.memory);
        let unknown = |object: &&Value| taken(&verified, object).is_none();
        let objects = self.definitions.iter().map(|generated| &generated.object);
        objects.filter(unknown).map(|object| (name(object), object.clone())).collect()
    }

    /// Takes in what a server said, and remembers the definitions that it took.
    ///
    /// # Errors
    /// What is refused, each thing at its Rust field.
    pub fn judged(&mut self, judgements: &[Judged]) -> Result<()> {
        let known = read(&self.memory);
        let said = |object: &Value| judgements.iter().find(|judged| judged.name == name(object));
        let mut all = BTreeMap::new();
        for Generated { object, .. } in &self.definitions {
            let fine = match said(object) {
                Some(judged) if judged.refused.is_empty() => {
                    Some(Taken { hash: hash(object), warnings: judged.warnings.clone() })
                }
                Some(_) => None,
                None => taken(&known, object).cloned(),
            };
            all.extend(fine.map(|fine| (name(object), fine)));
        }
        write(&self.memory, &all)?;
        self.forget_verified();
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
            // What else is allowed has been taken out before.
            warned = lint::apply_allowances(warned, &self.sources, &places, false);
            self.findings.splice(0..0, found);
            self.findings.extend(warned.into_iter().filter(|finding| finding.code == WARNED));
        }
        refuse(&self.findings, true)
    }

    /// What a server warned of when it was asked about the definitions as they are.
    pub(super) fn remembered(&self, sources: &Located) -> Vec<Finding> {
        let known = read(&self.memory);
        let mut findings = Vec::new();
        for Generated { object, types } in &self.definitions {
            let warnings = taken(&known, object).map_or(&[][..], |taken| &taken.warnings);
            if !warnings.is_empty() {
                let types: Vec<_> = types.iter().collect();
                findings.extend(lint::warned(object, &types, warnings, sources.places()));
            }
        }
        findings
    }

    /// Drops the warnings about what a server has been asked about since.
    pub(super) fn forget_verified(&mut self) {
        let unknown: Vec<String> = self.unverified().into_iter().map(|(name, _)| name).collect();
        let open = |generated: &&Generated| unknown.contains(&name(&generated.object));
        let open: Vec<&str> = self
            .definitions
            .iter()
            .filter(open)
            .flat_map(|generated| &generated.types)
            .map(|one| one.path.as_str())
            .collect();
        self.findings.retain(|finding| {
            finding.code != UNVERIFIED || finding.resource.as_deref().is_none_or(|resource| open.contains(&resource))
        });
    }
}
