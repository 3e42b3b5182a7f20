//! The values that templates are rendered with.

use super::children::{self, ChildValues, ChildrenNamespace, ContainerValues, Has, Scaled};
use super::controlled::Controlled;
use super::copy::copied_version;
use super::field_samples::{json_sample, json_text, json_with_defaults, yaml_sample};
use super::fields::{self, FieldValues, ObjectValues};
use super::layout::chain;
use super::policy::PolicyValues;
use super::samples;
use super::webhook::WebhookValues;
use crate::model::{Holds, Image, License, Member, Origin, Project, Resource, Scalar, Shape, name_rule, tree};
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
    /// A spec of the first spoke as JSON; empty if the spoke has no fields.
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
    /// True if the controller writes the status.
    reports: bool,
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
    /// True if the spec is not that of the example.
    chosen: bool,
    /// True if the types were generated from a CRD.
    imported: bool,
    /// True if this is the kind's first controller.
    only: bool,
    /// True if the status has the field `observedGeneration`.
    observed_generation: bool,
    /// True if the status has fields besides those that a controller of opctl fills in.
    further_status: bool,
    /// The structs of objects in the spec.
    objects: Vec<ObjectValues>,
    has_required_fields: bool,
    /// Specs as JSON: for a test of the controller, for a test of the types, and as Rust writes the latter.
    sample: String,
    types_sample: String,
    test_sample: String,
    types_expected: String,
    types_expected_image: String,
    /// The fields of the sample.
    yaml_sample: String,
    uses_map: bool,
    uses_quantity: bool,
    children_text: String,
    children_namespace: &'static str,
    children_namespace_in_test: &'static str,
    children_share_a_namespace: bool,
    child_name: &'static str,
    /// The suffix that the name of a child adds to the owner's name.
    child_suffix: String,
    /// An object that the API server accepts, as JSON without its metadata.
    object: String,
    /// The same object with the indentation of a unit test.
    inner_object: String,
    /// The only name that the API server accepts for a sample; empty if it accepts any name.
    fixed_name: &'static str,
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
            marker_group: if api_group.is_empty() { "\"\"".to_owned() } else { api_group.clone() },
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
            external: matches!(resource.origin, Origin::External(_)),
            reports: controlled.reports(),
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
            has: Has::of(&owned),
            name_rule: name_rule(children::longest_name(&children_of_kind)),
            longest_name: children::longest_name(&children_of_kind),
            name_reason: children::name_reason(&children_of_kind),
            sample: sample_of(resource, "            "),
            types_sample: sample_of(resource, "        "),
            types_expected: json_with_defaults(&members, "            "),
            types_expected_image: json_with_defaults(&members, "        "),
            test_sample: sample_of(resource, "    "),
            yaml_sample: yaml_sample(&members),
            uses_map: resource.fields.iter().any(|field| {
                field.shape == Shape::Map || field.parents.iter().any(|parent| parent.holds == Holds::Map)
            }),
            uses_quantity: resource
                .fields
                .iter()
                .any(|field| matches!(&field.shape, Shape::One(Scalar::Quantity) | Shape::List(Scalar::Quantity, _))),
            chosen: !resource.fields.is_empty() || resource.imported.is_some(),
            imported: resource.imported.is_some(),
            only: resource.controllers.first().is_none_or(|first| first.name == controlled.controller.name),
            observed_generation: resource.imported.as_ref().is_none_or(|imported| imported.observed_generation),
            further_status: resource.imported.as_ref().is_some_and(|imported| imported.further_status),
            has_required_fields: members.iter().any(Member::is_required),
            fields: members.iter().map(|member| FieldValues::of(member, &kind)).collect(),
            objects: fields::objects(&members, &kind),
            children_text: children::text(&owned),
            children_namespace: namespace.expression(),
            children_namespace_in_test: namespace.in_test(controlled),
            children_share_a_namespace: children::share_a_namespace(controlled, &owned),
            child_name: if controlled.reports() { "obj.name_any()" } else { "child_name(obj)" },
            child_suffix: if controlled.reports() { String::new() } else { format!("-{}", controlled.name()) },
            object: samples::object(controlled, "    "),
            inner_object: samples::object(controlled, "        "),
            fixed_name: built_in.map_or("", samples::fixed_name),
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
            let first = spokes.first().filter(|spoke| !spoke.fields.is_empty() || spoke.imported.is_some());
            resource.spoke_sample = first.map(|spoke| sample_of(spoke, "        ")).unwrap_or_default();
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

    /// Returns the templates of the children, each with the values for it.
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

    /// Returns true if there are children.
    pub(super) fn has_children(&self) -> bool {
        self.resource.as_ref().is_some_and(|resource| !resource.owned.is_empty())
    }

    /// Returns the kind, and the module of its type.
    pub(super) fn own_type(&self) -> Option<(&str, String)> {
        self.resource.as_ref().map(|resource| (resource.kind.as_str(), resource.type_module.clone()))
    }
}

/// Renders a spec with the required fields as JSON.
fn sample_of(resource: &Resource, indentation: &str) -> String {
    match &resource.imported {
        Some(imported) => json_text(&imported.spec, indentation),
        None => json_sample(&tree(&resource.fields), indentation),
    }
}

/// Returns the prefix of file names below `config/`, as kubebuilder has it in projects with several groups.
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
