//! The values for a resource and its controller in templates.

use super::policy::PolicyValues;
use super::webhook::WebhookValues;
use crate::model::{Image, Member, Origin, Project, name_rule, tree};
use crate::scaffold::children::{self, ChildValues, ChildrenNamespace, ContainerValues, Has, Scaled};
use crate::scaffold::controlled::ControllerOfKind;
use crate::scaffold::field_samples::{has_example, has_live, json_with_defaults, sample_of, yaml_sample};
use crate::scaffold::fields::{self, FieldValues, ObjectValues};
use crate::scaffold::marker_group::marker_group;
use crate::scaffold::rights::rights;
use crate::scaffold::sample_name::sample_name;
use crate::scaffold::sample_objects;
use crate::scaffold::source_version::copied_version;
use crate::scaffold::test_values::{TestObjectValues, TestParts};
use serde::Serialize;

/// The template values of a resource and its controller.
#[derive(Clone, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "a template asks for each")]
pub(super) struct ResourceValues {
    pub(super) kind: String,
    /// The name of the kind's Rust type.
    pub(super) type_name: String,
    /// The name of the kind's Rust type in the generated file, which may import the type under another name.
    pub(super) rust_kind: String,
    pub(super) import: String,
    /// The API group without the domain. API groups that differ only in the domain share their modules.
    group: String,
    api_group: String,
    version: String,
    plural: String,
    short_names: Vec<String>,
    categories: Vec<String>,
    namespaced: bool,
    storage: bool,
    pub(super) webhooks: WebhookValues,
    policy: PolicyValues,
    /// The versions that the conversion converts to this version.
    pub(super) spokes: Vec<String>,
    /// The Rust calls that register the spokes with the conversion webhook of the `runtime` crate.
    pub(super) spoke_calls: String,
    /// The path of the modules above the version's module, with a final `::`; empty without such a module.
    version_parent: String,
    /// A sample spec of the first spoke, as JSON.
    pub(super) spoke_sample: String,
    module_path: String,
    /// The path of the module of the kind's type.
    pub(super) type_module: String,
    /// The API group as RBAC markers write it: `""` for the core group.
    marker_group: String,
    /// True if the project defines the kind.
    own: bool,
    /// True if another crate defines the kind.
    external: bool,
    controller: String,
    controller_path: String,
    /// The name of the function that creates the `Controller`: `namespaced` or `cluster_scoped`. The field
    /// `builder_calls` has the method calls that configure the `Controller`.
    constructor: &'static str,
    builder_calls: String,
    sample_name: String,
    pub(super) image: String,
    port: u16,
    finalizer: String,
    /// The controller's children, without the `Deployment` and the `Service` that `--image` requests.
    children: Vec<ChildValues>,
    pub(super) owned: Vec<ChildValues>,
    pub(super) has: Has,
    /// True if the generated controller reports an object as ready once its children are stored.
    ready_when_stored: bool,
    longest_name: usize,
    /// The reason why the names of the kind's objects have a maximum length, for a comment in the generated code.
    name_reason: &'static str,
    /// The CEL rule that limits the characters and the length of the names of the kind's objects.
    name_rule: String,
    fields: Vec<FieldValues>,
    /// The additional paths to import for the types of the fields.
    imports: Vec<&'static str>,
    /// True if the user or a CRD chose the fields of the spec, so that the spec has no example field.
    chosen: bool,
    /// True if the fields of an object stand at its root instead of below `spec`.
    no_spec: bool,
    /// The name of the status type.
    status_type: String,
    /// True if the status has the field `observedGeneration`.
    observed_generation: bool,
    /// True if the status has fields besides the fields that a controller of opctl fills in.
    further_status: bool,
    /// The structs for the nested objects of the spec.
    objects: Vec<ObjectValues>,
    has_required_fields: bool,
    /// A sample spec with the required fields, as JSON. The field `expected_spec` has the complete spec that Rust
    /// serializes for this sample, including the defaults of other fields.
    sample: String,
    expected_spec: String,
    /// The fields of the sample, as YAML.
    yaml_sample: String,
    /// True if the sample object sets no field; the sample then lists the optional fields only as comments.
    sample_is_empty: bool,
    /// The end of the first sentence in the controller's module comment, which lists the children, such as `: each gets
    /// a Deployment`; empty without children.
    each_gets: String,
    /// The comment lines that explain why the controller reports no status; no lines if the controller reports a
    /// status. The field `foreign_note` has the comment lines for a kind from outside the project.
    status_note: Vec<&'static str>,
    foreign_note: Vec<String>,
    about_labels: &'static str,
    /// The controller's RBAC markers, without the prefix `// +opctl:`.
    rights: Vec<String>,
    /// The code of the function `reconcile`.
    pub(super) body: String,
    children_namespace: &'static str,
    children_share_a_namespace: bool,
    watches_pods: bool,
    child_name: &'static str,
    /// The suffix that a child's name has after the owner's name.
    child_suffix: String,
    /// An object of this kind for the tests, valid for the API server, as JSON without its metadata.
    object: String,
    tested: TestObjectValues,
    /// The parts of a test on an API server.
    pub(super) test: TestParts,
    /// The field that refers to an object in the same namespace, such as `involvedObject` of an `Event`; empty if the
    /// kind has no such field. A test must set the field's `namespace` to the namespace of the `Event`.
    reference_field: &'static str,
    /// True if the API server refuses an object until another object exists, such as the service account of a pod.
    creation_waits: bool,
    selected: String,
    scaled: Scaled,
    pub(super) container: ContainerValues,
    pub(super) child: Option<ChildValues>,
}

impl ResourceValues {
    pub(super) fn of(project: &Project, controlled: ControllerOfKind<'_>) -> Self {
        let (resource, key, image) = (controlled.resource, &controlled.resource.key, controlled.image());
        let type_name = key.kind.rust_name();
        let singular = key.kind.singular();
        let api_group = resource.api_group(&project.domain);
        let owned = children::owned_children(controlled);
        // Objects have one name in all versions, and one version has the controllers.
        let mut versions = project.resources.iter().filter(|other| other.is_of_kind_of(resource) && other.key != *key);
        let reporter = versions.find_map(|resource| {
            resource.controllers.first().map(|controller| ControllerOfKind { resource, controller })
        });
        let reporter = reporter.filter(|_| resource.controllers.is_empty());
        let children_of_kind = reporter.map_or_else(|| owned.clone(), children::owned_children);
        let longest_name = children::longest_name(&children_of_kind);
        let namespace = ChildrenNamespace::of(controlled, &owned);
        let built_in = controlled.built_in();
        let members = tree(&resource.fields);
        let example = has_example(resource);
        ResourceValues {
            rust_kind: type_name.clone(),
            import: type_name.clone(),
            status_type: resource.own_types()[2].clone(),
            finalizer: if controlled.controller.finalizer { controlled.finalizer(project) } else { String::new() },
            webhooks: WebhookValues::of(project, resource),
            policy: PolicyValues::of(project, resource),
            spokes: Vec::new(),
            spoke_calls: String::new(),
            spoke_sample: String::new(),
            version_parent: key.group_module().map(|group| format!("{group}::")).unwrap_or_default(),
            marker_group: marker_group(&api_group).to_owned(),
            group: key.group.to_string(),
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
                Some(_) => sample_name(&singular, &format!("-sample-{}", key.version), longest_name),
                None => sample_name(&singular, "-sample", longest_name),
            },
            image: image.map_or_else(String::new, |image| image.reference().to_owned()),
            port: image.map_or(0, Image::port),

            name_rule: name_rule(longest_name),
            longest_name,
            name_reason: children::name_reason(&children_of_kind),
            sample: sample_of(resource),
            expected_spec: if example { EXAMPLE_SPEC.to_owned() } else { json_with_defaults(&members) },
            yaml_sample: if example { EXAMPLE_YAML.to_owned() } else { yaml_sample(&members) },
            sample_is_empty: !example && !has_live(&members),
            imports: fields::imports(&resource.fields),
            chosen: !resource.fields.is_empty() || resource.imported.is_some(),
            no_spec: resource.has_no_spec(),
            observed_generation: resource.imported.as_ref().is_none_or(|imported| imported.observed_generation),
            further_status: resource.imported.as_ref().is_some_and(|imported| imported.further_status),
            has_required_fields: members.iter().any(Member::is_required),
            fields: if example {
                FieldValues::example().into_iter().collect()
            } else {
                members.iter().map(|member| FieldValues::of(member, &type_name)).collect()
            },
            objects: fields::objects(&members, &type_name),
            each_gets: children::each_gets(&owned),
            status_note: controlled.status_note(),
            foreign_note: controlled.foreign_note(),
            about_labels: children::about_labels(controlled),
            rights: rights(project, controlled, &owned),
            has: Has::of(&owned, controlled.reports()),
            body: String::new(),
            children_namespace: namespace.expression(),
            children_share_a_namespace: children::share_a_namespace(controlled, &owned),
            watches_pods: children::watches_pods(controlled, &owned),
            child_name: if controlled.reports() { "obj.name_any()" } else { "child_name(obj)" },
            child_suffix: if controlled.reports() { String::new() } else { format!("-{}", controlled.name()) },
            object: sample_objects::object(controlled),
            tested: TestObjectValues::of(controlled),
            test: TestParts::default(),
            reference_field: built_in.map_or("", sample_objects::reference_field),
            creation_waits: built_in.is_some_and(sample_objects::creation_waits),
            selected: children::selector_labels(&owned),
            scaled: Scaled::of(controlled, &owned, &project.domain),
            container: ContainerValues::of(image.is_some(), &type_name),
            ready_when_stored: children::ready_when_stored(controlled, &owned),
            children: owned.iter().filter(|child| !child.of_image).cloned().collect(),
            owned,
            child: None,
            kind: key.kind.to_string(),
            type_name,
        }
    }
}

const EXAMPLE_SPEC: &str = r#"{ "message": "Hello, world!" }"#;
const EXAMPLE_YAML: &str = "  message: Hello from the sample";
