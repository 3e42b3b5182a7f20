//! The template values of the child objects that a controller owns.

use super::controlled::ControllerOfKind;
use super::marker_group::marker_group;
use crate::model::{Child, ChildRole, Deletion, Domain};
use heck::ToSnakeCase;
use serde::Serialize;
use std::collections::BTreeSet;

/// The template values of a child kind that a controller owns.
#[derive(Clone, Serialize)]
pub(super) struct ChildValues {
    #[serde(skip)]
    child: Child,
    pub(super) kind: &'static str,
    pub(super) function: String,
    #[serde(skip)]
    pub(super) of_image: bool,
    /// The beginning of the Rust statement that applies the child. It is `let deployment = ` for the `Deployment` of
    /// the user's image, because the owner's status depends on this child, and empty for all other children.
    binding: &'static str,
    /// The method of the reconciler's context with which the controller creates the child: `apply` or `create_once`.
    call: &'static str,
    module_path: String,
    /// The API group as RBAC markers write it: `""` for the core group.
    #[serde(skip)]
    pub(super) group: &'static str,
    #[serde(skip)]
    pub(super) plural: &'static str,
    #[serde(skip)]
    pub(super) namespaced: bool,
    labels: String,
    metadata: &'static str,
    /// The name of the function in the `runtime` crate that tests the child, such as `comes_back`. The function deletes
    /// the child and checks the outcome.
    deletion: &'static str,
    /// The call that returns the `Api` of the child in a test.
    api_in_test: String,
}

impl ChildValues {
    fn of(child: Child, of_image: bool) -> Self {
        let built_in = child.built_in();
        ChildValues {
            child,
            kind: built_in.kind,
            function: built_in.kind.to_snake_case(),
            of_image,
            binding: if of_image && child.role() == ChildRole::Scalable { "let deployment = " } else { "" },
            call: if child.deletion() == Deletion::MadeOnce { "create_once" } else { "apply" },
            module_path: built_in.module_path(),
            group: marker_group(built_in.group),
            plural: built_in.plural,
            namespaced: built_in.namespaced,
            labels: String::new(),
            metadata: "metadata(obj)",
            deletion: deletion_test(child.deletion()),
            api_in_test: String::new(),
        }
    }

    /// Returns the name of the template with the function that builds the child.
    pub(super) fn template(&self) -> String {
        format!("src/controller/children/{}.rs", self.function)
    }

    pub(super) fn role(&self) -> ChildRole {
        self.child.role()
    }

    /// Returns true if the child is ready once it is stored: it runs no pods and is not a `PersistentVolumeClaim`.
    pub(super) fn is_settled_by_apply(&self) -> bool {
        let runs =
            matches!(self.child.role(), ChildRole::Scalable | ChildRole::Daemon | ChildRole::Job | ChildRole::Pod);
        !runs && self.kind != "PersistentVolumeClaim"
    }

    fn is_workload(&self) -> bool {
        matches!(self.child.role(), ChildRole::Scalable | ChildRole::Daemon)
    }
}

/// Returns the name of the function in the `runtime` crate that tests a child. The function deletes the child and
/// checks the outcome.
fn deletion_test(deletion: Deletion) -> &'static str {
    match deletion {
        Deletion::ComesBack => "comes_back",
        Deletion::MadeOnce => "is_made_once",
        Deletion::Lasts => "is_kept",
    }
}

/// Returns the controller's children: a `Namespace` first, then the `Deployment` and the `Service` for the user's
/// image, then all other children.
pub(super) fn owned_children(controlled: ControllerOfKind<'_>) -> Vec<ChildValues> {
    let of_image = controlled.image().into_iter().flat_map(|_| Child::of_image());
    let of_image = of_image.map(|child| ChildValues::of(child, true));
    let further = controlled.controller.owns.iter().map(|child| ChildValues::of(*child, false));
    let mut owned: Vec<ChildValues> = of_image.chain(further).collect();
    owned.sort_by_key(|owned| owned.child.role() != ChildRole::Namespace);
    let components = has_components(&owned);
    // For an owner outside of namespaces, `metadata` sets the namespace of the children.
    let other_namespace = !controlled.resource.namespaced && owned.iter().any(|child| child.namespaced);
    let namespace = ChildrenNamespace::of(controlled, &owned).in_test(controlled);
    for child in &mut owned {
        child.labels = labels(child.kind, components);
        child.api_in_test = if child.namespaced {
            format!("namespaced(client.clone(), {namespace})")
        } else {
            "all(client.clone())".to_owned()
        };
        if other_namespace && !child.namespaced {
            child.metadata = "ObjectMeta {\n            namespace: None,\n            ..metadata(obj)\n        }";
        }
    }
    owned
}

/// Returns true if the controller has children but no image, and each child is ready once it is stored. If so, the
/// generated controller can report the owner as ready when all children are stored. Otherwise, the controller needs
/// further code that determines if the owner is ready.
pub(super) fn ready_when_stored(controlled: ControllerOfKind<'_>, owned: &[ChildValues]) -> bool {
    controlled.image().is_none() && !owned.is_empty() && owned.iter().all(ChildValues::is_settled_by_apply)
}

fn has_components(owned: &[ChildValues]) -> bool {
    owned.iter().filter(|child| child.is_workload()).count() > 1
}

fn labels(kind: &str, components: bool) -> String {
    if components { format!("component(obj, \"{}\")", kind.to_ascii_lowercase()) } else { "labels(obj)".to_owned() }
}

/// Returns the Rust expression for the labels by which a child such as a `Service` selects pods: the pods of the first
/// child that is a workload.
pub(super) fn selector_labels(owned: &[ChildValues]) -> String {
    let first = owned.iter().find(|child| child.is_workload());
    first.map_or_else(|| labels("", false), |child| child.labels.clone())
}

/// The template values of the container in the children's pods.
#[derive(Clone, Serialize)]
pub(super) struct ContainerValues {
    /// The Rust parameter of the functions that build the container, such as `obj: &WebServer`; empty if the functions
    /// have no parameter.
    parameter: String,
    argument: &'static str,
    image: &'static str,
    port: &'static str,
}

impl ContainerValues {
    /// Returns the values of a container. With `in_spec`, the image and the port come from the spec of the type
    /// `rust_kind`; otherwise, the controller's code fixes the image and the port.
    pub(super) fn of(in_spec: bool, rust_kind: &str) -> Self {
        if in_spec {
            let (image, port) = ("obj.spec.image.clone()", "obj.spec.port");
            ContainerValues { parameter: format!("obj: &{rust_kind}"), argument: "obj", image, port }
        } else {
            ContainerValues { parameter: String::new(), argument: "", image: "IMAGE.into()", port: "8080" }
        }
    }
}

/// The properties of a controller's children that determine the generated code.
#[derive(Clone, Serialize)]
pub(super) struct Has {
    /// The templates of the functions that the children share, in the order in which opctl renders the functions.
    #[serde(skip)]
    pub(super) shared: Vec<&'static str>,
    /// True if the controller has a constant for the image of the pods.
    image_constant: bool,
    namespaced: bool,
    /// The names of the functions in the `runtime` crate that test the children, except for the `Deployment` and the
    /// `Service` for the user's image. Each function deletes a child and checks the outcome.
    deletions: BTreeSet<&'static str>,
}

impl Has {
    pub(super) fn of(owned: &[ChildValues], reports: bool) -> Self {
        let any = |role: ChildRole| owned.iter().any(|owned| owned.role() == role);
        let (workloads, jobs) = (owned.iter().any(ChildValues::is_workload), any(ChildRole::Job));
        let pods = workloads || jobs || any(ChildRole::Pod);
        let own_names = !reports && owned.iter().any(|child| !child.of_image);
        let shared = [
            (!owned.is_empty(), "src/controller/shared/labels.rs"),
            (has_components(owned), "src/controller/shared/component.rs"),
            (own_names, "src/controller/shared/child_name.rs"),
            (!owned.is_empty(), "src/controller/shared/metadata.rs"),
            (pods, "src/controller/shared/pods.rs"),
            (workloads, "src/controller/shared/workloads.rs"),
            (jobs, "src/controller/shared/jobs.rs"),
            (any(ChildRole::Role), "src/controller/shared/roles.rs"),
            (any(ChildRole::Binding), "src/controller/shared/bindings.rs"),
        ];
        Has {
            shared: enabled_parts(&shared),
            image_constant: pods && !owned.iter().any(|child| child.of_image),
            namespaced: owned.iter().any(|child| child.namespaced),
            deletions: owned.iter().filter(|child| !child.of_image).map(|child| child.deletion).collect(),
        }
    }
}

/// Returns the items of `parts` whose flag is true, in the order of `parts`.
pub(super) fn enabled_parts(parts: &[(bool, &'static str)]) -> Vec<&'static str> {
    parts.iter().filter(|(wanted, _)| *wanted).map(|(_, part)| *part).collect()
}

/// The object that an autoscaler scales.
#[derive(Clone, Serialize)]
pub(super) struct Scaled {
    api_version: String,
    kind: String,
}

impl Scaled {
    pub(super) fn of(controlled: ControllerOfKind<'_>, owned: &[ChildValues], domain: &Domain) -> Self {
        if controlled.image().is_some() {
            // The object's spec sets the replicas of the Deployment, so that the autoscaler has to scale the object.
            let resource = controlled.resource;
            return Scaled { api_version: resource.api_version(domain), kind: resource.key.kind.to_string() };
        }
        let scalable = owned.iter().find(|owned| owned.child.role() == ChildRole::Scalable);
        let kind = scalable.map_or("Deployment", |child| child.kind);
        Scaled { api_version: "apps/v1".to_owned(), kind: kind.to_owned() }
    }
}

/// The namespace of a controller's child objects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildrenNamespace {
    /// The namespace that contains the owner of the children.
    OfOwner,
    /// The namespace that has the owner's name.
    NamedAsOwner,
    /// The namespace that the controller creates as one of the children, under the same name as the other children.
    NamedAsChildren,
    /// The namespace that a constant in the controller's code names.
    Fixed,
}

impl ChildrenNamespace {
    pub(super) fn of(controlled: ControllerOfKind<'_>, owned: &[ChildValues]) -> Self {
        let is_namespace = controlled.built_in().is_some_and(|built_in| built_in.kind == "Namespace");
        if controlled.resource.namespaced {
            ChildrenNamespace::OfOwner
        } else if is_namespace {
            ChildrenNamespace::NamedAsOwner
        } else if owned.iter().any(|owned| owned.child.role() == ChildRole::Namespace) {
            if controlled.reports() { ChildrenNamespace::NamedAsOwner } else { ChildrenNamespace::NamedAsChildren }
        } else {
            ChildrenNamespace::Fixed
        }
    }

    /// Returns the Rust expression for the children's namespace in the controller.
    pub(super) fn expression(self) -> &'static str {
        match self {
            ChildrenNamespace::OfOwner => "obj.namespace()",
            ChildrenNamespace::NamedAsOwner => "Some(obj.name_any())",
            ChildrenNamespace::NamedAsChildren => "Some(child_name(obj))",
            ChildrenNamespace::Fixed => "Some(NAMESPACE.into())",
        }
    }

    /// Returns the Rust expression for the children's namespace in the test, where `name` is the children's name.
    pub(super) fn in_test(self, controlled: ControllerOfKind<'_>) -> &'static str {
        match self {
            ChildrenNamespace::OfOwner => "&operator.namespace",
            ChildrenNamespace::NamedAsOwner if !controlled.reports() => "owner",
            ChildrenNamespace::NamedAsOwner | ChildrenNamespace::NamedAsChildren => "name",
            ChildrenNamespace::Fixed => "NAMESPACE",
        }
    }
}

/// Returns true if all children use the same namespace, which a constant in the controller's code names. The constant
/// is needed if the owners are cluster-scoped, and so have no namespace that the children could use.
pub(super) fn share_a_namespace(controlled: ControllerOfKind<'_>, owned: &[ChildValues]) -> bool {
    let is_in_one = |child: &ChildValues| child.namespaced || child.child.role() == ChildRole::Binding;
    owned.iter().any(is_in_one) && ChildrenNamespace::of(controlled, owned) == ChildrenNamespace::Fixed
}

/// Returns the method calls that configure the `Controller`, in rustfmt's layout: a single call continues the current
/// line, and several calls get a line each.
pub(super) fn builder_calls(controlled: ControllerOfKind<'_>, owned: &[ChildValues]) -> String {
    let mut calls: Vec<String> = owned.iter().map(|child| format!(".owns::<{}>()", child.kind)).collect();
    if watches_pods(controlled, owned) {
        calls.push(".watches_map(pods(), object_of)".to_owned());
    }
    if controlled.controller.finalizer {
        calls.push(".finalizer(FINALIZER, cleanup)".to_owned());
    }
    if controlled.reports() {
        calls.push(".conditions(|status| &mut status.conditions)".to_owned());
    }
    let separator = "\n        ";
    if calls.len() > 1 { format!("{separator}{}", calls.join(separator)) } else { calls.concat() }
}

/// Returns true if the controller watches the pods of its `Deployment` in order to report why pods do not start.
pub(super) fn watches_pods(controlled: ControllerOfKind<'_>, owned: &[ChildValues]) -> bool {
    controlled.image().is_some() && !owned.iter().any(|child| child.plural == "pods")
}

/// Returns the end of a sentence about the controller's objects, such as `: each gets a Deployment and a Service`;
/// empty without children.
pub(super) fn each_gets(owned: &[ChildValues]) -> String {
    if owned.is_empty() { String::new() } else { format!(": each gets {}", text(owned)) }
}

/// Returns the doc comment of the generated function that returns the children's labels.
pub(super) fn about_labels(controlled: ControllerOfKind<'_>) -> &'static str {
    match controlled.image() {
        Some(_) => {
            "/// Returns the labels by which the Deployment and the Service select pods. The selector of a\n\
             /// Deployment is immutable."
        }
        None => "/// Returns the labels of all children, by which pods are also selected. Selectors are immutable.",
    }
}

/// Returns the kinds of the children in words, such as `a Deployment and a Service`.
fn text(owned: &[ChildValues]) -> String {
    let article = |kind: &str| if kind.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
    let kinds: Vec<String> = owned.iter().map(|child| format!("{} {}", article(child.kind), child.kind)).collect();
    match kinds.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the maximum length of an owner's name, if each child has the same name as its owner; 0 without children.
pub(super) fn longest_name(owned: &[ChildValues]) -> usize {
    owned.iter().map(|owned| owned.child.longest_name()).min().unwrap_or_default()
}

/// Returns the reason for the limit from [`longest_name`], as the end of a comment.
pub(super) fn name_reason(owned: &[ChildValues]) -> &'static str {
    if longest_name(owned) == 63 {
        "the name of a Service is a DNS label"
    } else {
        "some children append a suffix to the name"
    }
}

/// Returns a child that the controller's objects cannot own, and the reason, if the controller has such a child.
pub(super) fn unownable_child(controlled: ControllerOfKind<'_>) -> Option<(Child, &'static str)> {
    let owns = &controlled.controller.owns;
    let outside = |child: &&Child| controlled.resource.namespaced && !child.built_in().namespaced;
    if let Some(child) = owns.iter().find(outside) {
        return Some((
            *child,
            "the child is cluster-scoped, and Kubernetes allows no owner reference to a namespaced owner",
        ));
    }
    let endless = |child: &&Child| controlled.built_in().is_some_and(|owner| child.leads_to(owner));
    if let Some(child) = owns.iter().find(endless) {
        return Some((
            *child,
            "each child would create another object of the kind, which would again get a child, in an endless loop",
        ));
    }
    (controlled.name().len() > 63)
        .then(|| owns.first())
        .flatten()
        .map(|child| (*child, "the controller's name is the value of a label, which has at most 63 characters"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::Templates;

    #[test]
    fn every_child_has_a_template() {
        let templates = Templates::load("resource").unwrap();
        let there: BTreeSet<String> = templates.names().map(str::to_owned).collect();
        let there = there.into_iter().filter(|name| name.starts_with("src/controller/children/"));
        let wanted: BTreeSet<String> = Child::all().map(|child| ChildValues::of(child, false).template()).collect();
        assert_eq!(there.collect::<BTreeSet<_>>(), wanted);
    }
}
