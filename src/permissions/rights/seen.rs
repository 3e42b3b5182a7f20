//! Finds the RBAC rights that Rust sources visibly need, and returns the rights as `Grant`s.

use super::missing::resource;
use super::needs::needs;
use crate::permissions::rbac::Grant;
use crate::source::crate_sources::Source;
use crate::source::discover::ApiType;
use std::collections::{BTreeMap, BTreeSet};

/// The verbs that a controller needs on the objects that it reconciles, by subresource. opctl always assumes this need,
/// because code that is generic over kinds, or that passes an `Api` to another function, does not show the need.
const RECONCILED: [(&str, &[&str]); 3] = [
    ("", &["get", "list", "watch", "update", "patch"]),
    ("status", &["get", "update", "patch"]),
    ("finalizers", &["update"]),
];

/// Returns the rights that the sources visibly need, and the rights that a controller of each type in `types` needs.
pub(crate) fn visible_rights(sources: &[Source], types: &[ApiType]) -> Vec<Grant> {
    let mut verbs: BTreeMap<(String, String), BTreeSet<&str>> = BTreeMap::new();
    for need in sources.iter().flat_map(|source| needs(source, types, &[])) {
        let of = (need.kind.group, resource(&need.kind.plural, need.subresource));
        verbs.entry(of).or_default().extend(need.verbs);
    }
    for found in types {
        let plural = found.resource.stated["spec"]["names"]["plural"].as_str().unwrap_or_default();
        for (subresource, needed) in RECONCILED {
            if subresource != "status" || found.resource.status {
                let of = (found.resource.group.clone(), resource(plural, subresource));
                verbs.entry(of).or_default().extend(needed);
            }
        }
    }
    let grant = |((group, resource), verbs): ((String, String), BTreeSet<&str>)| Grant {
        groups: vec![if group.is_empty() { "core".to_owned() } else { group }],
        resources: vec![resource],
        verbs: verbs.into_iter().map(str::to_owned).collect(),
        ..Grant::default()
    };
    verbs.into_iter().map(grant).collect()
}

/// Returns true if the sources visibly contain a controller of the kind `of`: they watch objects of this kind.
pub(crate) fn is_watched(sources: &[Source], types: &[ApiType], of: &ApiType) -> bool {
    sources.iter().flat_map(|source| needs(source, types, &[])).any(|need| {
        need.kind.group == of.resource.group && need.kind.name == of.resource.kind && need.verbs.contains(&"watch")
    })
}
