//! Renders the parsed arguments of `create api` as command-line flags.

use super::{ApiIntent, ExternalIntent};
use crate::error::{Hint, hint};
use crate::model::DEFAULT_PORT;

/// Returns the flags of `opctl create api` for the parsed arguments `intent`, for hints that users can run unchanged.
pub fn flags(intent: &ApiIntent) -> Hint {
    let mut flags = Hint::default();
    if !intent.api && intent.controller {
        flags.push(" --resource=false");
    }
    if !intent.key.group.is_none() {
        flags.push(hint!(" --group {}", intent.key.group));
    }
    if let Some(domain) = &intent.domain {
        flags.push(hint!(" --domain {domain}", domain));
    }
    flags.push(hint!(" --version {} --kind {}", intent.key.version, intent.key.kind));
    if let Some(external) = &intent.external {
        flags.push(external_flags(external));
    }
    if let Some(name) = &intent.controller_name {
        flags.push(hint!(" --controller-name {name}", name));
    }
    if let Some(plural) = &intent.plural {
        flags.push(hint!(" --plural {plural}", plural));
    }
    for name in intent.short_names.iter().flatten() {
        flags.push(hint!(" --short-name {name}", name));
    }
    for name in intent.categories.iter().flatten() {
        flags.push(hint!(" --category {name}", name));
    }
    if let Some(image) = &intent.image {
        flags.push(hint!(" --image {}", image.reference()));
        if image.port() != DEFAULT_PORT {
            flags.push(hint!(" --port {}", image.port()));
        }
    }
    for field in intent.fields.iter().flatten() {
        flags.push(hint!(" --field {field}", field));
    }
    for child in intent.owns.iter().flatten() {
        flags.push(hint!(" --owns {child}", child));
    }
    if intent.finalizer {
        flags.push(" --finalizer");
    }
    if let Some(namespaced) = intent.namespaced {
        flags.push(hint!(" --namespaced={namespaced}", namespaced));
    }
    if intent.storage {
        flags.push(" --storage-version");
    }
    if intent.api && !intent.controller {
        flags.push(" --controller=false");
    }
    flags
}

/// Returns the command-line flags for a type from another crate.
pub(super) fn external_flags(external: &ExternalIntent) -> Hint {
    let mut flags = hint!(" --external-api-path {}", external.path);
    if let Some(domain) = &external.domain {
        flags.push(hint!(" --external-api-domain {domain}", domain));
    }
    if let Some(dependency) = &external.dependency {
        flags.push(hint!(" --external-api-module {dependency}", dependency));
    }
    flags
}
