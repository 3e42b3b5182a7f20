//! Reads CRDs, and objects of their kinds, from YAML files.

use crate::error::{file_error, hint};
use crate::reading::{self, Limit};
use crate::{Error, Result, conflict, yaml};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A CRD, and the file that contains it.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) file: PathBuf,
    pub(super) object: Value,
}

/// The objects that the files contain.
#[derive(Debug, Default)]
pub(super) struct FileContents {
    pub(super) definitions: Vec<Definition>,
    /// The objects that are not CRDs.
    objects: Vec<Value>,
}

/// The names of the folders that are not searched, because they belong to other tools.
const SKIPPED: [&str; 4] = ["node_modules", "target", "testdata", "vendor"];

impl FileContents {
    /// Reads a file, or all YAML files in and below a folder. `shown` is the path as the user typed it.
    ///
    /// # Errors
    /// Fails if the path does not exist, if a file with `CustomResourceDefinition` is not valid YAML, if a CRD has an
    /// API version other than v1, if two different CRDs have the same name, or if no CRD is found.
    pub(super) fn read(path: &Path, shown: &Path) -> Result<Self> {
        if !path.exists() {
            return Err(Error::usage(format!("`{}` does not exist", shown.display()))
                .caused_by("`--crds` must name a file or a folder that contains CRDs")
                .hint("opctl adopt --crds ../go-operator/config/crd/bases"));
        }
        let mut found = FileContents::default();
        if !path.is_dir() {
            let text =
                reading::read_user_file(path, Limit::Bundle).map_err(|error| file_error("read", path, &error))?;
            found.text(&text, shown)?;
        }
        for file in files(path)? {
            let name = file.strip_prefix(path).ok().filter(|below| !below.as_os_str().is_empty());
            let name = name.map_or_else(|| shown.to_owned(), |below| shown.join(below));
            let text = reading::text(&file, Limit::Bundle).map_err(|error| file_error("read", &file, &error))?;
            found.text(&text, &name)?;
        }
        if found.definitions.is_empty() {
            let mut error = Error::user(format!("`{}` holds no CustomResourceDefinition", shown.display()));
            let kinds: Vec<&str> = found.objects.iter().filter_map(|object| object["kind"].as_str()).take(3).collect();
            if let Some(kind) = kinds.first() {
                error = error.caused_by(format!("an object of the kind `{kind}` was found, but no CRD"));
            }
            return Err(error.hint("opctl adopt --crds ../go-operator/config/crd/bases    # a file or a folder"));
        }
        found.add_kubebuilder_samples(path)?;
        Ok(found)
    }

    /// Adds the samples of a kubebuilder project to the objects, if `path` is the project's folder `config/crd` or a
    /// path below this folder.
    fn add_kubebuilder_samples(&mut self, path: &Path) -> Result<()> {
        let path = std::path::absolute(path).map_err(|error| file_error("find", path, &error))?;
        let config = path.ancestors().find(|above| above.ends_with("config/crd")).and_then(Path::parent);
        let Some(samples) = config.map(|config| config.join("samples")).filter(|samples| samples.is_dir()) else {
            return Ok(());
        };
        for file in files(&samples)? {
            let text = reading::text(&file, Limit::Source).map_err(|error| file_error("read", &file, &error))?;
            self.objects.extend(yaml::read(&text).unwrap_or_default());
        }
        Ok(())
    }

    fn text(&mut self, text: &str, shown: &Path) -> Result<()> {
        let documents = match yaml::read(text) {
            Ok(documents) => documents,
            // For example, a Helm template.
            Err(_) if !text.contains("CustomResourceDefinition") => return Ok(()),
            Err(error) => {
                let shown = shown.display().to_string();
                return Err(conflict::or(&shown, text, yaml::unreadable_error(&shown, &error)));
            }
        };
        let objects = documents.into_iter().flat_map(|document| match document["items"].as_array() {
            Some(items) if document["kind"].as_str().is_some_and(|kind| kind.ends_with("List")) => items.clone(),
            _ => vec![document],
        });
        for object in objects {
            if object["kind"] == "CustomResourceDefinition" {
                self.definition(object, shown)?;
            } else if object["kind"].is_string() {
                self.objects.push(object);
            }
        }
        Ok(())
    }

    fn definition(&mut self, object: Value, file: &Path) -> Result<()> {
        let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        let shown = file.display();
        let version = object["apiVersion"].as_str().unwrap_or_default();
        if version != "apiextensions.k8s.io/v1" {
            return Err(Error::user(format!("`{shown}` defines the CRD `{name}` in the API version `{version}`"))
                .caused_by("Kubernetes has not served this version since 1.22: only `apiextensions.k8s.io/v1` is left")
                .hint(
                    "controller-gen crd paths=./... output:crd:dir=config/crd/bases    # controller-gen 0.7 or \
                       later writes this API version",
                ));
        }
        if let Some(known) = self.definitions.iter().find(|known| known.object["metadata"]["name"] == name.as_str()) {
            if known.object["spec"] == object["spec"] {
                return Ok(());
            }
            return Err(Error::user(format!("`{name}` is defined twice"))
                .caused_by(if known.file == file {
                    format!("`{shown}` contains two different definitions of this CRD")
                } else {
                    format!("`{}` and `{shown}` contain different definitions of this CRD", known.file.display())
                })
                .hint(hint!("opctl adopt --crds {}", shown.to_string())));
        }
        self.definitions.push(Definition { file: file.to_owned(), object });
        Ok(())
    }

    /// Returns the first object of the kind in this API version.
    pub(super) fn object(&self, api_version: &str, kind: &str) -> Option<&Value> {
        self.objects.iter().find(|object| object["apiVersion"] == api_version && object["kind"] == kind)
    }
}

/// Returns the YAML files in and below the folder, sorted by name; no files if the path is not a folder.
fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(path)
        .map_err(|error| file_error("read", path, &error))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let metadata = entry.symlink_metadata().map_err(|error| file_error("read", &entry, &error))?;
        if metadata.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
            files.extend(self::files(&entry)?);
        } else if entry.is_file() && yaml::is_yaml(&entry) {
            files.push(entry);
        }
    }
    Ok(files)
}
