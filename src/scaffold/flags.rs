//! An intent as a command line.

use super::{ApiIntent, ExternalIntent};
use crate::model::DEFAULT_PORT;

/// Returns the flags of an intent on the command line, for hints that users run as they are.
pub fn flags(intent: &ApiIntent) -> String {
    let mut flags = String::new();
    if !intent.api && intent.controller {
        flags.push_str(" --resource=false");
    }
    if !intent.key.group.is_none() {
        flags.push_str(&format!(" --group {}", intent.key.group));
    }
    flags.push_str(&format!(" --version {} --kind {}", intent.key.version, intent.key.kind));
    flags.extend(intent.external.as_ref().map(external_flags));
    if let Some(name) = &intent.controller_name {
        flags.push_str(&format!(" --controller-name {name}"));
    }
    if let Some(plural) = &intent.plural {
        flags.push_str(&format!(" --plural {plural}"));
    }
    for name in intent.short_names.iter().flatten() {
        flags.push_str(&format!(" --short-name {name}"));
    }
    for name in intent.categories.iter().flatten() {
        flags.push_str(&format!(" --category {name}"));
    }
    if let Some(image) = &intent.image {
        flags.push_str(&format!(" --image {}", image.reference()));
        if image.port() != DEFAULT_PORT {
            flags.push_str(&format!(" --port {}", image.port()));
        }
    }
    for field in intent.fields.iter().flatten() {
        flags.push_str(&format!(" --field '{}'", field.to_string().replace('\'', "'\\''")));
    }
    for child in intent.owns.iter().flatten() {
        flags.push_str(&format!(" --owns {child}"));
    }
    if intent.finalizer {
        flags.push_str(" --finalizer");
    }
    if let Some(namespaced) = intent.namespaced {
        flags.push_str(&format!(" --namespaced={namespaced}"));
    }
    if intent.storage {
        flags.push_str(" --storage-version");
    }
    if intent.api && !intent.controller {
        flags.push_str(" --controller=false");
    }
    flags
}

/// Returns the flags of a type from another crate.
pub(super) fn external_flags(external: &ExternalIntent) -> String {
    let mut flags = format!(" --external-api-path {}", external.path);
    if let Some(domain) = &external.domain {
        flags.push_str(&format!(" --external-api-domain {domain}"));
    }
    if let Some(dependency) = &external.dependency {
        flags.push_str(&format!(" --external-api-module '{dependency}'"));
    }
    flags
}
