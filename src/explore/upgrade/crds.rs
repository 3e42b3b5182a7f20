//! Checks the new CRDs with objects that the old CRDs accept.

use super::apply_crds::{self, Answer};
use super::found::UpgradeFinding;
use super::judge::{self, ServerAnswers};
use super::run_version::sample_name;
use super::variants::{Variant, variants};
use crate::Result;
use crate::explore::server::shared_server::World;
use serde_json::Value;

/// Returns the variants of the samples that the API server accepts under the old CRDs in `definitions`, each with the
/// object that the server would store.
pub(super) async fn accepted_variants(old: &World, definitions: &[Value]) -> Result<Vec<(Variant, Value)>> {
    let mut accepted = Vec::new();
    for sample in &old.samples {
        for variant in variants(definitions, &sample.object) {
            if let Answer::Accepted(stored) = apply_crds::ask(old, &variant.object).await? {
                accepted.push((variant, stored));
            }
        }
    }
    Ok(accepted)
}

/// Returns the findings about objects in `accepted` that the new CRDs in `definitions` refuse or change.
pub(super) async fn compare(
    new: &World,
    definitions: &[Value],
    accepted: Vec<(Variant, Value)>,
) -> Result<Vec<UpgradeFinding>> {
    let mut all = Vec::new();
    for (Variant { path, object: sent }, stored) in accepted {
        let answer = apply_crds::ask(new, &sent).await?;
        let (object, is_converted) = (sample_name(new, &sent)?, apply_crds::is_converted(definitions, &sent));
        all.push(ServerAnswers { object, path, sent, stored, answer, is_converted });
    }
    Ok(judge::answers(all))
}
