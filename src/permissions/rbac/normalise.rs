//! Reduces the rights in many RBAC markers to few RBAC rules. The rules and their order are the same as those of
//! controller-gen (controller-tools `pkg/rbac/parser.go` `GenerateRoles`), so that a diff between the output of opctl
//! and of controller-gen is empty. One case differs: if two rules end up with the same resources, opctl merges their
//! verbs, while controller-gen drops one of the rules.

use super::grant::Grant;
use std::collections::{BTreeMap, BTreeSet};

type Names = BTreeSet<String>;

/// An RBAC rule of a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(super) groups: Names,
    pub(super) resources: Names,
    pub(super) resource_names: Names,
    pub(super) urls: Names,
    pub(super) verbs: Names,
}

impl Rule {
    fn sort_key(&self) -> String {
        let joined = |names: &Names| names.iter().map(String::as_str).collect::<Vec<_>>().join("&");
        format!(
            "{} + {} + {} + {}",
            joined(&self.groups),
            joined(&self.resources),
            joined(&self.resource_names),
            joined(&self.urls)
        )
    }
}

/// Returns the rules of a role with these grants, merged and sorted.
pub(super) fn rules<'a>(grants: impl IntoIterator<Item = &'a Grant>) -> Vec<Rule> {
    let mut rules: Vec<Rule> = grants.into_iter().flat_map(split).collect();
    loop {
        rules = merge(rules, |rule| &mut rule.verbs);
        rules = merge(rules, |rule| &mut rule.resources);
        rules = merge(rules, |rule| &mut rule.groups);
        rules = merge(rules, |rule| &mut rule.urls);
        let keys: BTreeSet<String> = rules.iter().map(Rule::sort_key).collect();
        if keys.len() == rules.len() {
            break;
        }
    }
    rules.sort_by_key(Rule::sort_key);
    for rule in &mut rules {
        if rule.verbs.contains("*") {
            rule.verbs = Names::from(["*".to_owned()]);
        }
    }
    rules
}

/// Returns one rule for each resource of the grant, or a single rule if the grant has no resources.
fn split(grant: &Grant) -> Vec<Rule> {
    let names = |names: &[String]| names.iter().cloned().collect::<Names>();
    let rule = Rule {
        groups: grant.groups.iter().map(|group| if group == "core" { String::new() } else { group.clone() }).collect(),
        resources: Names::new(),
        resource_names: names(&grant.resource_names),
        urls: names(&grant.urls),
        verbs: names(&grant.verbs),
    };
    if grant.resources.is_empty() {
        return vec![rule];
    }
    grant.resources.iter().map(|resource| Rule { resources: Names::from([resource.clone()]), ..rule.clone() }).collect()
}

/// Merges the rules that are equal except for one field; `part` returns this field, such as the resources.
fn merge(rules: Vec<Rule>, part: impl Fn(&mut Rule) -> &mut Names) -> Vec<Rule> {
    let mut merged: BTreeMap<Vec<Names>, Rule> = BTreeMap::new();
    for mut rule in rules {
        let taken = std::mem::take(part(&mut rule));
        let key = vec![
            rule.groups.clone(),
            rule.resources.clone(),
            rule.resource_names.clone(),
            rule.urls.clone(),
            rule.verbs.clone(),
        ];
        part(merged.entry(key).or_insert(rule)).extend(taken);
    }
    merged.into_values().collect()
}
