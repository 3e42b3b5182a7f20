//! Which definitions a real API server has taken as they are, so that it is not asked again.
//!
//! Kept beside the compiled shim, below cargo's target folder: what is lost is asked again.

use super::generate::{Generated, Manifests, refuse};
use super::lint::{Places, Refusal, UNVERIFIED, refused};
use super::shim;
use crate::{Result, error::file_error};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FILE: &str = "verified.json";

/// The hash of each definition that was taken, by its name.
fn read(folder: &Path) -> BTreeMap<String, String> {
    let text = fs::read(folder.join(FILE)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Keeps them, and forgets those of definitions that are no more.
fn write(folder: &Path, verified: &BTreeMap<String, String>) -> Result<()> {
    let path = folder.join(FILE);
    let text = serde_json::to_vec(verified).unwrap_or_default();
    fs::create_dir_all(folder).and_then(|()| fs::write(&path, text)).map_err(|error| file_error("write", &path, &error))
}

/// The hash of what a server judges: the definition without its annotations, by this opctl.
fn hash(definition: &Value) -> String {
    let judged = format!("{} {} {}", env!("CARGO_PKG_VERSION"), definition["metadata"]["name"], definition["spec"]);
    shim::digest(judged.as_bytes())
}

fn name(definition: &Value) -> String {
    definition["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}

impl Manifests {
    /// The definitions that no server has taken yet as they are, by name.
    pub fn unverified(&self) -> Vec<(String, Value)> {
        let verified = read(&self.memory);
        let unknown = |object: &&Value| verified.get(&name(object)) != Some(&hash(object));
        let objects = self.definitions.iter().map(|generated| &generated.object);
        objects.filter(unknown).map(|object| (name(object), object.clone())).collect()
    }

    /// Takes in what a server said about each definition that it was asked about, by name, and remembers those that it
    /// took.
    ///
    /// # Errors
    /// What is refused, each thing at its Rust field.
    pub fn judged(&mut self, refusals: &[(String, Vec<Refusal>)]) -> Result<()> {
        let known = read(&self.memory);
        let said = |object: &Value| refusals.iter().find(|(asked, _)| *asked == name(object)).map(|(_, said)| said);
        let mut taken = BTreeMap::new();
        for Generated { object, .. } in &self.definitions {
            let fine = said(object).map_or(known.get(&name(object)) == Some(&hash(object)), Vec::is_empty);
            if fine {
                taken.insert(name(object), hash(object));
            }
        }
        write(&self.memory, &taken)?;
        self.forget_verified();
        if refusals.iter().any(|(_, said)| !said.is_empty()) {
            let places = Places::read(&self.sources);
            for Generated { object, types } in &self.definitions {
                let types: Vec<_> = types.iter().collect();
                let found = refused(object, &types, said(object).map_or(&[], Vec::as_slice), &places);
                self.findings.splice(0..0, found);
            }
        }
        refuse(&self.findings)
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
