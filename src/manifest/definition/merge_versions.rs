//! Merges the versions of each kind into one CRD per kind.

use super::agreement::{NONE_STORED, SAME_VERSION, SEVERAL_STORED, UNLIKE_NAMES, agree};
use super::kind_version::{Version, storage_version, text};
use super::merge::merge;
use super::size;
use crate::finding::{Finding, Lint};
use crate::manifest::lint;
use crate::source::discover::ApiType;
use serde_json::Value;
use std::collections::BTreeMap;

pub(crate) static LINTS: &[&Lint] =
    &[&size::CLIENT_SIDE_APPLY, &SAME_VERSION, &UNLIKE_NAMES, &NONE_STORED, &SEVERAL_STORED, &SAME_PLURAL];

pub(crate) static SAME_PLURAL: Lint = Lint::error(
    "OP218",
    "two kinds with the same plural name",
    "A CRD is called `<plural>.<group>`, so the second would replace the first.",
    "#[kube(group = \"example.com\", kind = \"Datum\", plural = \"data\")]\n\
     #[kube(group = \"example.com\", kind = \"Data\", plural = \"data\")]",
    "#[kube(group = \"example.com\", kind = \"Data\", plural = \"datasets\")]",
);

/// A CRD and the types of its versions.
#[derive(Debug)]
pub struct MergedDefinition<'a> {
    /// The CRD as a JSON object.
    pub object: Value,
    /// The types of the CRD's versions, in the order of the versions.
    pub types: Vec<&'a ApiType>,
    /// The type of the storage version.
    pub stored: &'a ApiType,
}

/// Merges the versions of each kind into one CRD, with the key `<group>_<plural>`. Adds a finding if the versions of a
/// kind disagree, if a version occurs twice, or if not exactly one version is the storage version.
pub fn definitions(versions: Vec<Version<'_>>) -> (BTreeMap<String, MergedDefinition<'_>>, Vec<Finding>) {
    let mut kinds: BTreeMap<(String, String), Vec<Version>> = BTreeMap::new();
    for version in versions {
        let resource = &version.api_type.resource;
        kinds.entry((resource.group.clone(), resource.kind.clone())).or_default().push(version);
    }
    let (mut definitions, mut findings) = (BTreeMap::new(), Vec::new());
    for ((group, kind), mut versions) in kinds {
        // By name, as controller-tools `pkg/crd/spec.go` sorts them.
        versions.sort_by(|one, other| one.api_type.resource.version.cmp(&other.api_type.resource.version));
        findings.extend(agree(&versions));
        let stored = storage_version(&versions).api_type;
        let object = merge(&versions);
        let plural = text(&object, "/spec/names/plural").to_owned();
        let owner = versions[0].api_type;
        let merged =
            MergedDefinition { object, types: versions.iter().map(|version| version.api_type).collect(), stored };
        if definitions.insert(format!("{group}_{plural}"), merged).is_some() {
            let reason =
                format!("two kinds in the group `{group}` have the plural `{plural}`; one of them is `{kind}`");
            let hint = "give one of the kinds another plural with `#[kube(plural = \"..\")]`";
            findings.push(lint::of_type(owner, ("plural", 0), &SAME_PLURAL, reason, hint));
        }
    }
    (definitions, findings)
}
