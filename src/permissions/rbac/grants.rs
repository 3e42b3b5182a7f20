//! Reads RBAC grants from markers, and reports markers that grant too much or nothing.

use super::grant::Grant;
use super::power;
use super::role_place::Place;
use crate::finding::{Finding, Lint};
use crate::source::markers::{Marker, MarkerError};
use std::collections::BTreeMap;

pub(crate) static LINTS: &[&Lint] = &[&UNREADABLE_RBAC, &BEYOND_A_ROLE, &power::POWER, &ONE_NAME];

pub(crate) static UNREADABLE_RBAC: Lint = Lint::error(
    "OP401",
    "an invalid RBAC marker",
    "The role would lack the rights of the marker, and the API server would refuse the operator's requests.",
    "// +opctl:rbac:groups=apps,resource=deployments,verbs=get",
    "// +opctl:rbac:groups=apps,resources=deployments,verbs=get",
);

pub(crate) static BEYOND_A_ROLE: Lint = Lint::error(
    "OP406",
    "a right that a namespaced Role cannot grant",
    "In a namespaced project the manager has a Role in its own namespace, and a marker with `namespace` creates a \
     Role in that namespace. The API server accepts rules about nodes, namespaces or URLs in a Role, but such rules \
     grant nothing.",
    "// +opctl:rbac:groups=core,resources=nodes,verbs=get;list;watch",
    "// +opctl:rbac:groups=core,resources=nodes,verbs=get;list;watch,roleName=node-reader // bound by hand",
);

pub(crate) static ONE_NAME: Lint = Lint::error(
    "OP408",
    "Roles with the same name in two namespaces",
    "`namespace` in `config/default` first moves all Roles to the manager's namespace, and kustomize refuses two Roles of one \
     name in one namespace.",
    "// +opctl:rbac:groups=core,resources=secrets,verbs=get,namespace=one,roleName=reader\n\
     // +opctl:rbac:groups=core,resources=secrets,verbs=get,namespace=two,roleName=reader",
    "// +opctl:rbac:groups=core,resources=secrets,verbs=get,namespace=one,roleName=reader-one\n\
     // +opctl:rbac:groups=core,resources=secrets,verbs=get,namespace=two,roleName=reader-two",
);

/// A function that returns true if the given API group and plural belong to a cluster-scoped resource.
pub(crate) type IsOutside<'a> = dyn Fn(&str, &str) -> bool + 'a;

/// Returns the grants of the markers, in the order of the markers. Also returns findings about markers that cannot be
/// read or whose rule the API server would refuse, about rights that allow privilege escalation, about rights that a
/// Role cannot grant, and about Roles with the same name. If `namespaced` is true, the default role is a Role.
pub(crate) fn grants(markers: &[Marker<'_>], namespaced: bool, outside: &IsOutside) -> (Vec<Grant>, Vec<Finding>) {
    let (mut grants, mut findings) = (Vec::new(), Vec::new());
    let mut namespaces = BTreeMap::new();
    for marker in markers.iter().filter(|marker| marker.name == "rbac") {
        match Grant::read(marker) {
            Ok(grant) => {
                findings.extend(power::powers(marker, &grant));
                findings.extend(beyond_a_role(marker, &grant, namespaced, outside));
                findings.extend(one_name(marker, &grant, namespaced, &mut namespaces));
                grants.push(grant);
            }
            Err(wrong) => findings.push(wrong.into_finding(&UNREADABLE_RBAC, marker.file, marker.line)),
        }
    }
    (grants, findings)
}

/// Reports a marker that adds to a Role a right that no Role can grant: a right on URLs or on cluster-scoped resources.
fn beyond_a_role(marker: &Marker<'_>, grant: &Grant, namespaced: bool, outside: &IsOutside) -> Option<Finding> {
    let of_cluster = |resource: &&String| {
        let plural = resource.split('/').next().unwrap_or_default();
        grant.groups.iter().any(|group| outside(if group == "core" { "" } else { group }, plural))
    };
    let found = grant.resources.iter().find(of_cluster).or(grant.urls.first())?;
    let (message, hint) = if !grant.namespace.is_empty() {
        (
            format!("`{found}` is not namespaced, and a Role grants rights only in its namespace"),
            if namespaced {
                "remove `namespace`, and let the manager have rights in the whole cluster: opctl edit --namespaced=false"
            } else {
                "remove `namespace`"
            },
        )
    } else if namespaced && grant.is_of_the_default_role() {
        (
            format!(
                "`{found}` is not namespaced, and the manager has a Role, which grants rights only in its namespace"
            ),
            "opctl edit --namespaced=false    # rights in the whole cluster; or write `roleName=cluster-reader` in \
             the marker, and bind this ClusterRole yourself",
        )
    } else {
        return None;
    };
    let wrong = MarkerError { column: marker.column, message, hint: hint.to_owned() };
    Some(wrong.into_finding(&BEYOND_A_ROLE, marker.file, marker.line))
}

/// Reports a marker whose Role has the same name as the Role of an earlier marker, but another namespace. `namespaces`
/// maps the names of the earlier markers' Roles to their namespaces. If `namespaces` does not have the name of this
/// marker's Role yet, adds the Role to `namespaces`.
fn one_name(
    marker: &Marker<'_>,
    grant: &Grant,
    namespaced: bool,
    namespaces: &mut BTreeMap<String, String>,
) -> Option<Finding> {
    let Place { namespace, name } = Place::of(grant, namespaced);
    if namespace.is_empty() {
        return None;
    }
    let message = match namespaces.get(&name) {
        None => {
            namespaces.insert(name, namespace);
            return None;
        }
        Some(other) if *other == namespace => return None,
        Some(other) => format!("another marker defines a Role `{name}` in the namespace `{other}`"),
    };
    let hint = format!("give it another name: `roleName={name}-{namespace}`");
    let wrong = MarkerError { column: marker.column, message, hint };
    Some(wrong.into_finding(&ONE_NAME, marker.file, marker.line))
}
