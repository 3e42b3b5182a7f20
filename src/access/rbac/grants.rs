//! Reads grants from markers, and reports those that grant too much or nothing.

use super::grant::Grant;
use super::power;
use crate::finding::{Finding, Lint};
use crate::source::markers::{Marker, MarkerError};

pub(crate) static LINTS: &[&Lint] = &[&UNREADABLE_RBAC, &BEYOND_A_ROLE, &power::POWER];

pub(crate) static UNREADABLE_RBAC: Lint = Lint::error(
    "OP401",
    "an RBAC marker that cannot be read",
    "What it was meant to grant would be missing from the role, and the operator would be forbidden to work.",
    "// +opctl:rbac:groups=apps,resource=deployments,verbs=get",
    "// +opctl:rbac:groups=apps,resources=deployments,verbs=get",
);

pub(crate) static BEYOND_A_ROLE: Lint = Lint::error(
    "OP406",
    "a right that a Role cannot grant",
    "In a namespaced project the manager has a Role in its own namespace. The API server takes a rule about nodes, namespaces \
     or URLs in one, and grants nothing by it.",
    "// +opctl:rbac:groups=core,resources=nodes,verbs=get;list;watch",
    "// +opctl:rbac:groups=core,resources=nodes,verbs=get;list;watch,roleName=node-reader // bound by hand",
);

/// Returns true for the group and plural of a cluster-scoped resource.
pub(crate) type IsOutside<'a> = dyn Fn(&str, &str) -> bool + 'a;

/// Returns the grants of the markers, in their order. The findings are about markers that cannot be read, or whose rule
/// the API server would refuse; about rights from which others follow; and, with `outside`, about rights that a Role
/// cannot grant.
pub(crate) fn grants(markers: &[Marker<'_>], outside: Option<&IsOutside>) -> (Vec<Grant>, Vec<Finding>) {
    let (mut grants, mut findings) = (Vec::new(), Vec::new());
    for marker in markers.iter().filter(|marker| marker.name == "rbac") {
        match Grant::read(marker) {
            Ok(grant) => {
                findings.extend(power::powers(marker, &grant));
                findings.extend(outside.and_then(|outside| beyond_a_role(marker, &grant, outside)));
                grants.push(grant);
            }
            Err(wrong) => findings.push(wrong.at(&UNREADABLE_RBAC, marker.file, marker.line)),
        }
    }
    (grants, findings)
}

/// Reports a marker that adds rights to the default role that a Role cannot grant: URLs, and cluster-scoped resources.
fn beyond_a_role(marker: &Marker<'_>, grant: &Grant, outside: &IsOutside) -> Option<Finding> {
    let of_cluster = |resource: &&String| {
        let plural = resource.split('/').next().unwrap_or_default();
        grant.groups.iter().any(|group| outside(if group == "core" { "" } else { group }, plural))
    };
    let found = grant.resources.iter().find(of_cluster).or(grant.urls.first());
    let found = found.filter(|_| grant.is_of_the_default_role())?;
    let message =
        format!("`{found}` is in no namespace, and the manager has a Role, which grants nothing outside of its own");
    let hint = "opctl edit --namespaced=false    # rights in the whole cluster; or a ClusterRole beside it, which you bind \
                yourself: `roleName=cluster-reader` in the marker";
    let wrong = MarkerError { column: marker.column, message, hint: hint.to_owned() };
    Some(wrong.at(&BEYOND_A_ROLE, marker.file, marker.line))
}
