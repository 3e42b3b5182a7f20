//! The entries of a channel.

use crate::error::hint;
use crate::olm::manifest::{list, text, texts};
use crate::{Error, Result, yaml};
use semver::Version;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Returns the channel entry for a bundle. `version` is the bundle's `ClusterServiceVersion`. If `version` has no
/// `spec.replaces`, the entry replaces the bundle named `head`, if given.
pub(super) fn entry(version: &Value, head: Option<&str>) -> Value {
    let mut entry = Map::from_iter([("name".to_owned(), version["metadata"]["name"].clone())]);
    let replaces = Some(text(version, "/spec/replaces")).filter(|replaces| !replaces.is_empty()).or(head);
    entry.extend(replaces.map(|replaces| ("replaces".to_owned(), replaces.into())));
    let skips = list(version, "/spec/skips");
    entry.extend((!skips.is_empty()).then(|| ("skips".to_owned(), skips.into())));
    let range = text(version, "/metadata/annotations/olm.skipRange");
    entry.extend((!range.is_empty()).then(|| ("skipRange".to_owned(), range.into())));
    entry.into()
}

/// Returns the names of the entries that no other entry of the channel replaces or skips.
fn heads(channel: &Value) -> Vec<&str> {
    let entries = list(channel, "/entries");
    let passed: BTreeSet<&str> =
        entries.iter().flat_map(|entry| texts(entry, "/skips").chain([text(entry, "/replaces")])).collect();
    entries.iter().map(|entry| text(entry, "/name")).filter(|name| !passed.contains(name)).collect()
}

/// Adds an entry for a bundle to `channel`. `version` is the bundle's `ClusterServiceVersion`. Returns the changed
/// channel and the new entry; `None` if the channel already has the bundle.
///
/// # Errors
/// Fails if the bundle is older than the channel's newest bundle, or if the channel would have two newest bundles.
pub(super) fn with_entry(channel: &Value, version: &Value) -> Result<Option<(Value, Value)>> {
    let (channel_name, name) = (text(channel, "/name"), text(version, "/metadata/name"));
    if list(channel, "/entries").iter().any(|entry| text(entry, "/name") == name) {
        return Ok(None);
    }
    let before = heads(channel);
    let head = before.first().copied();
    let has_edge = !text(version, "/spec/replaces").is_empty();
    if let Some(head) = head.filter(|head| !has_edge && is_older(name, head)) {
        return Err(Error::user(format!(
            "`{name}` is older than `{head}`, the newest bundle of the channel `{channel_name}`"
        ))
        .caused_by("in a channel, a new bundle must be newer than the bundle that it replaces")
        .hint("opctl bundle --catalog catalog --channels stable-v1    # a channel for the older versions"));
    }
    let entry = entry(version, head);
    let mut channel = channel.clone();
    match channel["entries"].as_array_mut() {
        Some(entries) => entries.push(entry.clone()),
        None => channel["entries"] = json!([entry]),
    }
    match heads(&channel).as_slice() {
        [_] => Ok(Some((channel, entry))),
        heads => {
            let listed = heads.iter().map(|head| format!("`{head}`")).collect::<Vec<_>>().join(" and ");
            let head = head.unwrap_or_default();
            Err(Error::user(format!(
                "the channel `{channel_name}` would have {} newest bundles instead of 1: {listed}",
                heads.len()
            ))
            .caused_by("`spec.replaces` of the ClusterServiceVersion names the bundle that the new bundle replaces")
            .hint(hint!(
                "replaces: {head}    # set this in the ClusterServiceVersion in config/manifests/bases; or remove \
                 `replaces` there",
                head
            )))
        }
    }
}

/// Returns true if the version in the bundle name `name` is lower than the version in the bundle name `other`.
fn is_older(name: &str, other: &str) -> bool {
    let version = |name: &str| Version::parse(name.split_once(".v")?.1).ok();
    matches!((version(name), version(other)), (Some(one), Some(other)) if one < other)
}

/// Returns a channel's text with `entry` added below the last entry; `None` if the entries are not on separate
/// lines.
pub(super) fn insert_entry(text: &str, entry: &Value) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let start = lines.iter().position(|line| line.trim_end() == "entries:")?;
    let is_end = |line: &&str| !line.starts_with([' ', '-', '#', '\n', '\r']);
    let end = lines[start + 1..].iter().position(is_end).map_or(lines.len(), |end| start + 1 + end);
    let is_part = |line: &&str| line.starts_with([' ', '-']) && !line.trim().is_empty();
    let last = start + 1 + lines[start + 1..end].iter().rposition(is_part)?;
    let first = lines[start + 1..end].iter().find(|line| line.trim_start().starts_with("- "))?;
    let indentation = &first[..first.len() - first.trim_start().len()];
    let item = yaml::document(&json!([entry]));
    let mut text = lines[..=last].concat();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.extend(item.lines().map(|line| format!("{indentation}{line}\n")));
    text.extend(lines[last + 1..].iter().copied());
    Some(text)
}
