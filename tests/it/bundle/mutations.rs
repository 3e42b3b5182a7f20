//! A good bundle, and mutations of it for the validators.

use crate::support::{lay, opctl, text};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The codes of defects that keep OLM v1 from installing a bundle, and that the validators do not report.
pub const OF_V1: [&str; 6] = ["OP771", "OP772", "OP773", "OP774", "OP775", "OP776"];

#[derive(Deserialize)]
pub struct Mutation {
    pub name: String,
    #[serde(default)]
    changes: Vec<Change>,
}

#[derive(Deserialize)]
struct Change {
    file: String,
    op: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    value: Value,
}

pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/bundle-mutations")
}

pub fn mutations() -> Vec<Mutation> {
    serde_yaml::from_str(&std::fs::read_to_string(data().join("mutations.yaml")).unwrap()).unwrap()
}

/// Checks the bundle at `root`. Returns the severity and the code of each finding of opctl, and opctl's exit code.
pub fn found(root: &Path, olm: &str) -> (BTreeSet<String>, i32) {
    let mut check = opctl(&["bundle", "--check", "--olm", olm, "-o", "json", "--folder"]);
    let output = check.arg(root).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let each =
        findings.iter().map(|one| format!("{} {}", one["severity"].as_str().unwrap(), one["code"].as_str().unwrap()));
    (each.collect(), output.status.code().unwrap())
}

/// Writes the good bundle, with the changes of a mutation, below `folder`. Returns the path of the bundle.
pub fn laid(mutation: &Mutation, folder: &Path) -> PathBuf {
    let root = folder.join(mutation.name.replace(' ', "-"));
    if root.exists() {
        std::fs::remove_dir_all(&root).unwrap();
    }
    lay(&data().join("good"), &root);
    for change in &mutation.changes {
        let file = root.join(&change.file);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        match change.op.as_str() {
            "delete" if file.is_dir() => std::fs::remove_dir_all(&file).unwrap(),
            "delete" => std::fs::remove_file(&file).unwrap(),
            "copy" => drop(std::fs::copy(root.join(text(&change.value)), &file).unwrap()),
            "write" => {
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(&file, text(&change.value)).unwrap();
            }
            "fill" => {
                let bytes = usize::try_from(change.value.as_u64().unwrap()).unwrap();
                let object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "large"}, "data": {"a": random(bytes)}});
                std::fs::write(&file, object.to_string()).unwrap();
            }
            _ => {
                let mut object: Value = serde_yaml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
                patch(&mut object, change);
                std::fs::write(&file, object.to_string()).unwrap();
            }
        }
    }
    root
}

fn patch(object: &mut Value, change: &Change) {
    let (above, last) = change.path.rsplit_once('/').unwrap();
    let last = last.replace("~1", "/").replace("~0", "~");
    match (object.pointer_mut(above).unwrap(), change.op.as_str()) {
        (Value::Object(fields), "remove") => drop(fields.remove(&last).unwrap()),
        (Value::Object(fields), _) => drop(fields.insert(last, change.value.clone())),
        (Value::Array(elements), "remove") => drop(elements.remove(last.parse().unwrap())),
        (Value::Array(elements), "add") => elements.insert(last.parse().unwrap(), change.value.clone()),
        (Value::Array(elements), _) => elements[last.parse::<usize>().unwrap()] = change.value.clone(),
        (other, op) => panic!("{op} {}: {other}", change.path),
    }
}

/// Returns a text of `length` characters that compression cannot make shorter than three quarters of its length.
fn random(length: usize) -> String {
    let mut block = Sha256::digest(b"a large bundle");
    let mut bytes = Vec::new();
    while bytes.len() < length * 3 / 4 {
        bytes.extend_from_slice(&block);
        block = Sha256::digest(block);
    }
    bytes.truncate(length * 3 / 4);
    BASE64_STANDARD.encode(bytes)
}
