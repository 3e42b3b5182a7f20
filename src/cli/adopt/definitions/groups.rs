//! The domains of the kinds: `PROJECT` keeps the part of an API group before its domain, and the domain of each kind.

use super::super::kinds::{domain, group, most_common};
use crate::Result;
use crate::model::{Domain, Group, InvalidName};
use std::collections::{BTreeMap, BTreeSet};

/// The domain of a project, and of the groups that do not end in it.
pub(super) struct Groups {
    /// The project's domain.
    pub(super) domain: Domain,
    others: BTreeMap<String, (Domain, Group)>,
}

impl Groups {
    /// Finds the domain that the groups have in common, or else that of the most kinds, and one for each further group.
    /// `all` has the group of each kind.
    ///
    /// # Errors
    /// A group that the API server would refuse.
    pub(super) fn find(all: &[&str]) -> Result<Self> {
        let unique: BTreeSet<&str> = all.iter().copied().collect();
        if unique.len() < 2 {
            return Ok(Groups::within(domain(all.iter().copied())?));
        }
        for group in &unique {
            Domain::parse(group)?;
        }
        let main = longest_shared(most_common(all.iter().copied()), &unique);
        let Some(main) = main else { return Ok(Groups::within(domain(all.iter().copied())?)) };
        let mut found = Groups::within(main);
        let mut taken: BTreeSet<Group> = unique.iter().filter_map(|whole| group(&found.domain, whole).ok()?).collect();
        let mut others: Vec<&str> = unique.into_iter().filter(|whole| !found.domain.has_group(whole)).collect();
        let all_others: BTreeSet<&str> = others.iter().copied().collect();
        // Those that can be taken apart in the fewest ways choose first.
        others.sort_by_key(|whole| whole.matches('.').count());
        for whole in others {
            let usual = longest_shared(whole, &all_others);
            let ways = usual.into_iter().chain(suffixes(whole)).filter_map(|domain| {
                let group = group(&domain, whole).ok()??;
                Some((domain, group))
            });
            let ways: Vec<(Domain, Group)> = ways.collect();
            // Two groups of one name would be one Rust module.
            let way = ways.iter().find(|(_, group)| !taken.contains(group)).or(ways.first());
            if let Some((domain, group)) = way {
                taken.insert(group.clone());
                found.others.insert(whole.to_owned(), (domain.clone(), group.clone()));
            }
        }
        Ok(found)
    }

    /// Returns the groups of a project that has no kinds of other domains.
    pub(super) fn within(domain: Domain) -> Self {
        Groups { domain, others: BTreeMap::new() }
    }

    /// Returns the part of a group before its domain, and the domain if it is not the project's; `None` for a group that
    /// is left out.
    ///
    /// # Errors
    /// A group that cannot be a Rust module.
    pub(super) fn of(&self, whole: &str) -> Result<Option<(Option<Domain>, Group)>, InvalidName> {
        match self.others.get(whole) {
            Some((domain, group)) => Ok(Some((Some(domain.clone()), group.clone()))),
            None => Ok(group(&self.domain, whole)?.map(|group| (None, group))),
        }
    }
}

/// Returns the domain that ends `whole` and the most of `all`, and of several such ones the longest.
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
            (&["ceph.rook.io", "ceph.rook.io", "objectbucket.io"], "ceph.rook.io", &["", "", "@objectbucket.io"]),
            (&["karpenter.sh", "karpenter.sh", "karpenter.k8s.aws"], "karpenter.sh", &["", "", "karpenter@k8s.aws"]),
            (&["a.x.io", "b.x.io", "a.y.dev", "b.y.dev"], "x.io", &["a", "b", "@a.y.dev", "b@y.dev"]),
        ] {
            let found = Groups::find(groups).unwrap();
            let said = groups.iter().map(|whole| match found.of(whole).unwrap().unwrap() {
                (None, group) => group.to_string(),
                (Some(domain), group) => format!("{group}@{domain}"),
            });
            assert_eq!(
                (found.domain.as_str(), said.collect::<Vec<_>>()),
                (domain, parts.iter().map(|part| (*part).to_owned()).collect()),
                "{groups:?}"
            );
        }
        assert!(Groups::find(&["example"]).is_err());
    }
}
