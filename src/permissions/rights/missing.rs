//! Reports the RBAC rights that the operator's code needs and that no marker or role grants.

use super::granted::Rights;
use super::kinds::Kind;
use super::needs::{self, Need};
use crate::finding::{Finding, Lint};
use crate::permissions::ExternalType;
use crate::permissions::rbac::Grant;
use crate::source::crate_sources::Source;
use crate::source::discover::ApiType;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub(crate) static MISSING_RIGHT: Lint = Lint::warning(
    "OP421",
    "a right that the code needs and no marker or role grants",
    "The API server answers `forbidden`, and the controller does not start or fails in each reconciliation; a watch \
     lists the objects first, so it needs both `list` and `watch`.",
    "Controller::new(servers, config).owns(Api::<Deployment>::all(client), config)",
    "// +opctl:rbac:groups=apps,resources=deployments,verbs=list;watch\n\
     Controller::new(servers, config).owns(Api::<Deployment>::all(client), config)",
);

/// The folder of the runtime's webhook code, which [`check`] skips because `config/webhook` grants the rights that this
/// code needs. A project without webhooks has no `config/webhook`, but also does not compile the webhook code.
const WEBHOOKS_OF_RUNTIME: &str = "runtime/src/webhook";

/// A file, with the kind and the subresource that the code in the file accesses.
type Key<'a> = (&'a Path, Kind, &'static str);

/// The verbs that the code in a file needs on a resource, and that no marker or role grants.
struct MissingRight<'a> {
    first: Need,
    others: Vec<usize>,
    verbs: BTreeSet<&'a str>,
}

/// Reports the RBAC rights that the code needs and that no marker or role grants, once for each resource in a file.
pub(crate) fn check(sources: &[Source], types: &[ApiType], external: &[ExternalType], rights: &Rights) -> Vec<Finding> {
    let mut missing: BTreeMap<Key<'_>, MissingRight<'_>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.file.starts_with(WEBHOOKS_OF_RUNTIME)) {
        for need in needs::needs(source, types, external) {
            let resource = resource(&need.kind.plural, need.subresource);
            let lacks = |verb: &&&str| !rights.allow(&need.kind.group, &resource, verb);
            let verbs: BTreeSet<&str> = need.verbs.iter().filter(lacks).copied().collect();
            if verbs.is_empty() {
                continue;
            }
            let key = (source.file.as_path(), need.kind.clone(), need.subresource);
            match missing.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(MissingRight { first: need, others: Vec::new(), verbs });
                }
                Entry::Occupied(mut entry) => {
                    entry.get_mut().others.push(need.line);
                    entry.get_mut().verbs.extend(verbs);
                }
            }
        }
    }
    missing.into_iter().map(|((file, kind, subresource), missing)| finding(file, kind, subresource, &missing)).collect()
}

pub(super) fn resource(name: &str, subresource: &str) -> String {
    if subresource.is_empty() { name.to_owned() } else { format!("{name}/{subresource}") }
}

fn finding(file: &Path, kind: Kind, subresource: &str, missing: &MissingRight<'_>) -> Finding {
    // In the order in which people usually write them.
    let order = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];
    let verbs: Vec<&str> = order.into_iter().filter(|verb| missing.verbs.contains(verb)).collect();
    let name = if kind.group.is_empty() { kind.plural.clone() } else { format!("{}.{}", kind.plural, kind.group) };
    let list = verbs.iter().map(|verb| format!("`{verb}`")).collect::<Vec<_>>().join(", ");
    let need = &missing.first;
    let mut others: Vec<String> =
        missing.others.iter().filter(|line| **line != need.line).map(ToString::to_string).collect();
    others.dedup();
    let who = match others.as_slice() {
        [] => format!("{} needs", need.what),
        [only] => format!("{}, with line {only}, needs", need.what),
        _ => format!("{}, with lines {}, needs", need.what, others.join(", ")),
    };
    let reason =
        format!("{who} {list} on `{}`, which neither a marker nor a bound role grants", resource(&name, subresource));
    let grant = Grant {
        groups: vec![if kind.group.is_empty() { "core".to_owned() } else { kind.group }],
        resources: vec![resource(&kind.plural, subresource)],
        verbs: verbs.into_iter().map(str::to_owned).collect(),
        ..Grant::default()
    };
    Finding::new(&MISSING_RIGHT, file, need.line, reason, format!("// {grant}")).at_column(need.column)
}
