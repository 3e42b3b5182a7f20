//! Finds the common domain of the kinds, and updates the kinds that `PROJECT` lists.

use crate::error::hint;
use crate::model::{
    Category, Controller, Domain, Group, InvalidName, Key, Kind, Origin, Plural, Policies, Project, Resource,
    ShortName, Version, Webhooks,
};
use crate::permissions::rights::is_watched;
use crate::source::crate_sources::Source;
use crate::source::discover::ApiType;
use crate::{Error, Result};
use serde_json::Value;

/// Returns the domain that the groups of the kinds have in common.
///
/// # Errors
/// Fails if the groups have no domain in common.
pub(super) fn domain<'a>(all: impl Iterator<Item = &'a str>) -> Result<Domain> {
    let all: Vec<&str> = all.collect();
    let mut groups: Vec<&str> = Vec::new();
    for group in all.iter().copied() {
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    let mut end = groups.first().copied();
    while let Some(common) = end {
        match Domain::parse(common) {
            Ok(domain) if groups.iter().all(|group| domain.has_group(group)) => return Ok(domain),
            _ => {}
        }
        end = common.split_once('.').map(|(_, rest)| rest);
    }
    if let [only] = groups[..] {
        Domain::parse(only)?;
    }
    let error = Error::user("the groups of the kinds have no domain in common");
    let error = groups.iter().fold(error, |error, group| error.caused_by(format!("`{group}`")));
    Err(error.hint(hint!(
        "opctl adopt --domain {}    # or another domain; kinds whose group does not end in the domain are left out",
        most_common(all.into_iter())
    )))
}

/// Returns the group that occurs most often in `groups`, which has one entry for each kind. Hints suggest this group,
/// because the other groups likely belong to other projects.
pub(super) fn most_common<'a>(groups: impl Iterator<Item = &'a str>) -> &'a str {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for group in groups {
        match counts.iter_mut().find(|(known, _)| *known == group) {
            Some((_, count)) => *count += 1,
            None => counts.push((group, 1)),
        }
    }
    // Of several such groups, the first one.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or("example.com", |(group, _)| group)
}

/// Adds the kinds to the project, and returns a warning for each kind that `PROJECT` cannot list.
pub(super) fn add(project: &mut Project, types: &[ApiType], sources: &[Source]) -> Vec<String> {
    let mut warnings = Vec::new();
    for found in types {
        let (kind, group) = (&found.resource.kind, &found.resource.group);
        match resource(&project.domain, found) {
            Ok(Some(mut resource)) => {
                if is_watched(sources, types, found) {
                    resource.controllers = vec![Controller::default()];
                }
                project.upsert(resource);
            }
            Ok(None) => warnings.push(format!(
                "`{kind}` is in the group `{group}`, which does not end in `{}`: it belongs to another project, so no CRD is generated",
                project.domain,
            )),
            Err(invalid) => warnings.push(format!("`{kind}` gets a CRD, and is not listed: {invalid}")),
        }
    }
    warnings
}

/// Removes the kinds whose types no longer exist, and returns a warning for each removed kind.
pub(super) fn without_gone(project: &mut Project, types: &[ApiType]) -> Vec<String> {
    let domain = project.domain.clone();
    let is_there = |one: &Resource| {
        types.iter().any(|found| {
            let found = &found.resource;
            let is_kind = found.kind == one.key.kind.as_str() && found.version == one.key.version.as_str();
            is_kind && found.group == one.api_group(&domain)
        })
    };
    let is_gone = |one: &Resource| one.origin == Origin::Own && one.api && !is_there(one);
    let gone: Vec<String> =
        project.resources.iter().filter(|one| is_gone(one)).map(|one| one.key.to_string()).collect();
    project.resources.retain(|one| !is_gone(one));
    let warning = |key: String| {
        format!(
            "the type of `{key}` no longer exists, and `PROJECT` no longer lists it: also remove its samples from \
             config/samples"
        )
    };
    gone.into_iter().map(warning).collect()
}

/// Returns the part of a group before the domain; `None` if the group does not end in the domain.
pub(super) fn group(domain: &Domain, whole: &str) -> Result<Option<Group>, InvalidName> {
    match whole.strip_suffix(domain.as_str()) {
        Some("") => Ok(Some(Group::none())),
        Some(group) if group.ends_with('.') => Group::parse(group.trim_end_matches('.')).map(Some),
        _ => Ok(None),
    }
}

/// Returns the resource of a type; `None` if its group is outside of the domain.
fn resource(domain: &Domain, found: &ApiType) -> Result<Option<Resource>, InvalidName> {
    let attributes = &found.resource;
    let Some(group) = group(domain, &attributes.group)? else { return Ok(None) };
    let spec = &attributes.stated["spec"];
    let texts = |key: &str| -> Vec<String> {
        let values = spec["names"][key].as_array().into_iter().flatten();
        values.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    Ok(Some(Resource {
        key: Key { group, version: Version::parse(&attributes.version)?, kind: Kind::parse(&attributes.kind)? },
        domain: None,
        origin: Origin::Own,
        plural: Plural::parse(spec["names"]["plural"].as_str().unwrap_or_default())?,
        namespaced: spec["scope"] == "Namespaced",
        short_names: texts("shortNames").iter().map(|name| ShortName::parse(name)).collect::<Result<_, _>>()?,
        categories: texts("categories").iter().map(|name| Category::parse(name)).collect::<Result<_, _>>()?,
        api: true,
        controllers: Vec::new(),
        webhooks: Webhooks::default(),
        spokes: Vec::new(),
        policies: Policies::default(),
        image: None,
        fields: Vec::new(),
        storage: attributes.storage,
        copied: false,
        imported: None,
    }))
}
