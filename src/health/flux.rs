//! Health checks of Flux.

use super::CheckedKind;

/// The rules, in the order in which Flux evaluates them. Before Flux evaluates the rules, it compares
/// `observedGeneration` with `generation`. If no rule is true, Flux regards the object as in progress.
const RULES: [(&str, &str); 3] = [
    ("inProgress", "has(metadata.deletionTimestamp)"),
    (
        "failed",
        "has(status.conditions) && status.conditions.exists(c, c.type in ['Stalled', 'Degraded', 'Failed'] && c.status == 'True')",
    ),
    (
        "current",
        "has(status.conditions) && status.conditions.exists(c, c.type in ['Ready', 'Available', 'Healthy', 'Complete', 'Succeeded']) \
         ? (status.conditions.exists(c, c.type == 'Ready') \
         ? status.conditions.exists(c, c.type == 'Ready' && c.status == 'True') \
         : status.conditions.exists(c, c.type in ['Available', 'Healthy', 'Complete', 'Succeeded'] && c.status == 'True')) \
         : has(status.observedGeneration)",
    ),
];

/// Renders the `healthCheckExprs` of a Flux `Kustomization` (<https://fluxcd.io/flux/components/kustomize/kustomizations/>).
pub fn flux(kinds: &[CheckedKind]) -> String {
    let mut text = String::from("healthCheckExprs:\n");
    for CheckedKind { group, version, kind } in kinds {
        text.push_str(&format!("- apiVersion: {group}/{version}\n  kind: {kind}\n"));
        for (name, rule) in RULES {
            text.push_str(&format!("  {name}: \"{rule}\"\n"));
        }
    }
    text
}
