//! The versions of a CRD, and the keys (group, version and kind) that identify these versions in the project.

use super::groups::Groups;
use crate::Result;
use crate::model::{Domain, Key, Kind, Version};
use serde_json::Value;

/// Returns the versions of a CRD: the stored version first, then the other versions.
pub(super) fn versions(definition: &Value) -> Vec<&Value> {
    let mut versions: Vec<&Value> = definition["spec"]["versions"].as_array().into_iter().flatten().collect();
    versions.sort_by_key(|version| version["storage"] != true);
    versions
}

/// Returns the key of a CRD's version in the project, and the domain of the CRD's group unless this domain is the
/// project's main domain. Returns `None` if the group is in no domain of the project.
pub(super) fn key(groups: &Groups, definition: &Value, version: &Value) -> Result<Option<(Option<Domain>, Key)>> {
    let spec = &definition["spec"];
    let Some((domain, group)) = groups.of(text(&spec["group"]))? else { return Ok(None) };
    let (version, kind) = (Version::parse(text(&version["name"]))?, Kind::parse(text(&spec["names"]["kind"]))?);
    Ok(Some((domain, Key { group, version, kind })))
}

/// Returns a string in a CRD, or an empty string if the value is not a string.
pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
