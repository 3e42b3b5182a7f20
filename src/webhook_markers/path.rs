//! Checks the path of a webhook against the path at which scaffolded webhooks are served.

use super::configuration::Webhook;
use crate::source::discover::ApiType;

/// Returns the reason and the hint of a finding if the webhook has an unusual path. A usual path is `/mutate-` or
/// `/validate-`, followed by group, version and kind in lower case (controller-runtime `pkg/builder/webhook.go`).
pub(super) fn check(webhook: &Webhook, types: &[ApiType]) -> Option<(String, String)> {
    let path = webhook.path.as_deref()?;
    let wildcard = |list: &[String]| list.iter().any(|one| one == "*");
    if wildcard(&webhook.groups) || wildcard(&webhook.versions) {
        return None;
    }
    let verb = if webhook.mutating { "mutate" } else { "validate" };
    let mut usual = Vec::new();
    for group in &webhook.groups {
        let group = if group == "core" { "" } else { group };
        let prefixes = webhook.versions.iter().map(|version| format!("/{verb}-{}-{version}-", group.replace('.', "-")));
        for prefix in prefixes {
            for resource in &webhook.resources {
                let of = |found: &&ApiType| {
                    let plural = found.resource.stated.pointer("/spec/names/plural");
                    found.resource.group == group && plural.is_some_and(|plural| plural == resource.as_str())
                };
                match types.iter().find(of).map(|found| found.resource.kind.to_lowercase()) {
                    Some(kind) => usual.push((format!("{prefix}{kind}"), true)),
                    None => usual.push((prefix.clone(), false)),
                }
            }
        }
    }
    let fits = |(usual, whole): &(String, bool)| match path.strip_prefix(usual.as_str()) {
        Some(rest) if *whole => rest.is_empty(),
        Some(rest) => !rest.is_empty() && rest.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit()),
        None => false,
    };
    if usual.iter().any(fits) {
        return None;
    }
    let (first, whole) = usual.first()?;
    let meant = if *whole { first.clone() } else { format!("{first}<kind>") };
    let said = format!("the path `{path}` is not the usual path for the resource");
    Some((said, format!("write `path={meant}`, which is where scaffolded webhooks are served")))
}
