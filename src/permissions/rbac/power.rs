//! Finds RBAC rights in markers that allow privilege escalation.

use super::Grant;
use crate::finding::{Finding, Lint};
use crate::source::markers::{Marker, MarkerError};

pub(crate) static POWER: Lint = Lint::warning(
    "OP407",
    "a right that allows privilege escalation",
    "An attacker who controls the operator can gain any right: through a role that the operator may escalate or bind, \
     as a user that it may impersonate, or with a token that it reads from a Secret. Name the objects in the marker, \
     or state why that is not possible.",
    "// +opctl:rbac:groups=core,resources=secrets,verbs=get;list;watch",
    "// +opctl:rbac:groups=core,resources=secrets,resourceNames=registry,verbs=get\n\
     // or: +opctl:allow:OP407 reason=\"users name the Secret in the spec\"",
);

/// A right that allows privilege escalation.
struct Power {
    verbs: &'static [&'static str],
    groups: &'static [&'static str],
    resources: &'static [&'static str],
    /// True if opctl does not report the right when the marker limits the right with `resourceNames`.
    is_limited_by_names: bool,
    lets: &'static str,
}

const RBAC: &[&str] = &["rbac.authorization.k8s.io"];
const ROLES: &[&str] = &["roles", "clusterroles"];

const POWERS: [Power; 4] = [
    Power {
        verbs: &["escalate"],
        groups: RBAC,
        resources: ROLES,
        is_limited_by_names: false,
        lets: "write any right into a role",
    },
    Power {
        verbs: &["bind"],
        groups: RBAC,
        resources: ROLES,
        is_limited_by_names: true,
        lets: "give any role to anybody",
    },
    Power {
        verbs: &["impersonate"],
        groups: &["core", "", "authentication.k8s.io"],
        resources: &["users", "groups", "serviceaccounts", "uids", "userextras"],
        is_limited_by_names: true,
        lets: "act as any other user",
    },
    Power {
        verbs: &["get", "list", "watch"],
        groups: &["core", ""],
        resources: &["secrets"],
        is_limited_by_names: true,
        lets: "read every Secret",
    },
];

/// Reports the rights of the marker that allow privilege escalation.
pub(super) fn powers(marker: &Marker<'_>, grant: &Grant) -> impl Iterator<Item = Finding> {
    POWERS.iter().filter_map(|power| {
        let message = format!("`{}` lets the operator {}", granting_verb(power, grant)?, power.lets);
        let names = if power.is_limited_by_names { "add `resourceNames=..` to the marker, or " } else { "" };
        let hint = format!("{names}state the reason above the marker: `// +opctl:allow:OP407 reason=\"..\"`");
        Some(MarkerError { column: marker.column, message, hint }.into_finding(&POWER, marker.file, marker.line))
    })
}

/// Returns the verb in `grant` that grants the right `power`; `None` if no verb grants the right.
fn granting_verb<'a>(power: &Power, grant: &'a Grant) -> Option<&'a str> {
    let has = |given: &[String], wanted: &[&str]| {
        given.iter().any(|one| one == "*" || wanted.contains(&one.split('/').next().unwrap_or_default()))
    };
    let is_limited = power.is_limited_by_names && !grant.resource_names.is_empty();
    let is_granted = !is_limited && has(&grant.groups, power.groups) && has(&grant.resources, power.resources);
    let mut verbs = grant.verbs.iter().filter(|verb| *verb == "*" || power.verbs.contains(&verb.as_str()));
    verbs.next().filter(|_| is_granted).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use crate::permissions::rbac::grants;
    use crate::source::markers::markers;
    use std::path::Path;

    #[test]
    fn a_right_from_which_others_follow_is_found() {
        for (marker, expected) in [
            ("groups=core,resources=secrets,verbs=create;patch", &[][..]),
            ("groups=core,resources=secrets,resourceNames=a,verbs=get", &[]),
            ("groups=core,resources=configmaps,verbs=*", &[]),
            ("groups=example.com,resources=secrets,verbs=get", &[]),
            ("groups=\"\",resources=secrets,verbs=create;list", &["`list` lets the operator read every Secret"]),
            ("groups=core,resources=*,verbs=get", &["`get` lets the operator read every Secret"]),
            ("groups=rbac.authorization.k8s.io,resources=clusterroles,resourceNames=view,verbs=bind", &[]),
            (
                "groups=rbac.authorization.k8s.io,resources=clusterroles,resourceNames=view,verbs=escalate",
                &["`escalate` lets the operator write any right into a role"],
            ),
            (
                "groups=rbac.authorization.k8s.io,resources=roles,verbs=*",
                &[
                    "`*` lets the operator write any right into a role",
                    "`*` lets the operator give any role to anybody",
                ],
            ),
            (
                "groups=authentication.k8s.io,resources=userextras/scopes,verbs=impersonate",
                &["`impersonate` lets the operator act as any other user"],
            ),
        ] {
            let text = format!("// +opctl:rbac:{marker}\n");
            let (_, findings) = grants(&markers(Path::new("a.rs"), &text).0, false, &|_, _| false);
            let found: Vec<&str> = findings.iter().map(|finding| finding.reason.as_str()).collect();
            assert_eq!(found, expected, "{marker}");
        }
    }
}
