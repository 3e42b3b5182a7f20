//! Adds and removes parts of `config/` for `opctl edit`: files, and the kustomization entries for these files.

use super::values::Values;
use crate::error::hint;
use crate::model::{Part, Project, ProjectPath};
use crate::plan::{Edit, Existing, Operation};
use crate::template::Templates;
use crate::{Error, Result};
use std::collections::BTreeSet;

const DEFAULT: &str = "config/default/kustomization.yaml";
const RBAC: &str = "config/rbac/kustomization.yaml";
const RESOURCES: &str = "# +opctl:scaffold:resources";
const PATCHES: &str = "# +opctl:scaffold:patches";
const METRICS: &str = "# +opctl:scaffold:metrics";
const REPLACEMENTS: &str = "# +opctl:scaffold:replacements";
const CERTIFICATES: &str = "config/certmanager/kustomization.yaml";

/// An entry of a kustomization, and the files that the entry refers to.
struct Entry {
    kustomization: &'static str,
    marker: &'static str,
    fragment: &'static str,
    path: &'static str,
    files: &'static [&'static str],
}

impl Entry {
    const fn resource(path: &'static str, fragment: &'static str, files: &'static [&'static str]) -> Self {
        Entry { kustomization: DEFAULT, marker: RESOURCES, fragment, path, files }
    }

    const fn patch(path: &'static str, fragment: &'static str, files: &'static [&'static str]) -> Self {
        Entry { kustomization: DEFAULT, marker: PATCHES, fragment, path, files }
    }

    const fn role(path: &'static str, fragment: &'static str, files: &'static [&'static str]) -> Self {
        Entry { kustomization: RBAC, marker: METRICS, fragment, path, files }
    }
}

/// The entries for metrics, with names and contents from kubebuilder's scaffold (`pkg/plugins/common/kustomize/v2`).
const METRICS_ENTRIES: &[Entry] = &[
    Entry::resource("metrics_service.yaml", "- metrics_service.yaml", &["config/default/metrics_service.yaml"]),
    Entry::patch(
        "manager_metrics_patch.yaml",
        "- path: manager_metrics_patch.yaml\n  target:\n    kind: Deployment\n    name: controller-manager",
        &["config/default/manager_metrics_patch.yaml"],
    ),
    Entry::role("metrics_auth_role.yaml", "- metrics_auth_role.yaml", &["config/rbac/metrics_auth_role.yaml"]),
    Entry::role(
        "metrics_auth_role_binding.yaml",
        "- metrics_auth_role_binding.yaml",
        &["config/rbac/metrics_auth_role_binding.yaml"],
    ),
    Entry::role("metrics_reader_role.yaml", "- metrics_reader_role.yaml", &["config/rbac/metrics_reader_role.yaml"]),
];
const PROMETHEUS_ENTRIES: &[Entry] = &[Entry::resource(
    "../prometheus",
    "- ../prometheus",
    &["config/prometheus/kustomization.yaml", "config/prometheus/monitor.yaml"],
)];
const NETWORK_POLICY_ENTRIES: &[Entry] = &[Entry::resource(
    "../network-policy",
    "- ../network-policy",
    &["config/network-policy/kustomization.yaml", "config/network-policy/allow-metrics-traffic.yaml"],
)];
const CERT_MANAGER_ENTRIES: &[Entry] = &[
    Entry::resource(
        "../certmanager",
        "- ../certmanager",
        &[
            "config/certmanager/kustomization.yaml",
            "config/certmanager/kustomizeconfig.yaml",
            "config/certmanager/issuer.yaml",
            "config/certmanager/certificate-metrics.yaml",
        ],
    ),
    Entry::patch(
        "cert_metrics_manager_patch.yaml",
        "- path: cert_metrics_manager_patch.yaml",
        &["config/default/cert_metrics_manager_patch.yaml"],
    ),
    // Without a ServiceMonitor, this patch changes nothing.
    Entry::patch(
        "monitor_tls_patch.yaml",
        "- path: monitor_tls_patch.yaml\n  target:\n    kind: ServiceMonitor\n    name: controller-manager-metrics-monitor",
        &["config/default/monitor_tls_patch.yaml"],
    ),
    Entry {
        kustomization: DEFAULT,
        marker: REPLACEMENTS,
        fragment: "- path: metrics_service_name.yaml",
        path: "metrics_service_name.yaml",
        files: &["config/default/metrics_service_name.yaml"],
    },
];
/// The entries that make cert-manager sign the certificate of the webhooks, in addition to the certificate of the
/// metrics endpoint.
const SIGNED_WEBHOOK_ENTRIES: &[Entry] = &[
    Entry {
        kustomization: CERTIFICATES,
        marker: "# +opctl:scaffold:certificates",
        fragment: "- certificate-webhook.yaml",
        path: "certificate-webhook.yaml",
        files: &["config/certmanager/certificate-webhook.yaml"],
    },
    Entry::patch(
        "cert_webhook_manager_patch.yaml",
        "- path: cert_webhook_manager_patch.yaml",
        &["config/default/cert_webhook_manager_patch.yaml"],
    ),
    Entry {
        kustomization: DEFAULT,
        marker: REPLACEMENTS,
        fragment: "- path: webhook_service_name.yaml",
        path: "webhook_service_name.yaml",
        files: &["config/default/webhook_service_name.yaml"],
    },
];
const GRAFANA_ENTRIES: &[Entry] = &[Entry::resource(
    "../grafana",
    "- ../grafana",
    &["config/grafana/kustomization.yaml", "config/grafana/controllers.json", "config/grafana/process.json"],
)];

fn entries(part: Part) -> &'static [Entry] {
    match part {
        Part::Metrics => METRICS_ENTRIES,
        Part::Prometheus => PROMETHEUS_ENTRIES,
        Part::NetworkPolicy => NETWORK_POLICY_ENTRIES,
        Part::CertManager => CERT_MANAGER_ENTRIES,
        Part::Grafana => GRAFANA_ENTRIES,
    }
}

/// Returns the entries that the part `part` of `config/` has only if the project has webhooks.
fn entries_of_webhooks(part: Part) -> &'static [Entry] {
    if part == Part::CertManager { SIGNED_WEBHOOK_ENTRIES } else { &[] }
}

fn all_entries(part: Part) -> impl Iterator<Item = &'static Entry> {
    entries(part).iter().chain(entries_of_webhooks(part))
}

/// Returns true if the file belongs to an optional part of `config/` that `opctl edit` creates, and `opctl init` does
/// not.
pub(super) fn is_made_later(file: &str) -> bool {
    Part::all().filter(|part| part.is_made_later()).flat_map(all_entries).any(|entry| entry.files.contains(&file))
}

/// Returns the files below `config/` that stay in a project after `opctl edit` disables their part, or after the
/// last webhook is deleted.
pub(super) fn remaining_files(project: &Project) -> impl Iterator<Item = ProjectPath> {
    let is_out = |part: &Part| part.is_made_later() && !project.parts.contains(part);
    let without_parts = Part::all().filter(is_out).flat_map(all_entries);
    let without_webhooks = Part::all().filter(|_| !project.has_webhooks()).flat_map(entries_of_webhooks);
    without_parts.chain(without_webhooks).flat_map(|entry| entry.files).map(|file| ProjectPath::from(*file))
}

/// Returns the parts of the project's `config/`, such as metrics, after `enable` is added and `disable` is removed.
///
/// # Errors
/// Fails if a part is both enabled and disabled, or if a part needs another part that is not enabled.
pub fn parts(project: &Project, enable: &[Part], disable: &[Part]) -> Result<BTreeSet<Part>> {
    if let Some(both) = enable.iter().find(|part| disable.contains(part)) {
        let name = both.name();
        return Err(Error::usage(format!("`--enable` and `--disable` both name `{name}`"))
            .hint(hint!("opctl edit --enable {name}", name)));
    }
    let mut parts = project.parts.clone();
    parts.extend(enable);
    parts.retain(|part| !disable.contains(part));
    for part in &parts {
        let Some(needed) = part.needs().filter(|needed| !parts.contains(needed)) else { continue };
        let (name, needed) = (part.name(), needed.name());
        return Err(Error::user(format!("`{name}` needs `{needed}`"))
            .caused_by(format!("without `{needed}` there is nothing for `{name}` to do"))
            .hint(hint!(
                "opctl edit --enable {needed},{name}    # or disable both: opctl edit --disable {name},{needed}",
                needed,
                name
            )));
    }
    Ok(parts)
}

/// Returns the operations that add each part in `named` to `config/` if `project.parts` contains the part, and
/// otherwise remove the part from `config/`. Parts outside of `named` keep the user's changes. `has_webhooks` is true
/// if `config/default` includes webhooks.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn edit(project: &Project, named: impl IntoIterator<Item = Part>, has_webhooks: bool) -> Result<Vec<Operation>> {
    let mut operations = Vec::new();
    for part in named {
        let is_in = project.parts.contains(&part);
        operations.extend(set(project, entries(part), is_in)?);
        operations.extend(edit_webhooks(project, part, has_webhooks)?);
    }
    Ok(operations)
}

/// Returns the operations that add the entries for webhooks to the optional parts of `config/`, such as the network
/// policy, or that remove these entries if `has_webhooks` is false.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub(super) fn follow_webhooks(project: &Project, has_webhooks: bool) -> Result<Vec<Operation>> {
    let parts = project.parts.iter().map(|part| edit_webhooks(project, *part, has_webhooks));
    Ok(parts.collect::<Result<Vec<_>>>()?.concat())
}

fn edit_webhooks(project: &Project, part: Part, has_webhooks: bool) -> Result<Vec<Operation>> {
    let is_in = project.parts.contains(&part);
    // The kustomization of a removed part is not used.
    let read = |entry: &&Entry| is_in || entry.kustomization == DEFAULT;
    set(project, entries_of_webhooks(part).iter().filter(read), is_in && has_webhooks)
}

fn set<'a>(project: &Project, entries: impl IntoIterator<Item = &'a Entry>, is_in: bool) -> Result<Vec<Operation>> {
    let templates = Templates::load("project")?;
    let values = Values::of_project(project);
    let mut operations = Vec::new();
    for entry in entries {
        let edit = if is_in {
            for file in entry.files {
                let content = templates.render(file, &values)?;
                operations.push(Operation::create(*file, content, Existing::Keep));
            }
            Edit::AtMarker { marker: entry.marker.to_owned(), fragment: entry.fragment.to_owned() }
        } else {
            Edit::RemoveEntry { fragment: entry.fragment.to_owned(), path: entry.path.to_owned() }
        };
        operations.push(Operation::edit(entry.kustomization, edit));
    }
    Ok(operations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_part_has_a_template() {
        let templates = Templates::load("project").unwrap();
        for file in Part::all().flat_map(all_entries).flat_map(|entry| entry.files) {
            assert!(templates.names().any(|name| name == *file), "{file}");
        }
    }
}
