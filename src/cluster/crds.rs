//! The definitions below `config/crd`.

use super::{converted, kustomize};
use crate::{Error, Result};
use kube::api::{ApiResource, DynamicObject};
use kube::core::GroupVersionKind;
use serde_json::Value;
use std::path::Path;

pub(super) const RESOURCE: &str = "customresourcedefinitions";

const FOLDER: &str = "config/crd";
const DEFAULT: &str = "config/default/kustomization.yaml";

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
    /// The versions that are served; the stored one is the first, if it is.
    pub served: Vec<String>,
    /// The whole object.
    pub object: DynamicObject,
}

/// The API resource of custom resource definitions.
pub(super) fn api_resource() -> ApiResource {
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    ApiResource::from_gvk_with_plural(&kind, "customresourcedefinitions")
}

/// Reads what `config/crd` holds: what `config/crd/kustomization.yaml` lists, as kustomize would render it. The Service at which
/// objects are converted has the name that it is deployed with.
///
/// # Errors
/// No definition there, a file that is not one, kubectl missing where it is needed.
pub fn read_definitions(root: &Path) -> Result<Vec<Definition>> {
    let objects = kustomize::objects(&root.join(FOLDER))?;
    let definitions = objects.into_iter().filter(|object| object["kind"] == "CustomResourceDefinition");
    let mut definitions: Vec<Definition> = definitions.map(Definition::of).collect::<Result<_>>()?;
    if definitions.iter().any(|definition| converted::service(&definition.object).is_some()) {
        let default = std::fs::read_to_string(root.join(DEFAULT)).unwrap_or_default();
        let default = serde_yaml::from_str(&default).unwrap_or_default();
        for definition in &mut definitions {
            converted::deploy_service(&mut definition.object, &default);
        }
    }
    if definitions.is_empty() {
        return Err(Error::user(format!("`{FOLDER}` has no definition"))
            .caused_by("`opctl manifests` writes them from the types of the api crate")
            .hint("opctl manifests    # a project without a kind gets one by opctl create api --kind WebServer"));
    }
    Ok(definitions)
}

impl Definition {
    /// Reads one from a document.
    ///
    /// # Errors
    /// One that is no object of Kubernetes.
    pub fn of(document: Value) -> Result<Self> {
        let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let versions = document.pointer("/spec/versions").and_then(Value::as_array).into_iter().flatten();
        let mut served: Vec<&Value> = versions.filter(|version| version["served"] == true).collect();
        // It is read without a conversion.
        served.sort_by_key(|version| version["storage"] != true);
        let served = served.into_iter().filter_map(|version| version["name"].as_str());
        let (name, served) = (text("/metadata/name"), served.map(str::to_owned).collect());
        let (group, plural, kind) = (text("/spec/group"), text("/spec/names/plural"), text("/spec/names/kind"));
        let object = serde_json::from_value(document).map_err(|error| {
            Error::user(format!("`{name}` is not a definition")).source(&error).hint("opctl manifests")
        })?;
        Ok(Definition { name, group, plural, kind, served, object })
    }
}
