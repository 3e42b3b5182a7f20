//! Runs all checks on an OLM bundle.

use super::bundle::Bundle;
use super::{content, examples, format, hub, limits, loading, on_v1, owned, practices, removed, service_version};
use crate::finding::{Finding, Severity};
use crate::olm::{bundle_crds, field_types, other_objects};

/// The generation of OLM that has to install the bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// OLM v0, which uses Subscriptions. If the bundle has a problem on OLM v1 only, opctl reports the problem as a
    /// warning.
    V0,
    /// OLM v1, which uses `ClusterExtensions`. If the bundle has a problem on OLM v1 only, opctl reports the problem as
    /// an error.
    V1,
}

/// Returns the findings about the bundle, sorted by file and line.
pub fn check(bundle: &Bundle, generation: Generation) -> Vec<Finding> {
    let mut findings = loading::folders(bundle);
    if loading::has_folders(bundle) {
        findings.extend(format::annotations(bundle));
        findings.extend(format::dependencies(bundle));
    }
    findings.extend(content::check(bundle));
    let broken = loading::objects(bundle);
    let is_loaded = broken.is_empty() && bundle.unreadable.is_empty();
    findings.extend(broken);
    let definitions = bundle.of_kind("CustomResourceDefinition");
    let loaded = definitions.filter(|definition| field_types::mistake(definition).is_none());
    findings.extend(loaded.flat_map(bundle_crds::check));
    if !is_loaded {
        findings.extend(errors_of_unloaded_bundle(bundle));
    } else if let Some(version) = bundle.version() {
        findings.extend(service_version::check(version));
        findings.extend(service_version::release(bundle, version));
        findings.extend(service_version::related_images(version));
        findings.extend(examples::check(version));
        findings.extend(owned::check(bundle, version));
        findings.extend(other_objects::accounts(bundle, version));
        findings.extend(bundle.manifests.iter().flat_map(other_objects::check));
        findings.extend(removed::check(bundle, version));
        findings.extend(hub::check(version));
        findings.extend(practices::check(bundle, version));
        findings.extend(limits::check(bundle));
        findings.extend(on_v1::check(bundle, version).into_iter().map(|mut finding| {
            finding.severity = if generation == Generation::V1 { Severity::Error } else { Severity::Warning };
            finding
        }));
    }
    in_order(findings)
}

/// Returns the errors that OLM's tools report about a `ClusterServiceVersion` even if the bundle cannot be loaded.
fn errors_of_unloaded_bundle(bundle: &Bundle) -> Vec<Finding> {
    let versions = || bundle.of_kind("ClusterServiceVersion");
    let of_each = versions().filter(|version| field_types::mistake(version).is_none());
    let of_each =
        of_each.flat_map(|version| service_version::check(version).into_iter().chain(examples::check(version)));
    let missing = versions().take(1).flat_map(|version| owned::missing_crd_findings(bundle, version));
    of_each.chain(missing).filter(|finding| finding.severity == Severity::Error).collect()
}

fn in_order(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by(|one, other| {
        (&one.file, one.line, &one.code, &one.reason).cmp(&(&other.file, other.line, &other.code, &other.reason))
    });
    findings.dedup();
    findings
}
