//! Reads the CRDs below `config/crd`.

use super::converted;
use crate::cluster::kustomization::render;
use crate::reading::{self, Limit};
use crate::{Error, Result};
use kube::api::DynamicObject;
use serde_json::Value;
use std::path::Path;

const FOLDER: &str = "config/crd";
const DEFAULT: &str = "config/default/kustomization.yaml";

/// A `CustomResourceDefinition` as written in a file. All keys are kept, so that the server can validate them.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name of the CRD, `plural.group`.
    pub name: String,
    /// The API group of the CRD's kind.
    pub group: String,
    /// The plural name of the CRD's kind, as in URLs.
    pub plural: String,
    /// The name of the CRD's kind.
    pub kind: String,
    /// The served versions, beginning with the storage version if the storage version is served.
    pub served: Vec<String>,
    /// The whole CRD, including all keys of the file.
    pub object: DynamicObject,
}

/// Reads the CRDs that `config/crd/kustomization.yaml` lists, as kustomize renders them. The Service of a conversion
/// webhook gets the name and the namespace that `config/default` deploys the Service with.
///
/// # Errors
/// Fails if the kustomization lists no CRD, if a CRD is invalid, or if kubectl is needed and missing.
pub fn read_definitions(root: &Path) -> Result<Vec<Definition>> {
    let objects = render::objects(&root.join(FOLDER))?;
    let definitions = objects.into_iter().filter(|object| object["kind"] == "CustomResourceDefinition");
    let mut definitions: Vec<Definition> = definitions.map(Definition::of).collect::<Result<_>>()?;
    if definitions.iter().any(|definition| converted::service(&definition.object).is_some()) {
        let default = reading::text_within(root, DEFAULT, Limit::Settings).unwrap_or_default();
        let default = serde_yaml::from_str(&default).unwrap_or_default();
        for definition in &mut definitions {
            converted::deploy_service(&mut definition.object, &default);
        }
    }
    if definitions.is_empty() {
        return Err(Error::user(format!("`{FOLDER}` has no CRD"))
            .caused_by(
                "the CRDs are missing until `opctl manifests` generates them from the Rust types in the api \
                        crate",
            )
            .hint(
                "opctl manifests    # if the project has no kind yet, first run: opctl create api --kind WebServer",
            ));
    }
    Ok(definitions)
}

impl Definition {
    /// Reads a CRD from a YAML document.
    ///
    /// # Errors
    /// Fails if the document is not a Kubernetes object.
    pub fn of(document: Value) -> Result<Self> {
        let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let versions = document.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
        let mut served: Vec<&Value> = versions.filter(|version| version["served"] == true).collect();
        // Objects are read in the storage version without a conversion, so it comes first.
        served.sort_by_key(|version| version["storage"] != true);
        let served = served.into_iter().filter_map(|version| version["name"].as_str());
        let (name, served) = (text("/metadata/name"), served.map(str::to_owned).collect());
        let (group, plural, kind) = (text("/spec/group"), text("/spec/names/plural"), text("/spec/names/kind"));
        let object = serde_json::from_value(document).map_err(|error| {
            Error::user(format!("`{name}` is not a valid CustomResourceDefinition"))
                .source(&error)
                .hint("opctl manifests")
        })?;
        Ok(Definition { name, group, plural, kind, served, object })
    }
}
