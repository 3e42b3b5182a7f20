//! What a controller owns, for the templates.

use super::controlled::Controlled;
use crate::model::{Child, Domain};
use heck::ToSnakeCase;
use serde::Serialize;

/// A kind that is owned.
#[derive(Clone, Serialize)]
pub(super) struct ChildValues {
    pub(super) kind: &'static str,
    pub(super) function: String,
    pub(super) of_image: bool,
    api_version: String,
    module_path: String,
    /// As a marker has it.
    group: &'static str,
    plural: &'static str,
    namespaced: bool,
    labels: String,
    metadata: &'static str,
    /// Whether nothing keeps a deleted one, so that a test can see it come back.
    comes_back: bool,
}

impl ChildValues {
    fn of(child: Child, of_image: bool) -> Self {
        let built_in = child.built_in();
        ChildValues {
            kind: built_in.kind,
            function: built_in.kind.to_snake_case(),
            of_image,
            api_version: built_in.api_version(),
            module_path: built_in.module_path(),
            group: if built_in.group.is_empty() { "\"\"" } else { built_in.group },
            plural: built_in.plural,
            namespaced: built_in.namespaced,
            labels: String::new(),
            metadata: "metadata(obj)",
            comes_back: !["Namespace", "PersistentVolumeClaim"].contains(&built_in.kind),
        }
    }

    /// The template of the function that makes it.
    pub(super) fn template(&self) -> String {
        format!("children/{}.rs", self.function)
    }

    fn is(&self, kinds: &[&str]) -> bool {
        kinds.contains(&self.kind)
    }
}

/// Kinds whose pods are selected by labels.
const WORKLOADS: &[&str] = &["Deployment", "StatefulSet", "DaemonSet"];

/// Everything that is owned, what an image needs first, and a namespace before what is in it.
pub(super) fn owned(controlled: Controlled<'_>) -> Vec<ChildValues> {
    let of_image = controlled.image().into_iter().flat_map(|_| Child::of_image());
    let of_image = of_image.map(|child| ChildValues::of(child, true));
    let further = controlled.controller.owns.iter().map(|child| ChildValues::of(*child, false));
    let mut owned: Vec<ChildValues> = of_image.chain(further).collect();
    owned.sort_by_key(|child| child.kind != "Namespace");
    let components = has_components(&owned);
    // For an owner outside of namespaces, `metadata` says in which one its children are.
    let other_namespace = !controlled.resource.namespaced && owned.iter().any(|child| child.namespaced);
    for child in &mut owned {
        child.labels = labels(child.kind, components);
        if other_namespace && !child.namespaced {
            child.metadata = "ObjectMeta {\n            namespace: None,\n            ..metadata(obj)\n        }";
        }
    }
    owned
}

fn has_components(owned: &[ChildValues]) -> bool {
    owned.iter().filter(|child| child.is(WORKLOADS)).count() > 1
}

fn labels(kind: &str, components: bool) -> String {
    if components { format!("component(obj, \"{}\")", kind.to_ascii_lowercase()) } else { "labels(obj)".to_owned() }
}

/// The labels of the pods that services and the like are about: those of the first kind that has pods.
pub(super) fn selected(owned: &[ChildValues]) -> String {
    let first = owned.iter().find(|child| child.is(WORKLOADS));
    first.map_or_else(|| labels("", false), |child| child.labels.clone())
}

/// Which functions the children share.
#[derive(Clone, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "a template asks for each")]
pub(super) struct Has {
    pods: bool,
    workloads: bool,
    jobs: bool,
    roles: bool,
    bindings: bool,
    components: bool,
    namespaced: bool,
    /// Further ones that a test deletes, to see them come back.
    returning: bool,
    /// Further ones that stay once they are deleted.
    lasting: bool,
}

impl Has {
    pub(super) fn of(owned: &[ChildValues]) -> Self {
        let any = |kinds: &[&str]| owned.iter().any(|child| child.is(kinds));
        let jobs = any(&["Job", "CronJob"]);
        Has {
            pods: any(WORKLOADS) || any(&["Pod"]) || jobs,
            workloads: any(WORKLOADS),
            jobs,
            roles: any(&["Role", "ClusterRole"]),
            bindings: any(&["RoleBinding", "ClusterRoleBinding"]),
            components: has_components(owned),
            namespaced: owned.iter().any(|child| child.namespaced),
            returning: owned.iter().any(|child| child.comes_back && !child.of_image),
            lasting: owned.iter().any(|child| !child.comes_back && !child.of_image),
        }
    }
}

/// What an autoscaler scales.
#[derive(Clone, Serialize)]
pub(super) struct Scaled {
    api_version: String,
    kind: String,
}

impl Scaled {
    pub(super) fn of(controlled: Controlled<'_>, owned: &[ChildValues], domain: &Domain) -> Self {
        if controlled.image().is_some() {
            // The Deployment's replicas are the object's to say.
            let resource = controlled.resource;
            return Scaled { api_version: resource.api_version(domain), kind: resource.key.kind.to_string() };
        }
        let scalable = owned.iter().find(|child| child.is(&["Deployment", "StatefulSet"]));
        let kind = scalable.map_or("Deployment", |child| child.kind);
        Scaled { api_version: "apps/v1".to_owned(), kind: kind.to_owned() }
    }
}

/// The constant that names the one namespace of all children, as an expression.
const FIXED_NAMESPACE: &str = "Some(NAMESPACE.into())";

/// Whether all children are in the one namespace that a constant names: their owners have none.
pub(super) fn share_a_namespace(controlled: Controlled<'_>, owned: &[ChildValues]) -> bool {
    let (are_in_one, has) = (owned.iter().any(|child| child.namespaced), Has::of(owned));
    (are_in_one || has.bindings) && namespace(controlled, owned) == FIXED_NAMESPACE
}

/// The namespace of the children, as an expression.
pub(super) fn namespace(controlled: Controlled<'_>, owned: &[ChildValues]) -> &'static str {
    let is_one = controlled.built_in().is_some_and(|built_in| built_in.kind == "Namespace");
    if controlled.resource.namespaced {
        "obj.namespace()"
    } else if is_one {
        "Some(obj.name_any())"
    } else if owned.iter().any(|child| child.kind == "Namespace") {
        if controlled.reports() { "Some(obj.name_any())" } else { "Some(child_name(obj))" }
    } else {
        FIXED_NAMESPACE
    }
}

/// Such as `a Deployment and a Service`.
pub(super) fn text(owned: &[ChildValues]) -> String {
    let article = |kind: &str| if kind.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
    let kinds: Vec<String> = owned.iter().map(|child| format!("{} {}", article(child.kind), child.kind)).collect();
    match kinds.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The longest name of an object whose children bear it: it is the value of a label, and the beginning of others. 0 where
/// there are none.
pub(super) fn longest_name(owned: &[ChildValues]) -> usize {
    // A pod's label has the name of its StatefulSet and a hash, a Job's name that of its CronJob and a time.
    match owned.iter().any(|child| child.is(&["StatefulSet", "CronJob"])) {
        _ if owned.is_empty() => 0,
        true => 52,
        false => 63,
    }
}

/// The children that a controller's objects cannot have, and why.
pub(super) fn refused(controlled: Controlled<'_>) -> Option<(Child, &'static str)> {
    let owns = &controlled.controller.owns;
    let outside = |child: &&Child| controlled.resource.namespaced && !child.built_in().namespaced;
    if let Some(child) = owns.iter().find(outside) {
        return Some((*child, "it lives outside of namespaces, and an owner in a namespace cannot own it"));
    }
    let endless = |child: &&Child| controlled.built_in().is_some_and(|owner| child.built_in().leads_to(owner));
    if let Some(child) = owns.iter().find(endless) {
        return Some((
            *child,
            "each child would lead to another object of the kind, which gets a child, and so on without end",
        ));
    }
    (controlled.name().len() > 63)
        .then(|| owns.first())
        .flatten()
        .map(|child| (*child, "the controller's name is the value of a label, which has at most 63 characters"))
}
