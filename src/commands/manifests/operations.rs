//! Plans the file operations of `opctl manifests`: writes the generated manifests, lists them in kustomizations, and
//! removes stale files.

use crate::Result;
use crate::commands::manifest_files::{entry, removed_entry};
use crate::commands::write::read_ledger;
use crate::manifest::{DEFINITIONS, GeneratedDefinition, INPUTS_FILE, Manifests, ROLE_NAMESPACES_FILE, WEBHOOKS_FILE};
use crate::model::{Project, VERSION_ANNOTATION};
use crate::plan::{Edit, Existing, Operation, Snapshot};
use crate::scaffold::{self, WEBHOOK_KUSTOMIZATION, WEBHOOK_LINE};
use crate::workspace::Workspace;

const SERVICE_LINE: &str = "- service.yaml";

/// Returns operations that write every manifest, list the CRDs for kustomize, and remove stale files.
pub(super) fn operations(
    manifests: &Manifests,
    workspace: &Workspace,
    project: &Project,
    force: bool,
) -> Result<Vec<Operation>> {
    let mut operations = Vec::new();
    let before = workspace.snapshot(manifests.files.keys())?;
    for (path, content) in &manifests.files {
        // A file that differs only in the version of opctl that wrote it is not changed.
        let content = before.text(path).filter(|old| same_but_for_version(old, content)).unwrap_or(content);
        operations.push(Operation::generate(path, content, force));
        operations.extend(entry(path));
    }
    // Without `create webhook`, nothing serves the webhooks of a marker, and the user decides where the configuration
    // goes.
    let has_webhooks = project.has_webhooks();
    let converted: Vec<&GeneratedDefinition> =
        manifests.definitions.iter().filter(|made| made.is_converted()).collect();
    let ledger = read_ledger(workspace)?;
    let has_inputs = workspace.snapshot([INPUTS_FILE])?.text(INPUTS_FILE).is_some();
    let by_hand = workspace.has_text_file(WEBHOOKS_FILE) && !ledger.files.contains_key(WEBHOOKS_FILE);
    let admits = by_hand || manifests.files.contains_key(WEBHOOKS_FILE);
    let beside = scaffold::webhook_folder(project, admits)?;
    let snapshot = workspace.snapshot(beside.iter().map(|(path, _)| *path))?;
    let pristine = |path: &str| snapshot.text(path).is_none_or(|text| ledger.is_pristine(path, text));
    let untouched = beside.iter().all(|(path, _)| pristine(path));
    let generated = ledger.files.keys().filter(|path| path.starts_with(DEFINITIONS) || *path == ROLE_NAMESPACES_FILE);
    for path in generated.filter(|path| !manifests.files.contains_key(*path)) {
        operations.push(Operation::remove(path, force));
        operations.extend(removed_entry(path));
    }
    let admitted = ledger.files.contains_key(WEBHOOKS_FILE);
    if !admits && admitted {
        operations.push(Operation::remove(WEBHOOKS_FILE, force));
    }
    if admits || !converted.is_empty() {
        operations.extend(with_webhooks(beside, &snapshot, admits));
        operations.extend(converted.iter().map(|made| scaffold::conversion_right(made.name())));
        if has_webhooks {
            operations.extend(scaffold::webhook_entries(project)?);
        }
    } else if admitted || (untouched && ledger.files.contains_key(WEBHOOK_KUSTOMIZATION)) {
        operations.extend(without_webhooks(&beside, &snapshot, untouched));
        if has_webhooks {
            operations.extend(scaffold::without_webhook_entries(project)?);
        }
    }
    match &manifests.inputs {
        Some(inputs) => operations.push(Operation::record(INPUTS_FILE, inputs.to_text())),
        None if has_inputs => operations.push(Operation::remove(INPUTS_FILE, true)),
        None => {}
    }
    Ok(operations)
}

/// Returns true if two manifests differ at most in the version of opctl that wrote them and in line ends.
pub(super) fn same_but_for_version(old: &str, new: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with(VERSION_ANNOTATION));
        lines.map(str::to_owned).collect()
    };
    lines(old) == lines(new)
}

/// Returns operations that create the missing files of `beside`: the files in `config/webhook` except `manifests.yaml`.
/// If `admits` is true (there are admission webhooks), the kustomization among these files lists `manifests.yaml`; if
/// `admits` is false, an operation removes this entry from the kustomization.
fn with_webhooks(beside: Vec<(&'static str, String)>, snapshot: &Snapshot, admits: bool) -> Vec<Operation> {
    let mut operations = Vec::new();
    for (path, content) in beside {
        if path == WEBHOOK_KUSTOMIZATION && !admits {
            operations.push(Operation::create(path, content, Existing::Keep));
            operations.push(Operation::edit(path, Edit::RemoveLine(WEBHOOK_LINE.to_owned())));
            continue;
        }
        let unlisted =
            |text: &str| !text.contains("manifests.yaml") && text.lines().any(|line| line.trim() == SERVICE_LINE);
        if path == WEBHOOK_KUSTOMIZATION && snapshot.text(path).is_some_and(unlisted) {
            let edit = Edit::AtMarker { marker: SERVICE_LINE.to_owned(), fragment: WEBHOOK_LINE.to_owned() };
            operations.push(Operation::edit(path, edit));
        } else {
            operations.push(Operation::create(path, content, Existing::Keep));
        }
    }
    operations
}

/// Returns operations that remove the files that opctl made for the webhooks. If one of these files was edited
/// (`untouched` is false), the operations only remove the line of the webhook manifests from the kustomization.
fn without_webhooks(beside: &[(&'static str, String)], snapshot: &Snapshot, untouched: bool) -> Vec<Operation> {
    if untouched {
        return beside.iter().map(|(path, _)| Operation::remove(*path, false)).collect();
    }
    let unlist = |_| Operation::edit(WEBHOOK_KUSTOMIZATION, Edit::RemoveLine(WEBHOOK_LINE.to_owned()));
    snapshot.text(WEBHOOK_KUSTOMIZATION).map(unlist).into_iter().collect()
}
