//! The files of an OLM bundle, with their parsed contents.

use super::manifest::{Manifest, without_nulls};
use crate::yaml;
use serde_json::Value;

/// The content that marks an entry of a bundle as a folder.
pub const FOLDER: &[u8] = b"\0folder";

/// A file or a folder of a bundle.
#[derive(Clone, Debug)]
pub struct BundleFile {
    /// The path relative to the bundle's folder. The path of a folder in the bundle's top level ends in `/`.
    pub path: String,
    /// The content of the file, or [`FOLDER`] for a folder.
    pub content: Vec<u8>,
}

/// A file that cannot be read as a Kubernetes object, or a folder in `manifests/`.
#[derive(Clone, Debug)]
pub(super) struct Unreadable {
    /// The path of the file as shown in findings.
    pub(super) file: String,
    /// The reason why the file cannot be read; `None` for a folder.
    pub(super) reason: Option<String>,
}

/// A bundle with the parsed content of its files.
#[derive(Debug)]
pub struct Bundle {
    pub(super) files: Vec<BundleFile>,
    /// The folder of the bundle as shown in findings.
    pub(super) folder: String,
    /// The objects in `manifests/`, sorted by file name.
    pub(super) manifests: Vec<Manifest>,
    /// The first file in `metadata/` that contains annotations.
    pub(super) annotations: Option<Manifest>,
    /// The first file in `metadata/` that contains dependencies.
    pub(super) dependencies: Option<Manifest>,
    /// The file `metadata/properties.yaml`.
    pub(super) properties: Option<Manifest>,
    /// The files that cannot be read as a Kubernetes object, and the folders in `manifests/`.
    pub(super) unreadable: Vec<Unreadable>,
}

impl Bundle {
    /// Parses the files of a bundle. Findings show the path `folder` before the path of each file.
    pub fn parse(folder: &str, mut files: Vec<BundleFile>) -> Self {
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let mut bundle = Bundle {
            files: Vec::new(),
            folder: folder.trim_end_matches('/').to_owned(),
            manifests: Vec::new(),
            annotations: None,
            dependencies: None,
            properties: None,
            unreadable: Vec::new(),
        };
        for file in &files {
            bundle.read(file);
        }
        bundle.files = files;
        bundle
    }

    /// Returns the `ClusterServiceVersion`, if there is exactly one.
    pub fn service_version(&self) -> Option<&Value> {
        self.version().map(|version| &version.value)
    }

    /// Returns the value of the annotation `name` in the bundle's metadata.
    pub fn annotation(&self, name: &str) -> Option<&str> {
        self.annotations.as_ref()?.value.get("annotations")?.get(name)?.as_str()
    }

    /// Returns the dependencies, each with its `type` and its `value`.
    pub fn dependencies(&self) -> &[Value] {
        self.dependencies.as_ref().map(|file| file.list("/dependencies")).unwrap_or_default()
    }

    /// Returns the properties of `metadata/properties.yaml`, each with its `type` and its `value`.
    pub fn properties(&self) -> &[Value] {
        self.properties.as_ref().map(|file| file.list("/properties")).unwrap_or_default()
    }

    pub(super) fn version(&self) -> Option<&Manifest> {
        let mut versions = self.of_kind("ClusterServiceVersion");
        versions.next().filter(|_| versions.next().is_none())
    }

    /// Returns the objects of a kind.
    pub(super) fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Manifest> {
        self.manifests.iter().filter(move |manifest| manifest.kind() == kind)
    }

    /// Joins the bundle's folder and `path`, which is relative to this folder, into the path that findings show.
    pub(super) fn finding_path(&self, path: &str) -> String {
        if self.folder.is_empty() { path.to_owned() } else { format!("{}/{path}", self.folder) }
    }

    fn read(&mut self, file: &BundleFile) {
        if file.path.ends_with('/') {
            return;
        }
        let is_manifest = file.path.starts_with("manifests/");
        let is_metadata = file.path.starts_with("metadata/") && file.path.matches('/').count() == 1;
        if !is_manifest && !is_metadata {
            return;
        }
        let named = self.finding_path(&file.path);
        match object(&file.content) {
            Ok((text, mut value)) => {
                if let Some(annotations) = value.get_mut("annotations") {
                    numbers_as_texts(annotations);
                }
                let manifest = Manifest { file: named, text, value };
                if is_manifest {
                    self.manifests.push(manifest);
                } else if file.path == "metadata/properties.yaml" {
                    self.properties = Some(manifest);
                } else if self.annotations.is_none() && manifest.value["annotations"].is_object() {
                    self.annotations = Some(manifest);
                } else if self.dependencies.is_none() && !manifest.list("/dependencies").is_empty() {
                    self.dependencies = Some(manifest);
                }
            }
            // Other files of `metadata/` may be anything.
            Err(reason) if is_manifest || file.path.starts_with("metadata/annotations") => {
                let reason = Some(reason).filter(|_| file.content != FOLDER);
                self.unreadable.push(Unreadable { file: named, reason });
            }
            Err(_) => {}
        }
    }
}

/// Converts annotation values that are numbers or booleans to strings, as the tools of OLM do.
fn numbers_as_texts(annotations: &mut Value) {
    for value in annotations.as_object_mut().into_iter().flat_map(serde_json::Map::values_mut) {
        if value.is_number() || value.is_boolean() {
            *value = value.to_string().into();
        }
    }
}

/// Returns the text of a file and its first YAML document. The tools of OLM ignore further documents.
fn object(content: &[u8]) -> Result<(String, Value), String> {
    let text = std::str::from_utf8(content).map_err(|_| "it is not UTF-8".to_owned())?;
    let documents = yaml::read(text).map_err(|error| yaml::cause(&error))?;
    let mut value = documents.into_iter().next().filter(Value::is_object).ok_or("the file contains no object")?;
    without_nulls(&mut value);
    Ok((text.to_owned(), value))
}
