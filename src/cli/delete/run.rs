//! Plans a deletion, carries it out, and says what is left elsewhere.

use super::admission;
use super::common::Common;
use crate::Result;
use crate::cli::context::Context;
use crate::cli::update::generated::generated;
use crate::cli::write::{VERSION, carry_out, read_ledger};
use crate::model::{Project, Resource};
use crate::plan::update::{BASES, Deletion, Generated, paths};
use crate::plan::{Ledger, Plan, PlanContext};
use crate::report::Report;
use crate::scaffold::{DeleteIntent, Deleted, DeletedPart, deleted, type_folder};
use crate::workspace::Workspace;

pub(super) fn run(name: &'static str, intent: &DeleteIntent, args: &Common, context: &Context) -> Result<Report> {
    let (workspace, project) = args.write.open_project(context)?;
    let left = deleted(intent, &project)?;
    let ledger = read_ledger(&workspace)?;
    let before = generated(&workspace, &project, &ledger)?;
    let mut after = generated(&workspace, &left.project, &ledger)?;
    let before = own_lines(before, &left);
    after.left.clone_from(&before.left);
    let stored = workspace.files_below(BASES);
    let paths = paths(&before, &ledger);
    let snapshot = workspace.snapshot(paths.iter().chain(&stored).chain(&left.files).map(String::as_str))?;
    let deletion = Deletion { before, after, files: &left.files, folders: &left.folders };
    let command = intent.command();
    let plan_context = PlanContext { version: VERSION, force: Some(&command) };
    let plan = deletion.plan((&ledger, &snapshot), &left.project, args.force, &plan_context)?;
    let mut report = carry_out(name, &workspace, &plan, args.write)?;
    report.warnings.extend(uses(&workspace, &plan, intent, &left)?);
    let report = report.next("opctl manifests");
    let mut commands = in_cluster(intent, &project, &left, &ledger);
    commands.extend(match &intent.part {
        DeletedPart::Policy(_) => admission::policies(&workspace, &plan)?,
        DeletedPart::Webhook(..) => admission::configurations(&workspace, &left)?,
        DeletedPart::Api | DeletedPart::Controller(_) => None,
    });
    Ok(commands.into_iter().fold(report, Report::next))
}

/// Files that began as a copy are left to the user by an update; what goes is looked at all the same.
fn own_lines(mut generated: Generated, left: &Deleted) -> Generated {
    for file in &left.files {
        generated.left.remove(file);
    }
    for folder in &left.folders {
        generated.left.remove(&format!("{folder}/mod.rs"));
    }
    generated
}

/// The warnings about other code that names a type which is gone.
fn uses(workspace: &Workspace, plan: &Plan, intent: &DeleteIntent, left: &Deleted) -> Result<Vec<String>> {
    if intent.part != DeletedPart::Api {
        return Ok(Vec::new());
    }
    let sources = ["src", "api/src", "tests"].into_iter().flat_map(|folder| workspace.files_below(folder));
    let sources: Vec<String> = sources
        .filter(|path| std::path::Path::new(path).extension().is_some_and(|extension| extension == "rs"))
        .collect();
    let snapshot = workspace.snapshot(sources.iter().map(String::as_str))?;
    let names = left.resources.iter().flat_map(Resource::type_names).collect::<Vec<_>>();
    let words = |text: &str| -> Vec<String> {
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        code.flat_map(|code| code.split(move |character| !is_word(character)).map(str::to_owned)).collect()
    };
    let is_named = |line: &str| words(line).iter().any(|word| names.contains(word));
    let mut warnings = Vec::new();
    for path in &sources {
        let text = match plan.effective().find(|change| change.path == *path) {
            Some(change) => change.after.as_deref(),
            None => snapshot.text(path),
        };
        let Some(text) = text else { continue };
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
                "`{path}` may use `{}`, see line {}: `opctl manifests` and `cargo check` compile it",
                intent.kind,
                line + 1
            )
        }));
    }
    Ok(warnings)
}

/// The commands that remove what a cluster still has.
fn in_cluster(intent: &DeleteIntent, project: &Project, left: &Deleted, ledger: &Ledger) -> Vec<String> {
    let mut commands = Vec::new();
    let is_whole = |resource: &crate::model::Resource| {
        !left.project.resources.iter().any(|other| other.api && other.is_of_kind_of(resource))
    };
    match &intent.part {
        DeletedPart::Api => {
            let own = left.resources.iter().find(|one| one.has_types() && is_whole(one));
            commands.extend(own.map(|resource| {
                let group = resource.api_group(&project.domain);
                format!("kubectl delete crd {}.{group}    # and all its objects with it", resource.plural)
            }));
        }
        DeletedPart::Policy(_) => commands.push("opctl deploy    # until then the cluster has the policies".to_owned()),
        DeletedPart::Webhook(..) | DeletedPart::Controller(_) => {
            let is_deployed = !ledger.files.is_empty();
            commands.extend(
                is_deployed.then(|| "opctl deploy    # until then the cluster's operator is the one before".to_owned()),
            );
        }
    }
    commands
}
