//! The granted RBAC rights: from markers, and from hand-written roles that a binding gives to a service account.

use crate::permissions::rbac::Grant;
use crate::reading::{self, Limit};
use crate::{Result, conflict, error::file_error, yaml};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The name of the file with the roles that opctl generates from markers.
const GENERATED: &str = "role.yaml";

/// The RBAC rights of the operator.
#[derive(Debug, Default)]
pub(crate) struct Rights {
    rules: Vec<Rule>,
    /// The generated roles that a binding gives to a service account, each as kind and name.
    bound: BTreeSet<(String, String)>,
    /// True if a bound role has unknown rules, such as `cluster-admin`; every right then counts as granted.
    unknown: bool,
}

#[derive(Debug)]
struct Rule {
    groups: Vec<String>,
    resources: Vec<String>,
    verbs: Vec<String>,
}

impl Rights {
    /// Adds the rights that the markers grant, without regard to namespaces and object names that limit the rights. A
    /// marker that names a role counts only if a binding gives that role to a service account.
    pub(crate) fn with(mut self, grants: &[Grant]) -> Self {
        let is_bound = |grant: &&Grant| {
            let kind = if grant.namespace.is_empty() { "ClusterRole" } else { "Role" };
            !grant.names_a_role() || self.bound.contains(&(kind.to_owned(), grant.role_name.clone()))
        };
        self.rules.extend(grants.iter().filter(is_bound).map(|grant| Rule {
            groups:
                grant.groups.iter().map(|group| if group == "core" { String::new() } else { group.clone() }).collect(),
            resources: grant.resources.clone(),
            verbs: grant.verbs.clone(),
        }));
        self
    }

    /// Returns true if the rights allow a request, by the same rules as `policy_comparator.go` in
    /// `k8s.io/component-helpers` `auth/rbac/validation`.
    pub(super) fn allow(&self, group: &str, resource: &str, verb: &str) -> bool {
        let has = |list: &[String], wanted: &str| list.iter().any(|one| one == "*" || one == wanted);
        let below = resource.split_once('/').map(|(_, subresource)| format!("*/{subresource}"));
        // Every authenticated user may create reviews of itself.
        let of_itself = group.starts_with("auth") && resource.starts_with("selfsubject") && verb == "create";
        let rules = || {
            self.rules.iter().any(|rule| {
                let of_resource = has(&rule.resources, resource)
                    || below.as_ref().is_some_and(|below| rule.resources.contains(below));
                has(&rule.groups, group) && of_resource && has(&rule.verbs, verb)
            })
        };
        self.unknown || of_itself || rules()
    }
}

/// Reads the rights of the roles in `config/rbac` that a binding in that folder gives to a service account. Roles
/// without a binding, such as the viewer and editor roles of an API, do not count.
pub(crate) fn by_hand(root: &Path) -> Result<Rights> {
    let mut objects = Vec::new();
    for entry in std::fs::read_dir(root.join("config/rbac")).into_iter().flatten().flatten() {
        let path = entry.path();
        if yaml::is_yaml(&path) {
            let text = reading::text(&path, Limit::Source).map_err(|error| file_error("read", &path, &error))?;
            let generated = entry.file_name() == GENERATED;
            if !generated {
                conflict::check(&path.display().to_string(), &text)?;
            }
            // kustomize reports invalid YAML.
            let documents = yaml::read(&text).unwrap_or_default();
            objects.extend(documents.into_iter().map(|document| (generated, document)));
        }
    }
    Ok(rights_of_bindings(&objects))
}

/// Returns the rights that bindings give to service accounts. The flag of an object is true if opctl generates the
/// object from markers.
fn rights_of_bindings(objects: &[(bool, Value)]) -> Rights {
    let mut rights = Rights::default();
    for (_, binding) in objects.iter().filter(|(_, object)| object["roleRef"].is_object()) {
        let subjects = binding["subjects"].as_array().into_iter().flatten();
        if !subjects.into_iter().any(|subject| subject["kind"] == "ServiceAccount") {
            continue;
        }
        let (kind, name) = (&binding["roleRef"]["kind"], &binding["roleRef"]["name"]);
        let role = objects.iter().find(|(_, role)| role["kind"] == *kind && role["metadata"]["name"] == *name);
        match role {
            Some((true, _)) => {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                rights.bound.insert((text(kind), text(name)));
            }
            Some((false, role)) if role["aggregationRule"].is_null() => {
                rights.rules.extend(role["rules"].as_array().into_iter().flatten().map(rule));
            }
            _ => rights.unknown = true,
        }
    }
    rights
}

fn rule(rule: &Value) -> Rule {
    let list = |key: &str| -> Vec<String> {
        let values = rule[key].as_array().into_iter().flatten();
        values.filter_map(|value| value.as_str()).map(str::to_owned).collect()
    };
    Rule { groups: list("apiGroups"), resources: list("resources"), verbs: list("verbs") }
}

#[cfg(test)]
mod tests {
    use super::{Rights, rights_of_bindings};
    use crate::permissions::rbac::Grant;
    use serde_json::json;

    #[test]
    fn rules_allow_as_in_a_cluster() {
        let list = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
        let grant = |groups, resources, verbs| Grant {
            groups: list(groups),
            resources: list(resources),
            verbs: list(verbs),
            ..Grant::default()
        };
        let rights = Rights::default().with(&[
            grant(&["core"], &["pods", "*/scale"], &["get"]),
            grant(&["apps"], &["*"], &["*"]),
            grant(&["*"], &["widgets"], &["list"]),
        ]);
        for (group, resource, verb, allowed) in [
            ("", "pods", "get", true),
            ("", "pods", "list", false),
            ("", "pods/status", "get", false),
            ("", "replicationcontrollers/scale", "get", true),
            ("apps", "deployments/status", "patch", true),
            ("batch", "jobs", "get", false),
            ("example.com", "widgets", "list", true),
            ("authorization.k8s.io", "selfsubjectaccessreviews", "create", true),
            ("authorization.k8s.io", "subjectaccessreviews", "create", false),
        ] {
            assert_eq!(rights.allow(group, resource, verb), allowed, "{group} {resource} {verb}");
        }
    }

    #[test]
    fn only_bound_roles_count_and_what_is_unknown_allows_everything() {
        let role = |name: &str, group: &str| {
            json!({
                "kind": "ClusterRole", "metadata": {"name": name},
                "rules": [{"apiGroups": [group], "resources": ["*"], "verbs": ["*"]}],
            })
        };
        let binding = |name: &str, subject: &str| {
            json!({
                "kind": "ClusterRoleBinding", "roleRef": {"kind": "ClusterRole", "name": name}, "subjects": [{"kind": subject}],
            })
        };
        let objects = [
            (true, role("made", "made")),
            (false, role("mine", "mine")),
            (false, role("people", "people")),
            (false, binding("made", "ServiceAccount")),
            (false, binding("mine", "ServiceAccount")),
            (false, binding("people", "Group")),
        ];
        let rights = rights_of_bindings(&objects);
        assert_eq!(["made", "mine", "people"].map(|group| rights.allow(group, "a", "get")), [false, true, false]);
        let reader = Grant {
            groups: vec!["a".into()],
            resources: vec!["b".into()],
            verbs: vec!["get".into()],
            role_name: "made".into(),
            ..Grant::default()
        };
        assert!(rights_of_bindings(&objects).with(std::slice::from_ref(&reader)).allow("a", "b", "get"));
        assert!(
            !rights_of_bindings(&objects).with(&[Grant { role_name: "mine".into(), ..reader }]).allow("a", "b", "get")
        );
        let everything = rights_of_bindings(&[(false, binding("cluster-admin", "ServiceAccount"))]);
        assert!(everything.allow("any", "a", "get"));
    }
}
