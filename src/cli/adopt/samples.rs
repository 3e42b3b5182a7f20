//! Samples of the kinds: objects that stand in the YAML files of the repository.

use crate::source::discover::ApiType;
use crate::yaml;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Larger files are data, not examples.
const LARGEST: u64 = 256 * 1024;
/// Deeper folders are not looked into.
const DEEPEST: usize = 6;

/// The first object of each kind and version below `root`, as it stands there, with the name of the sample's file.
pub(super) fn samples<'t>(root: &Path, types: impl Iterator<Item = &'t ApiType>) -> Vec<(String, String)> {
    let documents = documents(root, 0);
    let mut samples = Vec::new();
    for found in types {
        let resource = &found.resource;
        let version = format!("{}/{}", resource.group, resource.version);
        let is_one =
            |object: &Value| object["kind"] == resource.kind.as_str() && object["apiVersion"] == version.as_str();
        if let Some((text, _)) = documents.iter().find(|(_, object)| is_one(object)) {
            samples.push((file_name(found), format!("{}\n", text.trim())));
        }
    }
    samples
}

/// The name of the file of a kind's sample.
pub(super) fn file_name(found: &ApiType) -> String {
    let resource = &found.resource;
    let group = resource.group.split('.').next().unwrap_or_default();
    format!("{group}_{}_{}.yaml", resource.version, resource.kind.to_lowercase())
}

/// The YAML documents below a folder, each with its text, in the order of their paths.
fn documents(folder: &Path, depth: usize) -> Vec<(String, Value)> {
    let mut paths: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut documents = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            // What cargo builds into says so by this file.
            let passed_over = name.starts_with('.') || name == "target" || path.join("CACHEDIR.TAG").exists();
            if !passed_over && depth < DEEPEST {
                documents.extend(self::documents(&path, depth + 1));
            }
        } else if yaml::is_yaml(&path) && path.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let parts = text.split("\n---").map(|part| part.trim_start_matches('-').trim_start_matches('\n'));
            // Templates of charts, for one, are not YAML.
            documents.extend(parts.filter_map(|part| Some((part.to_owned(), serde_yaml::from_str(part).ok()?))));
        }
    }
    documents
}
