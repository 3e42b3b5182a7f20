//! The values that templates are rendered with.

use super::children::{self, ChildValues, ChildrenNamespace, ContainerValues, Has, Scaled};
use super::controlled::Controlled;
use super::copy::copied_version;
use super::field_samples::{has_example, json_with_defaults, sample_of, yaml_sample};
use super::fields::{self, FieldValues, ObjectValues};
use super::layout::chain;
use super::marker_group::marker_group;
use super::policy::PolicyValues;
use super::rights::rights;
use super::samples;
use super::test_values::{TestObjectValues, TestParts};
use super::webhook::{WebhookCode, WebhookValues};
use crate::model::{
    Cardinality, Field, Image, License, Member, Origin, Project, Resource, Scalar, Shape, name_rule, tree,
};
use serde::Serialize;

/// The values of every template.
#[derive(Clone, Serialize)]
pub(super) struct Values<'a> {
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
}

#[derive(Clone, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "a template asks for each")]
struct ResourceValues {
    kind: String,
    rust_kind: String,
    import: String,
    api_group: String,
    version: String,
    plural: String,
    short_names: Vec<String>,
    categories: Vec<String>,
    namespaced: bool,
    storage: bool,
    webhooks: WebhookValues,
    policy: PolicyValues,
    /// The versions that are converted to this one.
    spokes: Vec<String>,
    /// The calls that register the spokes with the runtime.
    spoke_calls: String,
    /// The modules above the version's, each with `::`.
    version_parent: String,
    /// A spec of the first of them as JSON.
    spoke_sample: String,
    module_path: String,
    /// The module of the kind's type.
    type_module: String,
    /// The API group as a marker writes it.
    marker_group: String,
    /// True if the project defines the kind.
    own: bool,
    /// True if another crate defines the kind.
    external: bool,
    controller: String,
    controller_path: String,
    /// The function that creates the `Controller`, and the calls on it.
    constructor: &'static str,
    builder_calls: String,
    sample_name: String,
    image: String,
    port: u16,
    finalizer: String,
    /// The children besides those of an image.
    children: Vec<ChildValues>,
    owned: Vec<ChildValues>,
    has: Has,
    longest_name: usize,
    /// The reason for the limit on names, for a comment.
    name_reason: &'static str,
    /// The CEL rule that enforces the limit on names.
    name_rule: String,
    fields: Vec<FieldValues>,
    /// Further types that the fields name.
    imports: Vec<&'static str>,
    /// True if the spec is not that of the example.
    chosen: bool,
    /// True if the status has the field `observedGeneration`.
    observed_generation: bool,
    /// True if the status has fields besides those that a controller of opctl fills in.
    further_status: bool,
    /// The structs of objects in the spec.
    objects: Vec<ObjectValues>,
    has_required_fields: bool,
    /// A spec with its required fields as JSON, and all of it as Rust writes it.
    sample: String,
    expected_spec: String,
    /// The fields of the sample.
    yaml_sample: String,
    /// The end of the controller's first sentence.
    each_gets: String,
    /// Comments of the controller about a status and objects that are not its own.
    status_note: Vec<&'static str>,
    foreign_note: Vec<String>,
    about_labels: &'static str,
    /// The controller's markers, without their beginning.
    rights: Vec<String>,
    /// The function `reconcile`.
    body: String,
    children_namespace: &'static str,
    children_share_a_namespace: bool,
    child_name: &'static str,
    /// The suffix that the name of a child adds to the owner's name.
    child_suffix: String,
    /// An object that the API server accepts, as JSON without its metadata.
    object: String,
    tested: TestObjectValues,
    /// The parts of a test on an API server.
    test: TestParts,
    /// The field whose namespace must be the object's own, if any.
    reference_field: &'static str,
    /// True if the API server refuses an object until another object exists.
    creation_waits: bool,
    selected: String,
    scaled: Scaled,
    container: ContainerValues,
    child: Option<ChildValues>,
}

impl<'a> Values<'a> {
    pub(super) fn of_project(project: &'a Project) -> Self {
        Values {
            project: ProjectValues {
                name: project.name.as_str(),
                crate_name: project.name.crate_name(),
                repo: project.repo.as_deref().unwrap_or_default(),
                license: project.license.name(),
                owner: project.owner.as_deref().unwrap_or_default(),
                namespaced: project.namespaced,
            },
            header: file_header(project),
            opctl_version: &project.cli_version,
            resource: None,
        }
    }

    pub(super) fn of_controller(project: &'a Project, controlled: Controlled<'_>) -> Self {
        let (resource, key, image) = (controlled.resource, &controlled.resource.key, controlled.image());
        let kind = key.kind.to_string();
        let singular = key.kind.singular();
        let api_group = resource.api_group(&project.domain);
        let owned = children::owned(controlled);
        // Objects have one name in all versions, and one version has the controllers.
        let mut versions = project.resources.iter().filter(|other| other.is_of_kind_of(resource) && other.key != *key);
        let reporter = versions
            .find_map(|resource| resource.controllers.first().map(|controller| Controlled { resource, controller }));
        let reporter = reporter.filter(|_| resource.controllers.is_empty());
        let children_of_kind = reporter.map_or_else(|| owned.clone(), children::owned);
        let namespace = ChildrenNamespace::of(controlled, &owned);
        let built_in = controlled.built_in();
        let members = tree(&resource.fields);
        let example = has_example(resource);
        let values = ResourceValues {
            rust_kind: kind.clone(),
            import: kind.clone(),
            finalizer: if controlled.controller.finalizer { controlled.finalizer(project) } else { String::new() },
            webhooks: WebhookValues::of(project, resource),
            policy: PolicyValues::of(project, resource),
            spokes: Vec::new(),
            spoke_calls: String::new(),
            spoke_sample: String::new(),
            version_parent: key.group_module().map(|group| format!("{group}::")).unwrap_or_default(),
            marker_group: marker_group(&api_group).to_owned(),
            api_group,
            version: key.version.to_string(),
            plural: resource.plural.to_string(),
            short_names: resource.short_names.iter().map(ToString::to_string).collect(),
            categories: resource.categories.iter().map(ToString::to_string).collect(),
            namespaced: resource.namespaced,
            storage: resource.storage,
            module_path: key.version_module(),
            type_module: resource.type_module(),
            own: resource.origin == Origin::Own,
            external: controlled.is_external(),
            controller: controlled.name(),
            controller_path: controlled.path(),
            constructor: if resource.namespaced { "namespaced" } else { "cluster_scoped" },
            builder_calls: children::builder_calls(controlled, &owned),
            // Samples of all versions are applied together.
            sample_name: match copied_version(key, project) {
                Some(_) => format!("{singular}-sample-{}", key.version),
                None => format!("{singular}-sample"),
            },
            image: image.map_or_else(String::new, |image| image.reference().to_owned()),
            port: image.map_or(0, Image::port),

            name_rule: name_rule(children::longest_name(&children_of_kind)),
            longest_name: children::longest_name(&children_of_kind),
            name_reason: children::name_reason(&children_of_kind),
            sample: sample_of(resource),
            expected_spec: if example { EXAMPLE_SPEC.to_owned() } else { json_with_defaults(&members) },
            yaml_sample: if example { EXAMPLE_YAML.to_owned() } else { yaml_sample(&members) },
            imports: imports(&resource.fields),
            chosen: !resource.fields.is_empty() || resource.imported.is_some(),
            observed_generation: resource.imported.as_ref().is_none_or(|imported| imported.observed_generation),
            further_status: resource.imported.as_ref().is_some_and(|imported| imported.further_status),
            has_required_fields: members.iter().any(Member::is_required),
            fields: if example {
                FieldValues::example().into_iter().collect()
            } else {
                members.iter().map(|member| FieldValues::of(member, &kind)).collect()
            },
            objects: fields::objects(&members, &kind),
            each_gets: children::each_gets(&owned),
            status_note: controlled.status_note(),
            foreign_note: controlled.foreign_note(),
            about_labels: children::about_labels(controlled),
            rights: rights(project, controlled, &owned),
            has: Has::of(&owned, controlled.reports()),
            body: String::new(),
            children_namespace: namespace.expression(),
            children_share_a_namespace: children::share_a_namespace(controlled, &owned),
            child_name: if controlled.reports() { "obj.name_any()" } else { "child_name(obj)" },
            child_suffix: if controlled.reports() { String::new() } else { format!("-{}", controlled.name()) },
            object: samples::object(controlled),
            tested: TestObjectValues::of(controlled),
            test: TestParts::default(),
            reference_field: built_in.map_or("", samples::reference_field),
            creation_waits: built_in.is_some_and(samples::creation_waits),
            selected: children::selected(&owned),
            scaled: Scaled::of(controlled, &owned, &project.domain),
            container: ContainerValues::of(image.is_some(), &kind),
            children: owned.iter().filter(|child| !child.of_image).cloned().collect(),
            owned,
            child: None,
            kind,
        };
        Values { resource: Some(values), ..Values::of_project(project) }
    }

    /// Adds the versions that are converted to the resource's version.
    pub(super) fn converting(mut self, spokes: &[&Resource]) -> Self {
        if let Some(resource) = &mut self.resource {
            let calls = spokes.iter().map(|spoke| format!(".spoke::<{}::{}>()", spoke.key.version, resource.kind));
            let calls: Vec<String> = calls.collect();
            resource.spoke_calls = chain("webhook::conversion()", &calls);
            resource.spokes = spokes.iter().map(|spoke| spoke.key.version.to_string()).collect();
            resource.spoke_sample = spokes.first().map(|spoke| sample_of(spoke)).unwrap_or_default();
        }
        self
    }

    /// Uses another name for the kind's type, for a file that uses the kind's name for something else.
    pub(super) fn renamed(mut self) -> Self {
        if let Some(resource) = &mut self.resource {
            resource.rust_kind = format!("{}Resource", resource.kind);
            resource.import = format!("{} as {}", resource.kind, resource.rust_kind);
            resource.container = ContainerValues::of(!resource.image.is_empty(), &resource.rust_kind);
        }
        self
    }

    /// With the function `reconcile` of the controller.
    pub(super) fn with_body(mut self, body: String) -> Self {
        if let Some(resource) = &mut self.resource {
            resource.body = body;
        }
        self
    }

    /// With the parts of a test on an API server.
    pub(super) fn with_test(mut self, test: TestParts) -> Self {
        if let Some(resource) = &mut self.resource {
            resource.test = test;
        }
        self
    }

    /// With the code of the webhooks.
    pub(super) fn with_webhooks(mut self, wanted: Vec<WebhookCode>) -> Self {
        if let Some(resource) = &mut self.resource {
            resource.webhooks.wanted = wanted;
        }
        self
    }

    /// The templates of the children, each with the values for it.
    pub(super) fn children(&self) -> impl Iterator<Item = (String, Self)> {
        let owned = self.resource.iter().flat_map(|resource| &resource.owned);
        owned.map(|child| {
            let mut values = self.clone();
            if let Some(resource) = &mut values.resource {
                resource.child = Some(child.clone());
            }
            (child.template(), values)
        })
    }

    /// The templates of the functions that the children share.
    pub(super) fn shared(&self) -> Vec<&'static str> {
        self.resource.as_ref().map(|resource| resource.has.shared.clone()).unwrap_or_default()
    }

    /// Returns the kind, and the module of its type.
    pub(super) fn own_type(&self) -> Option<(&str, String)> {
        self.resource.as_ref().map(|resource| (resource.kind.as_str(), resource.type_module.clone()))
    }
}

const EXAMPLE_SPEC: &str = r#"{ "message": "Hello, world!" }"#;
const EXAMPLE_YAML: &str = "  message: Hello from the sample";

/// The types beside those of Rust that fields name.
fn imports(fields: &[Field]) -> Vec<&'static str> {
    let is_map = |field: &Field| {
        field.shape == Shape::Map || field.parents.iter().any(|parent| parent.holds == Cardinality::Map)
    };
    let is_quantity =
        |field: &Field| matches!(&field.shape, Shape::One(Scalar::Quantity) | Shape::List(Scalar::Quantity, _));
    let quantity = fields.iter().any(is_quantity).then_some("k8s_openapi::apimachinery::pkg::api::resource");
    let map = fields.iter().any(is_map).then_some("std::collections::BTreeMap");
    quantity.into_iter().chain(map).collect()
}

/// The beginning of file names below `config/`, as kubebuilder has it in projects of several groups.
pub(super) fn file_prefix(resource: &Resource) -> String {
    if resource.key.group.is_none() { String::new() } else { format!("{}_", resource.key.group) }
}

/// Returns the licence header of a Rust file, with the blank line below it.
pub(super) fn file_header(project: &Project) -> String {
    let identifier = match project.license {
        License::Apache2 => "Apache-2.0",
        License::Mit => "MIT",
        License::None => return String::new(),
    };
    match &project.owner {
        Some(owner) => format!("// Copyright {owner}\n// SPDX-License-Identifier: {identifier}\n\n"),
        None => format!("// SPDX-License-Identifier: {identifier}\n\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Controlled, Project, Values};
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
        let controlled = Controlled::all(&project).next().expect("a controller");
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
