//! The definitions below `config/crd`.

use crate::error::file_error;
use crate::{Error, Result};
use kube::api::{ApiResource, DynamicObject};
use kube::core::GroupVersionKind;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const FOLDER: &str = "config/crd";

/// A `CustomResourceDefinition` as it is in a file: every key kept, so that the server can judge it.
#[derive(Clone, Debug)]
pub struct Definition {
    /// `plural.group`.
    pub name: String,
    /// The API group.
    pub group: String,
    /// The plural name.
    pub plural: String,
    /// The kind.
    pub kind: String,
    /// The versions that are served.
    pub served: Vec<String>,
    /// The whole object.
    pub object: DynamicObject,
}

/// How the API server calls definitions.
pub(super) fn api_resource() -> ApiResource {
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    ApiResource::from_gvk_with_plural(&kind, "customresourcedefinitions")
}

/// Reads what `config/crd/kustomization.yaml` lists, with its labels; through `kubectl kustomize` where it does more.
///
/// # Errors
/// No definition there, a file that is not one, kubectl missing where it is needed.
pub fn read_definitions(root: &Path) -> Result<Vec<Definition>> {
    let folder = root.join(FOLDER);
    let file = folder.join("kustomization.yaml");
    let text =
        std::fs::read_to_string(&file).map_err(|error| file_error("read", &file, &error).hint("opctl manifests"))?;
    let kustomization = parse(&text, &file)?.into_iter().next().unwrap_or_default();
    let documents =
        match Plain::of(&kustomization).filter(|plain| plain.files.iter().all(|path| folder.join(path).is_file())) {
            Some(plain) => plain.read(&folder)?,
            None => parse(&kustomized(&folder)?, &folder)?,
        };
    let definitions = documents.into_iter().filter(|document| document["kind"] == "CustomResourceDefinition");
    let definitions: Vec<Definition> = definitions.map(definition).collect::<Result<_>>()?;
    if definitions.is_empty() {
        return Err(Error::user(format!("`{FOLDER}` has no definition"))
            .caused_by("`opctl manifests` writes them from the types of the api crate")
            .hint("opctl create api --kind WebServer && opctl manifests"));
    }
    Ok(definitions)
}

/// A kustomization that lists files and adds labels, and nothing else: what opctl scaffolds.
struct Plain<'a> {
    files: Vec<&'a str>,
    labels: Vec<(&'a String, &'a Value)>,
}

impl<'a> Plain<'a> {
    fn of(kustomization: &'a Value) -> Option<Self> {
        let mut plain = Plain { files: Vec::new(), labels: Vec::new() };
        for (key, value) in kustomization.as_object()? {
            let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
            match key.as_str() {
                "apiVersion" | "kind" => {}
                "resources" => plain.files.extend(items.iter().filter_map(Value::as_str)),
                "labels" => {
                    for label in items.iter().filter_map(Value::as_object) {
                        // Selectors and templates are nothing that a definition has.
                        if label
                            .keys()
                            .any(|key| !["pairs", "includeSelectors", "includeTemplates"].contains(&key.as_str()))
                        {
                            return None;
                        }
                        plain.labels.extend(label.get("pairs").and_then(Value::as_object).into_iter().flatten());
                    }
                }
                _ => return None,
            }
        }
        Some(plain)
    }

    fn read(&self, folder: &Path) -> Result<Vec<Value>> {
        let mut documents = Vec::new();
        for path in &self.files {
            let path = folder.join(path);
            let text = std::fs::read_to_string(&path).map_err(|error| file_error("read", &path, &error))?;
            documents.extend(parse(&text, &path)?);
        }
        for document in documents.iter_mut().filter(|document| document["metadata"].is_object()) {
            for (name, value) in &self.labels {
                document["metadata"]["labels"][name.as_str()] = (*value).clone();
            }
        }
        Ok(documents)
    }
}

fn parse(text: &str, path: &Path) -> Result<Vec<Value>> {
    serde_yaml::from_multiple::<Value>(text).map_err(|error| {
        Error::user(format!("`{}` is not YAML", path.display()))
            .caused_by(error.to_string().lines().next().unwrap_or_default())
            .hint("opctl manifests")
    })
}

fn definition(document: Value) -> Result<Definition> {
    let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let versions = document.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
    let served = versions.filter(|version| version["served"] == true).filter_map(|version| version["name"].as_str());
    let (name, served) = (text("/metadata/name"), served.map(str::to_owned).collect());
    let (group, plural, kind) = (text("/spec/group"), text("/spec/names/plural"), text("/spec/names/kind"));
    let object = serde_json::from_value(document)
        .map_err(|error| Error::user(format!("`{name}` is not a definition")).source(&error).hint("opctl manifests"))?;
    Ok(Definition { name, group, plural, kind, served, object })
}

fn kustomized(folder: &Path) -> Result<String> {
    let output = Command::new("kubectl").arg("kustomize").arg(folder).output().map_err(|error| {
        Error::environment("`kubectl` cannot be run")
            .caused_by(error)
            .caused_by(format!(
                "`{}/kustomization.yaml` does more than list files, and kubectl renders that",
                folder.display()
            ))
            .hint("install kubectl: https://kubernetes.io/docs/tasks/tools/")
    })?;
    if !output.status.success() {
        return Err(Error::user(format!("`kubectl kustomize {}` fails", folder.display()))
            .caused_by(String::from_utf8_lossy(&output.stderr).trim())
            .hint(format!("mend `{}/kustomization.yaml`", folder.display())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
