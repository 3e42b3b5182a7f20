//! Finds samples of the kinds: objects in the YAML files of the repository.

use crate::reading::{self, Limit};
use crate::source::discover::ApiType;
use crate::yaml;
use serde_json::Value;
use std::fs;
use std::path::Path;

const FOLDER: &str = "config/samples";
/// The largest file that is read, in bytes: larger files are data, not examples.
const LARGEST: u64 = 256 * 1024;
/// The number of folder levels that are searched.
const DEEPEST: usize = 6;

/// A sample: the name of its file in `config/samples`, and its text.
pub(super) type Sample = (String, String);

/// Returns each type with its sample: the first object of the type's kind and version in a YAML file below `root`, or
/// `None` if no file has such an object. Prefers a sample in `config/samples`, which keeps the name of its file.
pub(super) fn samples<'t>(root: &Path, types: impl Iterator<Item = &'t ApiType>) -> Vec<(&'t ApiType, Option<Sample>)> {
    let (own, all) = (documents(&root.join(FOLDER), DEEPEST), documents(root, 0));
    let sample = |found: &ApiType| {
        let resource = &found.resource;
        let version = format!("{}/{}", resource.group, resource.version);
        let is_one = |document: &&Document| {
            document.object["kind"] == resource.kind.as_str() && document.object["apiVersion"] == version.as_str()
        };
        let there = own.iter().find(is_one).map(|document| (document.file.clone(), document.text()));
        there.or_else(|| all.iter().find(is_one).map(|document| (file_name(found), document.text())))
    };
    types.map(|found| (found, sample(found))).collect()
}

/// Returns the file name for a sample of the kind.
pub(super) fn file_name(found: &ApiType) -> String {
    let resource = &found.resource;
    let group = resource.group.split('.').next().unwrap_or_default();
    format!("{group}_{}_{}.yaml", resource.version, resource.kind.to_lowercase())
}

/// A YAML document of a file.
struct Document {
    file: String,
    text: String,
    object: Value,
}

impl Document {
    fn text(&self) -> String {
        format!("{}\n", self.text.trim())
    }
}

/// Returns the YAML documents in and below `folder`, in the order of their paths. `depth` is the level of `folder`;
/// searches subfolders only up to the level `DEEPEST`.
fn documents(folder: &Path, depth: usize) -> Vec<Document> {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::path);
    let mut documents = Vec::new();
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        // Links to folders are not followed: they may lead out of the repository, to all of a disk.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            // Cargo marks its target folders by this file.
            let passed_over = name.starts_with('.') || name == "target" || path.join("CACHEDIR.TAG").exists();
            if !passed_over && depth < DEEPEST {
                documents.extend(self::documents(&path, depth + 1));
            }
        } else if yaml::is_yaml(&path) && path.metadata().is_ok_and(|file| file.is_file() && file.len() <= LARGEST) {
            let text = reading::text(&path, Limit::Source).unwrap_or_default();
            let parts = text.split("\n---").map(|part| part.trim_start_matches('-').trim_start_matches('\n'));
            // Templates of charts, for example, are not YAML.
            let document = |part: &str| {
                let object = yaml::read(part).ok()?.pop()?;
                Some(Document { file: name.clone(), text: part.to_owned(), object })
            };
            documents.extend(parts.filter_map(document));
        }
    }
    documents
}
