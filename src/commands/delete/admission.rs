//! Finds the commands that delete webhook configurations and policies from clusters, where these objects remain after
//! `opctl delete` removed them from the project.

use super::uses::documents;
use crate::Result;
use crate::cluster::deployed_name;
use crate::error::{Hint, hint};
use crate::manifest::WEBHOOKS_FILE;
use crate::plan::Plan;
use crate::scaffold::Deleted;
use crate::workspace::Workspace;
use serde_json::Value;

const DEFAULT: &str = "config/default/kustomization.yaml";
const POLICIES: &str = "config/policy/";

/// Returns the command that deletes policies from a cluster: the policies whose files `plan` removes from the project.
/// The command is for clusters that `opctl deploy` does not update.
pub(super) fn policies(workspace: &Workspace, plan: &Plan) -> Result<Option<Hint>> {
    let gone = plan.effective().filter(|change| change.after.is_none() && change.path.starts_with(POLICIES));
    let objects = gone.filter_map(|change| change.before.as_deref()).flat_map(documents);
    let objects: Vec<Value> = objects.filter(|object| kind(object).contains("AdmissionPolicy")).collect();
    Ok(command(&objects, workspace)?
        .map(|delete| hint!("{delete}    # in clusters to which `opctl run` applied the policies", delete)))
}

/// Returns the command that deletes webhook configurations from a cluster: the configurations in which `opctl delete`
/// leaves no webhook. The command is for clusters that `opctl deploy` does not update.
pub(super) fn configurations(workspace: &Workspace, left: &Deleted) -> Result<Option<Hint>> {
    let webhooks = || left.project.resources.iter().map(|one| one.webhooks);
    let (mutates, validates) = (webhooks().any(|one| one.defaulting), webhooks().any(|one| one.validation));
    let is_left = |object: &Value| match kind(object) {
        "MutatingWebhookConfiguration" => mutates,
        "ValidatingWebhookConfiguration" => validates,
        _ => true,
    };
    let snapshot = workspace.snapshot([WEBHOOKS_FILE])?;
    let objects = snapshot.text(WEBHOOKS_FILE).map(documents).unwrap_or_default();
    let gone: Vec<Value> = objects.into_iter().filter(|object| !is_left(object)).collect();
    let why = "the API server uses the webhook configurations until this command or `opctl deploy` deletes them";
    Ok(command(&gone, workspace)?.map(|delete| hint!("{delete}    # {why}", delete, why = Hint::from(why))))
}

fn command(objects: &[Value], workspace: &Workspace) -> Result<Option<Hint>> {
    let snapshot = workspace.snapshot([DEFAULT])?;
    let default = snapshot.text(DEFAULT).and_then(|text| serde_yaml::from_str(text).ok()).unwrap_or_default();
    let name = |object: &Value| {
        let name = deployed_name(object["metadata"]["name"].as_str().unwrap_or_default(), &default);
        hint!(" {}/{name}", kind(object).to_lowercase(), name)
    };
    let names = Hint::join(objects.iter().map(name), "");
    Ok((!names.is_empty()).then(|| hint!("kubectl delete{names}", names)))
}

fn kind(object: &Value) -> &str {
    object["kind"].as_str().unwrap_or_default()
}
