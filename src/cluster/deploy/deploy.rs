//! Applies the objects of the operator's deployment to a cluster.

use super::apply_set::{ApplySet, ApplySetContents};
use super::await_webhooks;
use super::member::{Member, kinds, members};
use super::options::DeployOptions;
use super::rehearsal::rehearse;
use super::rendered_objects::rendered_objects;
use super::rollout::Rollout;
use super::steps::{Steps, delete, removal_line};
use crate::cluster::apply::Apply;
use crate::cluster::install::until_served;
use crate::cluster::{Connection, Definition, run_until_interrupted};
use crate::model::Project;
use crate::report::{ChangeLine, Console, Outcome, Report};
use crate::{Error, Result};
use std::path::Path;
use std::time::{Duration, Instant};

/// Applies the objects that `config/default` of the project at `root` renders, deletes the objects that were applied
/// before and are no longer rendered, and waits until the operator runs and the API server reaches its webhooks.
///
/// # Errors
/// Fails if the manifests cannot be rendered, if the server refuses a request, if other field managers own fields of
/// the objects, if the operator does not become ready, or if its webhooks do not answer.
pub fn deploy(project: &Project, root: &Path, options: &DeployOptions, console: &Console) -> Result<Report> {
    let objects = rendered_objects(root, options.image.as_deref(), "deploy", &options.target, options.remote)?;
    // Part of the time limit is kept for finding out why the operator does not run.
    let deadline = Instant::now() + options.timeout.saturating_sub((options.timeout / 4).min(Duration::from_secs(5)));
    let steps = Steps::new("deploy", console);
    let deployed = run_until_interrupted(&options.target, options.timeout, async {
        let connection = Connection::open(&options.target, console).await?;
        steps.say("Context", &format!("{} ({})", connection.context, connection.server));
        let mut members = members(&kinds(&connection).await?, &objects)?;
        let set = ApplySet::of(project, &members)?;
        let known = set.read_contents(&connection).await?;
        for member in &mut members {
            set.claim(member);
        }
        let rehearsal = rehearse(&connection, &members, &set, options).await?;
        let (kept, lines) = (rehearsal.kept, rehearsal.lines);
        let (found, hidden) = match &known {
            Some(known) => set.objects(&connection, known).await?,
            None => Default::default(),
        };
        let leftovers = leftovers(found, &members);
        let mut report = Report::new("deploy", Outcome::DryRun);
        report.show_unchanged = true;
        report.warnings = rehearsal.warnings;
        report.warnings.extend(hidden.iter().map(|plural| {
            format!(
                "any {plural} that are no longer in `config/default` are not removed, because you may not list {plural}"
            )
        }));
        if options.dry_run {
            report.changes = lines;
            report.changes.extend(leftovers.iter().map(removal_line));
            return Ok(summed_up(report));
        }
        report.told = true;
        let all = members.clone();
        members.retain(|member| !kept.contains(&member.path()));
        let plural = if members.len() == 1 { "" } else { "s" };
        steps.say("Applying", &format!("{} object{plural}", members.len()));
        for path in kept {
            steps.record_change("Kept", ChangeLine { action: "unchanged".to_owned(), path, diff: None });
        }
        let rollouts = apply_all(&connection, &members, &set, known.unwrap_or_default(), options, &steps).await?;
        for member in &leftovers {
            delete(&connection, member).await?;
            steps.record_change("Pruned", removal_line(member));
        }
        set.record(&connection, &all, ApplySetContents::default()).await?;
        steps.complete.set(true);
        let mut runs = false;
        for rollout in rollouts.iter().filter(|_| options.wait) {
            runs |= rollout.wait(&connection, deadline, |message| steps.say("Waiting", message)).await?;
        }
        if runs {
            await_webhooks::until_they_answer((project, root), &objects, &connection, deadline, &steps).await?;
        }
        report.changes = steps.changes.take();
        let changed = report.changes.iter().any(|change| change.action != "unchanged");
        report.outcome = if changed { Outcome::Changed } else { Outcome::Unchanged };
        Ok(summed_up(report))
    });
    deployed.map_err(|error| steps.so_far(error, "applied"))
}

async fn apply_all(
    connection: &Connection,
    members: &[Member],
    set: &ApplySet,
    known: ApplySetContents,
    options: &DeployOptions,
    steps: &Steps<'_>,
) -> Result<Vec<Rollout>> {
    let apply = Apply { force_conflicts: options.force_conflicts, dry_run: false, keeps_run: false };
    let is = |member: &&Member, kind: &str| member.group_kind() == kind;
    let mut rollouts = Vec::new();
    let mut one = async |member: &Member| {
        let api = member.api(&connection.client);
        let applied = apply.object(connection, &api, &member.object, member.attempt("patch")).await?;
        if is(&member, "Deployment.apps") {
            rollouts.push(Rollout::of(member, &applied));
        }
        steps.record_change("Applied", applied.line(member.path(), options.diff));
        Ok::<(), Error>(())
    };
    for member in members.iter().filter(|member| is(member, "Namespace")) {
        one(member).await?;
    }
    // Recorded before the apply, so that the next command finds the objects of one that was killed.
    set.record(connection, members, known).await?;
    let definitions = members.iter().filter(|member| is(member, "CustomResourceDefinition.apiextensions.k8s.io"));
    let mut served = Vec::new();
    for member in definitions {
        one(member).await?;
        served.push(Definition::of(serde_json::to_value(&member.object).unwrap_or_default())?);
    }
    for definition in &served {
        until_served(connection, definition).await?;
    }
    for member in members.iter().filter(|member| !member.is_precious()) {
        one(member).await?;
    }
    Ok(rollouts)
}

/// Returns the objects in `found`, the previously applied objects, that are missing in `members`, the objects of the
/// current deployment. Leaves out Namespaces and CRDs, which the user has to delete.
fn leftovers(found: Vec<Member>, members: &[Member]) -> Vec<Member> {
    let is_left = |found: &Member| !found.is_precious() && !members.iter().any(|member| member.is_same_object(found));
    found.into_iter().filter(is_left).collect()
}

fn summed_up(report: Report) -> Report {
    let count = |action: &str| report.changes.iter().filter(|change| change.action == action).count();
    let parts = [("create", "created"), ("update", "configured"), ("remove", "removed"), ("unchanged", "unchanged")];
    let parts = parts.map(|(action, word)| (count(action), word)).into_iter().filter(|(number, _)| *number > 0);
    let summary = parts.map(|(number, word)| format!("{number} {word}")).collect::<Vec<_>>().join(", ");
    report.summary(format!("objects: {summary}"))
}
