//! Finds the namespace and the name of the operator's Deployment in the files below `config`.

use crate::cluster::kustomization::documents::parse;
use crate::cluster::kustomization::render;
use crate::error::{Hint, file_error, hint};
use crate::model::{is_placeholder, operator_deployment};
use crate::reading::{self, Limit};
use crate::{Error, Result};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

const DEFAULT: &str = "config/default";
const MANAGER: &str = "config/manager";

/// The namespace and the name of the operator's Deployment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Manager {
    /// The namespace that the operator is deployed to.
    pub namespace: String,
    /// The name of the Deployment.
    pub name: String,
}

impl Manager {
    /// Finds the operator's Deployment in the files of `config/manager`, and returns the namespace and the name that
    /// `config/default` gives to the Deployment. Runs kubectl, to render `config/default`, only in two cases:
    /// `config/default` does not list `../manager` as a resource, or no file of `config/manager` has the Deployment.
    ///
    /// # Errors
    /// Fails if files cannot be read or have no Deployment with the operator's container, or if kubectl is needed and
    /// missing.
    pub fn of(root: &Path) -> Result<Self> {
        let default = kustomization(&root.join(DEFAULT))?;
        let mut lists = default["resources"].as_array().into_iter().flatten().filter_map(Value::as_str);
        if lists.any(|path| path.trim_end_matches('/') == "../manager") {
            let folder = root.join(MANAGER);
            let manager = kustomization(&folder)?;
            if let Some(deployment) = read_listed_resources(&folder, &manager)?.iter().find(|object| is_manager(object))
            {
                return Ok(kustomized_manager(deployment, &[&manager, &default]));
            }
        }
        let rendered = render::objects(&root.join(DEFAULT))?;
        let found = operator_deployment(&rendered).filter(|object| is_manager(object));
        found.map(|deployment| kustomized_manager(deployment, &[])).ok_or_else(|| {
            Error::user("`config/default` has no Deployment of the operator")
                .caused_by("opctl recognizes the operator's Deployment by a container named `manager`")
                .hint("git checkout config/default config/manager")
        })
    }

    /// Returns the kubectl arguments that select the Deployment.
    pub fn arguments(&self) -> Hint {
        hint!("deployment {} --namespace {}", self.name, self.namespace)
    }
}

fn kustomization(folder: &Path) -> Result<Value> {
    let path = folder.join("kustomization.yaml");
    let text = reading::text(&path, Limit::Source)
        .map_err(|error| file_error("read", &path, &error).hint("git checkout config/default config/manager"))?;
    Ok(parse(&text, &path)?.into_iter().next().unwrap_or_default())
}

/// Returns the objects of the files that the kustomization lists as resources.
fn read_listed_resources(folder: &Path, kustomization: &Value) -> Result<Vec<Value>> {
    let mut objects = Vec::new();
    let paths = kustomization["resources"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for path in paths.map(|path| folder.join(path)).filter(|path| path.is_file()) {
        let text = reading::text(&path, Limit::Source).map_err(|error| file_error("read", &path, &error))?;
        objects.extend(parse(&text, &path)?);
    }
    Ok(objects)
}

/// Returns true for the operator's Deployment, whose image `deploy` sets.
pub fn is_manager(object: &Value) -> bool {
    let containers = object.pointer("/spec/template/spec/containers").and_then(Value::as_array);
    let is_its = |container: &Value| {
        let image = container["image"].as_str().unwrap_or_default();
        container["name"] == "manager" || is_placeholder(image)
    };
    object["kind"] == "Deployment" && containers.into_iter().flatten().any(is_its)
}

/// Returns the namespace and the name that the `kustomizations`, innermost first, give to the Deployment.
fn kustomized_manager(deployment: &Value, kustomizations: &[&Value]) -> Manager {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let metadata = &deployment["metadata"];
    let mut manager = Manager { namespace: text(&metadata["namespace"]), name: text(&metadata["name"]) };
    for kustomization in kustomizations {
        let (before, after) = (text(&kustomization["namePrefix"]), text(&kustomization["nameSuffix"]));
        manager.name = format!("{before}{}{after}", manager.name);
        if let Some(namespace) = kustomization["namespace"].as_str() {
            namespace.clone_into(&mut manager.namespace);
        }
    }
    if manager.namespace.is_empty() {
        "default".clone_into(&mut manager.namespace);
    }
    manager
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEPLOYMENT: &str = "kind: Service\nmetadata: {name: s}\n---\nkind: Deployment\nmetadata: {name: m, namespace: system}\n\
         spec: {template: {spec: {containers: [{name: manager, image: web}]}}}\n";

    fn found(default: &str, manager: &str, file: &str) -> Result<Manager> {
        let root = tempfile::tempdir().unwrap();
        let texts = [
            ("default/kustomization.yaml", default),
            ("manager/kustomization.yaml", manager),
            ("manager/m.yaml", file),
        ];
        for (path, text) in texts {
            let path = root.path().join("config").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Manager::of(root.path())
    }

    #[test]
    fn it_has_the_names_that_kustomize_would_give_it() {
        let manager = |namespace: &str, name: &str| Manager { namespace: namespace.to_owned(), name: name.to_owned() };
        let default = "namespace: web\nnamePrefix: web-\nresources: [../manager]\n";
        let inner = "resources: [m.yaml]\nimages: [{name: controller, newName: web}]\n";
        assert_eq!(found(default, inner, DEPLOYMENT).unwrap(), manager("web", "web-m"));
        let inner = "resources: [m.yaml]\nnameSuffix: -x\nnamePrefix: in-\nnamespace: inner\n";
        assert_eq!(found("resources: [../manager/]\n", inner, DEPLOYMENT).unwrap(), manager("inner", "in-m-x"));
        let placeholder = DEPLOYMENT.replace("name: manager, image: web", "name: a, image: 'controller:latest'");
        let inner = "resources: [m.yaml]\n";
        let found_by_image = found("resources: [../manager]\n", inner, &placeholder.replace(", namespace: system", ""));
        assert_eq!(found_by_image.unwrap(), manager("default", "m"));
    }

    #[test]
    fn without_a_deployment_there_is_an_error_with_the_way_back() {
        let file = "kind: Service\nmetadata: {name: s}\n";
        let error = found("resources: []\n", "resources: [m.yaml]\n", file).unwrap_err();
        assert_eq!(error.message(), "`config/default` has no Deployment of the operator");
        assert_eq!(error.hint_text(), Some("git checkout config/default config/manager"));
        let error = Manager::of(Path::new("nowhere")).unwrap_err();
        assert!(error.message().ends_with("`nowhere/config/default/kustomization.yaml`"), "{error}");
    }
}
