//! The last step of `opctl manifests`: generates the contents of all files.

use super::manifests::{GeneratedDefinition, ROLE_FILE, ROLE_NAMESPACES_FILE, WEBHOOKS_FILE};
use super::options::Options;
use crate::finding::Finding;
use crate::model::ProjectPath;
use crate::permissions::rbac::{self, Grant, IsOutside};
use crate::permissions::rights;
use crate::source::crate_sources::Source;
use crate::source::discover::ApiType;
use crate::source::markers::markers;
use crate::webhook_markers;
use crate::yaml;
use std::collections::BTreeMap;
use std::slice;

/// The files of a project that `opctl manifests` writes.
pub(super) struct Files {
    /// The contents of the files, by path.
    pub(super) contents: BTreeMap<ProjectPath, String>,
    /// The rights that markers grant.
    pub(super) grants: Vec<Grant>,
    /// The findings about markers.
    pub(super) findings: Vec<Finding>,
}

/// Generates the files with the CRDs, and with the roles and webhook configurations that markers declare.
pub(super) fn files(
    options: &Options,
    sources: &[Source],
    types: &[ApiType],
    definitions: &[GeneratedDefinition],
) -> Files {
    let texts: Vec<_> = sources.iter().map(|source| (&source.file, source.without_tests())).collect();
    let (markers, misspelled): (Vec<_>, Vec<_>) = texts.iter().map(|(file, text)| markers(file, text)).unzip();
    let markers: Vec<_> = markers.into_iter().flatten().collect();
    let outside: &IsOutside = &|group, plural| is_outside_of_namespaces(types, group, plural);
    let (grants, about_rights) = rbac::grants(&markers, options.namespaced, outside);
    let (configurations, about_webhooks) = webhook_markers::configurations(&markers, sources, types);
    let roles = rbac::roles(&grants, options.namespaced);
    let others = [(ROLE_FILE.into(), &roles[..]), (WEBHOOKS_FILE.into(), &configurations)];
    let each = definitions.iter().map(|made| (made.file.clone(), slice::from_ref(&made.object))).chain(others);
    let filled = each.filter(|(_, objects)| !objects.is_empty());
    let mut contents: BTreeMap<_, _> =
        filled.map(|(path, objects)| (path, options.header.clone() + &yaml::documents(objects))).collect();
    let replacements = rbac::replacements(&grants, options.namespaced);
    if !replacements.is_empty() {
        let text = options.header.clone() + &yaml::document(&replacements.into());
        contents.insert(ROLE_NAMESPACES_FILE.into(), text);
    }
    let findings = [misspelled.concat(), about_rights, about_webhooks].concat();
    Files { contents, grants, findings }
}

fn is_outside_of_namespaces(types: &[ApiType], group: &str, plural: &str) -> bool {
    let is_own = |found: &ApiType| {
        let spec = &found.resource.stated["spec"];
        spec["scope"] == "Cluster" && spec["group"] == group && spec["names"]["plural"] == plural
    };
    types.iter().any(is_own) || rights::is_outside_of_namespaces(group, plural)
}
