//! `deploy` and `undeploy`: the operator into the cluster, and out of it.

mod apply_set;
mod member;
mod namespace;
mod objects;
mod rollout;
mod undeploy;

pub use objects::{check_image, rendered_objects};
pub use undeploy::{UndeployOptions, undeploy};

use self::apply_set::{ApplySet, Known};
use self::member::{Member, kinds, members};
use super::apply::{Applied, Apply};
use super::install::until_served;
use super::{Attempt, Connection, Definition, Target, request_error, run};
use crate::report::{ChangeLine, Console, Outcome, Report};
use crate::{Error, Result};
use kube::api::DeleteParams;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// How to deploy.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub struct DeployOptions {
    /// The cluster.
    pub target: Target,
    /// How long to wait in all.
    pub timeout: Duration,
    /// The image of the operator; `None` for the one that the manifests name.
    pub image: Option<String>,
    /// Take over fields that others manage.
    pub force_conflicts: bool,
    /// Let the server check everything and keep nothing.
    pub dry_run: bool,
    /// Show what changes.
    pub diff: bool,
    /// Wait until the operator runs.
    pub wait: bool,
}

/// Applies what `config/default` of the project `name` at `root` renders, prunes what was applied before and is no longer
/// rendered, and waits until the operator runs.
///
/// # Errors
/// What cannot be rendered, everything that the server refuses, fields that others manage, an operator that does not
/// come up.
pub fn deploy(name: &str, root: &Path, options: &DeployOptions, console: &Console) -> Result<Report> {
    let objects = rendered_objects(root, options.image.as_deref())?;
    // Some time is kept for finding out why the operator does not run.
    let deadline = Instant::now() + options.timeout.saturating_sub((options.timeout / 4).min(Duration::from_secs(5)));
    run(options.timeout, async {
        let connection = Connection::open(&options.target).await?;
        let steps = Steps { command: "deploy", console };
        steps.say("Context", &format!("{} ({})", connection.context, connection.server));
        let mut members = members(&kinds(&connection).await?, &objects)?;
        let set = ApplySet::of(name, &members)?;
        let known = set.known(&connection).await?;
        for member in &mut members {
            set.claim(member);
        }
        let rehearsal = rehearse(&connection, &members, &set, options).await?;
        let leftovers = match &known {
            Some(known) => leftovers(set.objects(&connection, known).await?, &members),
            None => Vec::new(),
        };
        let mut report = Report::new("deploy", Outcome::DryRun);
        report.show_unchanged = true;
        report.warnings.clone_from(&rehearsal.unchecked);
        report.changes = rehearsal.lines;
        if options.dry_run {
            report.changes.extend(leftovers.iter().map(removed));
            return Ok(summed_up(report));
        }
        steps.say("Applying", &format!("{} objects", members.len()));
        apply_all(&connection, &members, &set, known.unwrap_or_default(), options, &steps).await?;
        for member in &leftovers {
            delete(&connection, member).await?;
            steps.detail("Pruned", &member.path());
            report.changes.push(removed(member));
        }
        set.record(&connection, &members, Known::default()).await?;
        if options.wait {
            for member in members.iter().filter(|member| member.group_kind() == "Deployment.apps") {
                rollout::wait(&connection, member, deadline, |message| steps.say("Waiting", message)).await?;
            }
        }
        let changed = report.changes.iter().any(|change| change.action != "unchanged");
        report.outcome = if changed { Outcome::Changed } else { Outcome::Unchanged };
        Ok(summed_up(report))
    })
}

/// What is said on the way: status lines, and a line of JSON each where that is wanted.
struct Steps<'a> {
    command: &'static str,
    console: &'a Console,
}

impl Steps<'_> {
    fn say(&self, verb: &'static str, message: &str) {
        if self.console.json() {
            let data = json!({ "step": verb.to_lowercase(), "message": message });
            self.console.report_line(&Report { data: Some(data), ..Report::new(self.command, Outcome::Shown) });
        } else {
            self.console.status(verb, message);
        }
    }

    /// Says what the report says too, in the end: with JSON, or where more was asked for.
    fn detail(&self, verb: &'static str, message: &str) {
        if self.console.json() || self.console.verbose() {
            self.say(verb, message);
        }
    }
}

struct Rehearsal {
    lines: Vec<ChangeLine>,
    unchecked: Vec<String>,
}

/// Lets the server check each object before any is applied: all conflicts are known then.
async fn rehearse(
    connection: &Connection,
    members: &[Member],
    set: &ApplySet,
    options: &DeployOptions,
) -> Result<Rehearsal> {
    let apply = Apply { force_conflicts: options.force_conflicts, dry_run: true };
    let mut rehearsal = Rehearsal { lines: Vec::new(), unchecked: Vec::new() };
    let mut conflicts = Vec::new();
    let mut missing = BTreeSet::new();
    for member in members {
        let live = member.live(connection).await?;
        if live.is_none() && member.group_kind() == "Namespace" {
            missing.insert(member.name());
        }
        let absent = member.namespace().filter(|namespace| missing.contains(namespace));
        if let Some(namespace) = absent {
            let applied = Applied { before: None, after: member.object.clone() };
            rehearsal.lines.push(applied.line(member.path(), options.diff));
            let unchecked =
                format!("the API server did not check the objects in `{namespace}`: the namespace does not exist yet");
            if options.dry_run && !rehearsal.unchecked.contains(&unchecked) {
                rehearsal.unchecked.push(unchecked);
            }
            continue;
        }
        let owner = live.as_ref().and_then(ApplySet::of_object).filter(|owner| *owner != set.id());
        if let (Some(owner), false) = (owner, options.force_conflicts) {
            conflicts.push(format!("`{}` belongs to another deployment, `{owner}`", member.path()));
            continue;
        }
        let api = member.api(&connection.client);
        match apply.onto(live, &api, &member.resource.plural, &member.object).await? {
            Ok(applied) => rehearsal.lines.push(applied.line(member.path(), options.diff)),
            Err(error) => {
                let fields = conflicting_fields(&error);
                if fields.is_empty() {
                    let attempt = Attempt { verb: "patch", resource: &member.resource.plural, name: member.name() };
                    return Err(request_error(&error, connection, attempt));
                }
                conflicts.extend(fields.iter().map(|field| format!("`{}`: {field}", member.path())));
            }
        }
    }
    if conflicts.is_empty() { Ok(rehearsal) } else { Err(refusal(&conflicts, options)) }
}

/// The fields that others manage, and who does.
fn conflicting_fields(error: &kube::Error) -> Vec<String> {
    let kube::Error::Api(status) = error else { return Vec::new() };
    if status.code != 409 || status.reason != "Conflict" {
        return Vec::new();
    }
    let causes = status.details.iter().flat_map(|details| &details.causes);
    let causes: Vec<String> = causes.map(|cause| format!("{}: {}", cause.field, cause.message)).collect();
    if causes.is_empty() { vec![status.message.clone()] } else { causes }
}

fn refusal(conflicts: &[String], options: &DeployOptions) -> Error {
    let error = Error::conflict("some fields are managed by somebody else, and nothing was applied");
    let error = conflicts.iter().fold(error, Error::caused_by);
    let image = options.image.as_ref().map(|image| format!(" --image {image}")).unwrap_or_default();
    error.hint(format!("opctl deploy{image} --force-conflicts    # takes these fields over"))
}

async fn apply_all(
    connection: &Connection,
    members: &[Member],
    set: &ApplySet,
    known: Known,
    options: &DeployOptions,
    steps: &Steps<'_>,
) -> Result<()> {
    let apply = Apply { force_conflicts: options.force_conflicts, dry_run: false };
    let is = |member: &&Member, kind: &str| member.group_kind() == kind;
    let one = async |member: &Member| {
        let api = member.api(&connection.client);
        let applied = apply.object(connection, &api, &member.resource.plural, &member.object).await?;
        steps.detail("Applied", &member.path());
        Ok::<Applied, Error>(applied)
    };
    for member in members.iter().filter(|member| is(member, "Namespace")) {
        one(member).await?;
    }
    // Written down first: what a killed command leaves is found by the next one.
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
    Ok(())
}

/// What was applied before and is no longer wanted. Namespaces and definitions are left for a person to delete.
fn leftovers(found: Vec<Member>, members: &[Member]) -> Vec<Member> {
    let is_left = |found: &Member| !found.is_precious() && !members.iter().any(|member| member.is(found));
    found.into_iter().filter(is_left).collect()
}

async fn delete(connection: &Connection, member: &Member) -> Result<()> {
    let attempt = Attempt { verb: "delete", resource: &member.resource.plural, name: member.name() };
    match member.api(&connection.client).delete(member.name(), &DeleteParams::background()).await {
        Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
        other => other.map(drop).map_err(|error| request_error(&error, connection, attempt)),
    }
}

fn removed(member: &Member) -> ChangeLine {
    ChangeLine { action: "remove".to_owned(), path: member.path(), diff: None }
}

fn summed_up(report: Report) -> Report {
    let count = |action: &str| report.changes.iter().filter(|change| change.action == action).count();
    let parts = [("create", "created"), ("update", "configured"), ("remove", "removed"), ("unchanged", "unchanged")];
    let parts = parts.map(|(action, word)| (count(action), word)).into_iter().filter(|(number, _)| *number > 0);
    let summary = parts.map(|(number, word)| format!("{number} {word}")).collect::<Vec<_>>().join(", ");
    report.summary(format!("objects: {summary}"))
}
