//! Splits API groups into a domain and the part before the domain: `PROJECT` records both for each kind.

use super::super::kinds::{domain, group, most_common};
use crate::Result;
use crate::model::{Domain, Group, InvalidName, module_name};
use std::collections::{BTreeMap, BTreeSet};

/// The domain of a project, and the domains of the groups that do not end in the project's domain.
pub(super) struct Groups {
    /// The project's domain.
    pub(super) domain: Domain,
    others: BTreeMap<String, (Domain, Group)>,
}

/// The maximum length of a DNS subdomain, and therefore of an API group.
const MOST_BYTES: usize = 253;

impl Groups {
    /// Finds the domain of the project: the domain in which all groups end. If the groups have no domain in common,
    /// finds a domain for each group; the project's domain is then the domain of the group with the most kinds. `all`
    /// has the group and the kind of each CRD.
    ///
    /// # Errors
    /// Fails for a group that the API server would refuse.
    pub(super) fn find(all: &[(&str, &str)]) -> Result<Self> {
        let groups = || all.iter().map(|(group, _)| *group);
        let unique: BTreeSet<&str> = groups().collect();
        // Each end of a group is looked at below.
        if let Some(long) = unique.iter().find(|group| group.len() > MOST_BYTES) {
            Domain::parse(long)?;
        }
        let main = most_common(groups());
        match longest_shared(main, &unique) {
            Some(shared) if !unique.iter().all(|group| shared.has_group(group)) => {}
            _ => return Ok(Groups::within(domain(groups())?)),
        }
        for group in &unique {
            Domain::parse(group)?;
        }
        let mut taken: BTreeSet<String> = all.iter().map(|(_, kind)| module_name(kind)).collect();
        let mut others: BTreeMap<String, (Domain, Group)> = BTreeMap::new();
        // Those that can be taken apart in the fewest ways choose first, and of these the project's.
        let mut ordered: Vec<&str> = unique.iter().copied().collect();
        ordered.sort_by_key(|whole| (whole.matches('.').count(), *whole != main));
        for whole in ordered {
            let usual = longest_shared(whole, &unique);
            let apart = |domain: Domain| Some((group(&domain, whole).ok()??, domain));
            let ways: Vec<(Group, Domain)> = usual.into_iter().chain(suffixes(whole)).filter_map(apart).collect();
            // Two groups of one name would be one Rust module, as would a group and a kind beside it.
            let module = |group: &Group| if group.is_none() { String::new() } else { module_name(group.as_str()) };
            let way = ways.iter().find(|(group, _)| !taken.contains(&module(group))).or(ways.first());
            if let Some((group, domain)) = way {
                taken.insert(module(group));
                others.insert(whole.to_owned(), (domain.clone(), group.clone()));
            }
        }
        let domain = others.get(main).map_or_else(|| Domain::parse(main), |(domain, _)| Ok(domain.clone()))?;
        others.retain(|_, (of_group, _)| *of_group != domain);
        Ok(Groups { domain, others })
    }

    /// Returns the groups of a project with a single domain: the group of each of the project's kinds ends in `domain`.
    pub(super) fn within(domain: Domain) -> Self {
        Groups { domain, others: BTreeMap::new() }
    }

    /// Splits the API group `whole` into its domain and the part before the domain. The returned domain is `None` if it
    /// is the project's main domain. Returns `None` if the group is in no domain of the project.
    ///
    /// # Errors
    /// Fails for a group that cannot be a Rust module.
    pub(super) fn of(&self, whole: &str) -> Result<Option<(Option<Domain>, Group)>, InvalidName> {
        match self.others.get(whole) {
            Some((domain, group)) => Ok(Some((Some(domain.clone()), group.clone()))),
            None => Ok(group(&self.domain, whole)?.map(|group| (None, group))),
        }
    }
}

/// Returns the domain in which the API group `whole` and the most groups of `all` end; if several domains qualify, the
/// longest of them. Returns `None` if `whole` ends in no valid domain.
fn longest_shared(whole: &str, all: &BTreeSet<&str>) -> Option<Domain> {
    let shares = |domain: &Domain| all.iter().filter(|other| domain.has_group(other)).count();
    // Of equal ones `max_by_key` takes the last.
    suffixes(whole).rev().max_by_key(shares)
}

/// Returns the domains that a group ends in, the longest first.
fn suffixes(whole: &str) -> impl DoubleEndedIterator<Item = Domain> {
    let starts = whole.match_indices('.').map(|(dot, _)| dot + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
    starts.into_iter().filter_map(|start| Domain::parse(&whole[start..]).ok())
}

#[cfg(test)]
mod tests {
    use super::Groups;

    #[test]
    fn every_group_has_a_domain() {
        for (groups, domain, parts) in [
            (&["a.example.com", "b.example.com"][..], "example.com", &["a", "b"][..]),
            (&["example.com", "b.example.com"], "example.com", &["", "b"]),
            (&["ceph.rook.io", "ceph.rook.io", "objectbucket.io"], "rook.io", &["ceph", "ceph", "@objectbucket.io"]),
            (&["karpenter.sh", "karpenter.sh", "karpenter.k8s.aws"], "karpenter.sh", &["", "", "karpenter@k8s.aws"]),
            (&["a.x.io", "b.x.io", "a.y.dev", "b.y.dev"], "x.io", &["a", "b", "@a.y.dev", "b@y.dev"]),
            (&["gateway.x.io", "gateway.x.io", "gateway.y.x.dev"], "gateway.x.io", &["", "", "gateway_y@x.dev"]),
        ] {
            let kinds = ["Foo", "Gateway", "Bar", "Baz"];
            let all: Vec<(&str, &str)> = groups.iter().copied().zip(kinds).collect();
            let found = Groups::find(&all).unwrap();
            let said = groups.iter().map(|whole| match found.of(whole).unwrap().unwrap() {
                (None, group) => group.to_string(),
                (Some(domain), group) => format!("{}@{domain}", group.as_str().replace('.', "_")),
            });
            let parts = parts.iter().map(|part| (*part).to_owned()).collect();
            assert_eq!((found.domain.as_str(), said.collect::<Vec<_>>()), (domain, parts), "{groups:?}");
        }
        assert!(Groups::find(&[("example", "Foo")]).is_err());
    }
}
