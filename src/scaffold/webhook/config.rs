//! The configuration of webhooks in `config/`, except for the generated `config/webhook/manifests.yaml`.

use super::super::parts::follow_webhooks;
use super::super::values::Values;
use crate::Result;
use crate::model::Project;
use crate::plan::{Edit, Existing, Operation};
use crate::template::Templates;

/// The kustomization of the folder `config/webhook`.
pub const WEBHOOK_KUSTOMIZATION: &str = "config/webhook/kustomization.yaml";
/// The entry of [`WEBHOOK_KUSTOMIZATION`] for the manifests of admission webhooks.
pub const WEBHOOK_LINE: &str = "- manifests.yaml";

const DEFAULT: &str = "config/default/kustomization.yaml";
const POLICIES: &str = "config/network-policy/kustomization.yaml";
const PATCH_FILE: &str = "config/default/manager_webhook_patch.yaml";
const POLICY_FILE: &str = "config/network-policy/allow-webhook-traffic.yaml";

/// The entry of `config/default/kustomization.yaml` for the folder `config/webhook`.
pub const WEBHOOK_ENTRY: &str = "- ../webhook";

/// An entry of a kustomization: the file, the marker to insert at, the inserted line, and the path in this line.
type Entry = (&'static str, &'static str, &'static str, &'static str);

const ENTRIES: [Entry; 3] = [
    (DEFAULT, "# +opctl:scaffold:resources", WEBHOOK_ENTRY, "../webhook"),
    (DEFAULT, "# +opctl:scaffold:patches", "- path: manager_webhook_patch.yaml", "manager_webhook_patch.yaml"),
    (POLICIES, "# +opctl:scaffold:policies", "- allow-webhook-traffic.yaml", "allow-webhook-traffic.yaml"),
];

/// Renders the files of `config/webhook` that kustomize reads, each as its path and its content. If `admits` is true,
/// the kustomization includes `manifests.yaml`, which configures the admission webhooks. A conversion webhook does not
/// need `manifests.yaml`, because the CRD configures the conversion webhook.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn webhook_folder(project: &Project, admits: bool) -> Result<Vec<(&'static str, String)>> {
    let templates = Templates::load("webhook")?;
    let values = Values::of_project(project);
    let names = templates.names().filter(|name| name.starts_with("config/webhook/"));
    let mut folder = names.map(|name| Ok((name, templates.render(name, &values)?))).collect::<Result<Vec<_>>>()?;
    for (_, content) in folder.iter_mut().filter(|(name, _)| *name == WEBHOOK_KUSTOMIZATION && !admits) {
        *content = content.replace(&format!("{WEBHOOK_LINE}\n"), "");
    }
    Ok(folder)
}

/// Returns the operations that a project with webhooks needs in `config/` outside of `config/webhook`. They create the
/// patch of the manager and the network policy, and add entries for these two files and for `config/webhook` to the
/// kustomizations.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn webhook_entries(project: &Project) -> Result<Vec<Operation>> {
    let templates = Templates::load("webhook")?;
    let values = Values::of_project(project);
    let mut operations = Vec::new();
    for file in [PATCH_FILE, POLICY_FILE] {
        operations.push(Operation::create(file, templates.render(file, &values)?, Existing::Keep));
    }
    operations.extend(ENTRIES.map(|(file, marker, line, _)| {
        Operation::edit(file, Edit::AtMarker { marker: marker.to_owned(), fragment: line.to_owned() })
    }));
    operations.extend(follow_webhooks(project, true)?);
    Ok(operations)
}

/// Returns the operation that allows the manager to patch the CRD `name`. The manager sets `caBundle` in the CRD, so
/// that the API server trusts the CRD's conversion webhook.
pub fn conversion_right(name: &str) -> Operation {
    let rule = [
        "- apiGroups:",
        "  - apiextensions.k8s.io",
        "  resources:",
        "  - customresourcedefinitions",
        "  resourceNames:",
        &format!("  - {name}"),
        "  verbs:",
        "  - get",
        "  - patch",
    ];
    let marker = "# +opctl:scaffold:conversions".to_owned();
    Operation::edit("config/webhook/role.yaml", Edit::AtMarker { marker, fragment: rule.join("\n") })
}

/// Returns the operations that remove the entries for webhooks from the kustomizations in `config/`, because one entry
/// includes `config/webhook`, which does not exist without webhooks.
///
/// # Errors
/// Fails only on a defect in opctl's own templates.
pub fn without_webhook_entries(project: &Project) -> Result<Vec<Operation>> {
    let remove = |(file, _, line, path): Entry| {
        Operation::edit(file, Edit::RemoveEntry { fragment: line.to_owned(), path: path.to_owned() })
    };
    let mut operations = Vec::from(ENTRIES.map(remove));
    operations.extend(follow_webhooks(project, false)?);
    Ok(operations)
}
