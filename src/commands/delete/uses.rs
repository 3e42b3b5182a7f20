//! The warnings about remaining uses of a deleted kind.

use crate::manifest::DEFINITIONS;
use crate::model::{Project, ProjectPath, Resource};
use crate::plan::{Plan, Snapshot};
use crate::scaffold::{DeleteIntent, Deleted, DeletedPart, type_folder};
use crate::workspace::Workspace;
use crate::{Result, yaml};
use serde_json::Value;
use std::path::Path;

const CONFIG: &str = "config";

/// Returns warnings about code that may name a removed type, about objects of the type that are left in `config`, and
/// about removed versions that clients may still request.
pub(super) fn remaining_use_warnings(
    workspace: &Workspace,
    plan: &Plan,
    intent: &DeleteIntent,
    project: &Project,
    left: &Deleted,
) -> Result<Vec<String>> {
    if intent.part != DeletedPart::Api {
        return Ok(Vec::new());
    }
    let mut warnings = in_code(workspace, plan, intent, left)?;
    let files: Vec<ProjectPath> =
        workspace.files_below(CONFIG).into_iter().filter(|path| yaml::is_yaml(Path::new(path))).collect();
    let snapshot = workspace.snapshot(&files)?;
    let gone: Vec<(String, &Resource)> =
        left.resources.iter().filter(|one| one.api).map(|one| (one.api_version(&project.domain), one)).collect();
    for path in &files {
        let text = text_after_plan(plan, &snapshot, path).unwrap_or_default();
        let is_gone = |object: &Value| {
            gone.iter()
                .find(|(version, one)| object["apiVersion"] == **version && object["kind"] == one.key.kind.as_str())
        };
        warnings.extend(documents(text).iter().find_map(is_gone).map(|(version, one)| {
            format!(
                "`{path}` contains a `{}` of `{version}`: the API server refuses it once this version is removed",
                one.key.kind
            )
        }));
    }
    let definitions = snapshot.texts_below(DEFINITIONS.trim_end_matches('/'));
    let definitions: Vec<Value> = definitions.flat_map(|(_, text)| documents(text)).collect();
    let stays = |one: &&Resource| left.project.resources.iter().any(|other| other.api && other.is_of_kind_of(one));
    let of_kinds_that_stay = left.resources.iter().filter(stays);
    warnings.extend(of_kinds_that_stay.filter(|one| is_served(&definitions, one, project)).map(served_version_warning));
    Ok(warnings)
}

fn is_served(definitions: &[Value], resource: &Resource, project: &Project) -> bool {
    let (group, kind) = (resource.api_group(&project.domain), resource.key.kind.as_str());
    let is_it =
        |definition: &&Value| definition["spec"]["group"] == group && definition["spec"]["names"]["kind"] == kind;
    let versions = definitions.iter().filter(is_it).filter_map(|definition| definition["spec"]["versions"].as_array());
    let version = resource.key.version.as_str();
    versions.flatten().any(|one| one["name"] == version && one["served"] == true)
}

fn served_version_warning(resource: &Resource) -> String {
    let (kind, version) = (&resource.key.kind, &resource.key.version);
    format!(
        "`{version}` of `{kind}` was served until now, and clients that still request it get the error 404: set \
         `served = false` in `#[kube(..)]` for one release to find these clients"
    )
}

/// Returns the text that a file has after the plan is carried out; `None` if the file does not exist then.
fn text_after_plan<'a>(plan: &'a Plan, snapshot: &'a Snapshot, path: &str) -> Option<&'a str> {
    match plan.effective().find(|change| change.path == path) {
        Some(change) => change.after.as_deref(),
        None => snapshot.text(path),
    }
}

/// Returns the YAML documents in the text of a file; none if a part of the text is not YAML, as in a template.
pub(super) fn documents(text: &str) -> Vec<Value> {
    yaml::read(text).unwrap_or_default()
}

fn in_code(workspace: &Workspace, plan: &Plan, intent: &DeleteIntent, left: &Deleted) -> Result<Vec<String>> {
    let sources = ["src", "api/src", "tests"].into_iter().flat_map(|folder| workspace.files_below(folder));
    let sources: Vec<ProjectPath> =
        sources.filter(|path| Path::new(path).extension().is_some_and(|extension| extension == "rs")).collect();
    let snapshot = workspace.snapshot(&sources)?;
    let names = left.resources.iter().flat_map(Resource::type_names).collect::<Vec<_>>();
    let words = |text: &str| -> Vec<String> {
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        code.flat_map(|code| code.split(move |character| !is_word(character)).map(str::to_owned)).collect()
    };
    let is_named = |line: &str| words(line).iter().any(|word| names.contains(word));
    let mut warnings = Vec::new();
    for path in &sources {
        let Some(text) = text_after_plan(plan, &snapshot, path) else { continue };
        // A type of that name may be there in another version or group.
        let has_module = left.resources.iter().any(|resource| {
            let module = resource.key.version_module();
            let roots = ["api", "crate", "super"].map(|root| format!("{root}::{module}"));
            let ends =
                |text: &str| !text.starts_with(|character: char| character.is_alphanumeric() || character == '_');
            path.starts_with(&format!("{}/", type_folder(&resource.key)))
                || roots.iter().any(|root| text.match_indices(root).any(|(at, _)| ends(&text[at + root.len()..])))
        });
        let line = text.lines().position(is_named).filter(|_| has_module);
        warnings.extend(line.map(|line| {
            format!(
                "`{path}` may still use `{}`, see line {}: check the code with `opctl manifests` and `cargo check`",
                intent.kind,
                line + 1
            )
        }));
    }
    Ok(warnings)
}
