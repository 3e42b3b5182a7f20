//! The list of the lints on bundles.

use super::{
    content, examples, format, hub, limits, loading, on_v1, owned, practices, removed, service_version, webhooks,
};
use crate::finding::Lint;
use crate::olm::{bundle_crds, other_objects};

/// Returns every lint on bundles, sorted by code.
pub fn lints() -> Vec<&'static Lint> {
    let all = [
        loading::LINTS,
        format::LINTS,
        content::LINTS,
        limits::LINTS,
        service_version::LINTS,
        examples::LINTS,
        bundle_crds::LINTS,
        owned::LINTS,
        other_objects::LINTS,
        removed::LINTS,
        hub::LINTS,
        practices::LINTS,
        on_v1::LINTS,
        webhooks::LINTS,
    ];
    let mut lints: Vec<_> = all.into_iter().flatten().copied().collect();
    lints.sort_by_key(|lint| lint.code);
    lints
}
