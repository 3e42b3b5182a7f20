//! The values that templates are rendered with.

use super::file::file_header;
use super::resource::ResourceValues;
use super::webhook::WebhookCode;
use crate::model::{Project, Resource, RuntimeSource};
use crate::scaffold::children::ContainerValues;
use crate::scaffold::controlled::ControllerOfKind;
use crate::scaffold::field_samples::sample_of;
use crate::scaffold::layout::chain;
use crate::scaffold::test_values::TestParts;
use serde::Serialize;

/// The values with which opctl renders every template.
#[derive(Clone, Serialize)]
pub(in crate::scaffold) struct Values<'a> {
    project: ProjectValues<'a>,
    header: String,
    opctl_version: &'a str,
    resource: Option<ResourceValues>,
}

#[derive(Clone, Serialize)]
struct ProjectValues<'a> {
    name: &'a str,
    crate_name: String,
    repo: &'a str,
    license: &'static str,
    owner: &'a str,
    namespaced: bool,
    /// The version requirement of the crate `opctl-runtime` from a registry; empty if the project contains the
    /// `runtime` crate.
    runtime_version: String,
}

/// Returns the requirement for versions that are compatible with `version`.
fn compatible(version: &str) -> String {
    version.splitn(3, '.').take(2).collect::<Vec<_>>().join(".")
}

impl<'a> Values<'a> {
    pub(in crate::scaffold) fn of_project(project: &'a Project) -> Self {
        Values {
            project: ProjectValues {
                name: project.name.as_str(),
                crate_name: project.name.crate_name(),
                repo: project.repo.as_deref().unwrap_or_default(),
                license: project.license.name(),
                owner: project.owner.as_deref().unwrap_or_default(),
                namespaced: project.namespaced,
                runtime_version: match project.runtime {
                    RuntimeSource::Vendored => String::new(),
                    RuntimeSource::Registry => compatible(&project.cli_version),
                },
            },
            header: file_header(project),
            opctl_version: &project.cli_version,
            resource: None,
        }
    }

    pub(in crate::scaffold) fn of_controller(project: &'a Project, controlled: ControllerOfKind<'_>) -> Self {
        Values { resource: Some(ResourceValues::of(project, controlled)), ..Values::of_project(project) }
    }

    /// Adds the values for a conversion. `spokes` are the versions that are converted to the resource's version.
    pub(in crate::scaffold) fn converting(mut self, spokes: &[&Resource]) -> Self {
        if let Some(resource) = &mut self.resource {
            let calls = spokes.iter().map(|spoke| format!(".spoke::<{}::{}>()", spoke.key.version, resource.type_name));
            let calls: Vec<String> = calls.collect();
            resource.spoke_calls = chain("webhook::conversion()", &calls);
            resource.spokes = spokes.iter().map(|spoke| spoke.key.version.to_string()).collect();
            resource.spoke_sample = spokes.first().map(|spoke| sample_of(spoke)).unwrap_or_default();
        }
        self
    }

    /// Changes the values for a file that uses the name of the kind's type for another item: the file then imports the
    /// type under another name.
    pub(in crate::scaffold) fn with_renamed_type(mut self) -> Self {
        if let Some(resource) = &mut self.resource {
            resource.rust_kind = format!("{}Resource", resource.type_name);
            resource.import = format!("{} as {}", resource.type_name, resource.rust_kind);
            resource.container = ContainerValues::of(!resource.image.is_empty(), &resource.rust_kind);
        }
        self
    }

    /// Sets the code of the controller's function `reconcile`.
    pub(in crate::scaffold) fn with_body(mut self, body: String) -> Self {
        if let Some(resource) = &mut self.resource {
            resource.body = body;
        }
        self
    }

    /// Sets the values for the template of a generated test that runs on an API server.
    pub(in crate::scaffold) fn with_test(mut self, test: TestParts) -> Self {
        if let Some(resource) = &mut self.resource {
            resource.test = test;
        }
        self
    }

    /// Sets the code of the webhooks.
    pub(in crate::scaffold) fn with_webhooks(mut self, wanted: Vec<WebhookCode>) -> Self {
        if let Some(resource) = &mut self.resource {
            resource.webhooks.wanted = wanted;
        }
        self
    }

    /// Returns the templates of the children, each with the values for the template.
    pub(in crate::scaffold) fn children(&self) -> impl Iterator<Item = (String, Self)> {
        let owned = self.resource.iter().flat_map(|resource| &resource.owned);
        owned.map(|child| {
            let mut values = self.clone();
            if let Some(resource) = &mut values.resource {
                resource.child = Some(child.clone());
            }
            (child.template(), values)
        })
    }

    /// Returns the names of the templates for the functions that the code of all children shares.
    pub(in crate::scaffold) fn shared_templates(&self) -> Vec<&'static str> {
        self.resource.as_ref().map(|resource| resource.has.shared.clone()).unwrap_or_default()
    }

    /// Returns the name and the module of the kind's Rust type; `None` if the values contain no resource.
    pub(in crate::scaffold) fn own_type(&self) -> Option<(&str, String)> {
        self.resource.as_ref().map(|resource| (resource.type_name.as_str(), resource.type_module.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::{ControllerOfKind, Project, Values};
    use serde_json::Value;
    use std::path::{Path, PathBuf};

    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    }

    fn unused(values: &Value, path: &str, templates: &str) -> Vec<String> {
        let Value::Object(map) = values else {
            let names = ["(", " ", "[", "=", ","].map(|before| format!("{before}{path}"));
            let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
            let used = names.iter().any(|name| templates.split(name.as_str()).skip(1).any(ends));
            return if used { Vec::new() } else { vec![path.to_owned()] };
        };
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        map.iter().flat_map(|(name, value)| unused(value, &below(name), templates)).collect()
    }

    #[test]
    fn every_value_is_used() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let file = root.join("testdata/golden/shop-operator/PROJECT");
        let project = Project::parse(&std::fs::read_to_string(file).expect("PROJECT")).expect("valid");
        let controlled = ControllerOfKind::all(&project).next().expect("a controller");
        let mut values = Values::of_controller(&project, controlled);
        let child = values.resource.as_ref().and_then(|resource| resource.owned.first().cloned());
        values.resource.as_mut().expect("a resource").child = child;
        let templates: Vec<PathBuf> = files(&root.join("templates"));
        let texts = templates.iter().filter(|path| path.extension().is_some_and(|extension| extension == "tera"));
        let texts: String = texts.map(|path| std::fs::read_to_string(path).expect("text")).collect();
        // In a loop over children, the templates name the child `child`.
        let texts = texts.replace("resource.child.", "(child.");
        let mut values = serde_json::to_value(values).expect("JSON");
        let child = values["resource"].as_object_mut().and_then(|map| map.remove("child")).expect("a child");
        let found = [unused(&values, "", &texts), unused(&child, "child", &texts)].concat();
        assert!(found.is_empty(), "in no template: {}", found.join(", "));
    }
}
