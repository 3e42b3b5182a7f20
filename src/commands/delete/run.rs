//! Plans and carries out a deletion, and returns the commands that remove the deleted parts from clusters.

use super::admission;
use super::against::{AgainstArgs, is_whole};
use super::common::Common;
use super::uses::remaining_use_warnings;
use crate::Result;
use crate::commands::context::Context;
use crate::commands::generated::generated_files;
use crate::commands::write::{VERSION, carry_out, read_ledger};
use crate::error::{Hint, hint};
use crate::model::Project;
use crate::plan::reconcile::{Deletion, Rendering, paths};
use crate::plan::{BASES, Ledger, PlanContext};
use crate::report::Report;
use crate::scaffold::{DeleteIntent, Deleted, DeletedPart, delete_part};

pub(super) fn run(
    name: &'static str,
    intent: &DeleteIntent,
    args: &Common,
    against: &AgainstArgs,
    context: &Context,
) -> Result<Report> {
    let (workspace, project) = args.write.open_project(context)?;
    let left = delete_part(intent, &project)?;
    against.check(intent, &project, &left, context)?;
    let ledger = read_ledger(&workspace)?;
    let before = generated_files(&workspace, &project, &ledger)?;
    let mut after = generated_files(&workspace, &left.project, &ledger)?;
    let before = own_lines(before, &left);
    after.left.clone_from(&before.left);
    let stored = workspace.files_below(BASES);
    let paths = paths(&before, &ledger);
    let snapshot = workspace.snapshot(paths.iter().chain(&stored).chain(&left.files))?;
    let deletion = Deletion { before, after, files: &left.files, folders: &left.folders };
    let command = intent.command();
    let plan_context = PlanContext { version: VERSION, force: Some(&command) };
    let plan = deletion.plan((&ledger, &snapshot), &left.project, args.force, &plan_context)?;
    let mut report = carry_out(name, &workspace, &plan, args.write)?;
    report.warnings.extend(remaining_use_warnings(&workspace, &plan, intent, &project, &left)?);
    let report = report.next("opctl manifests");
    let mut commands = in_cluster(intent, &project, &left, &ledger);
    commands.extend(match &intent.part {
        DeletedPart::Policy(_) => admission::policies(&workspace, &plan)?,
        DeletedPart::Webhook(..) => admission::configurations(&workspace, &left)?,
        DeletedPart::Api | DeletedPart::Controller(_) => None,
    });
    Ok(commands.into_iter().fold(report, Report::next))
}

/// Returns `generated` with the files that `left` lists for deletion removed from `generated.left`; changes no file on
/// disk. `generated.left` is the set of files that `opctl update` does not change, such as files that began as a copy
/// and
/// belong to the user. The deletion compares a file with its generated content only if the file is not in this set.
fn own_lines(mut generated: Rendering, left: &Deleted) -> Rendering {
    for file in &left.files {
        generated.left.remove(file.as_str());
    }
    for folder in &left.folders {
        generated.left.remove(format!("{folder}/mod.rs").as_str());
    }
    generated
}

/// Returns the commands that remove from a cluster what `opctl delete` removes from the project.
fn in_cluster(intent: &DeleteIntent, project: &Project, left: &Deleted, ledger: &Ledger) -> Vec<Hint> {
    let mut commands = Vec::new();
    match &intent.part {
        DeletedPart::Api => {
            let own = left.resources.iter().find(|one| one.has_types());
            commands.extend(own.map(|resource| {
                if is_whole(resource, left) {
                    let group = resource.api_group(&project.domain);
                    return hint!(
                        "kubectl delete crd {}.{group}    # deletes the CRD and all objects of its kind",
                        resource.plural,
                        group
                    );
                }
                let version = &resource.key.version;
                hint!(
                    "{}    # run this in each cluster before you install the CRD that lacks the version {version}",
                    intent.migrate(),
                    version
                )
            }));
        }
        DeletedPart::Policy(_) => commands.push("opctl deploy    # until then the cluster has the policies".into()),
        DeletedPart::Webhook(..) | DeletedPart::Controller(_) => {
            let is_deployed = !ledger.files.is_empty();
            commands.extend(
                is_deployed.then(|| "opctl deploy    # until then the cluster's operator is the one before".into()),
            );
        }
    }
    commands
}
