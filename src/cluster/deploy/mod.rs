//! `deploy` and `undeploy`: the operator into the cluster, and out of it.

mod apply_set;
mod denied;
mod member;
mod namespace;
mod objects;
mod rehearsal;
mod rollout;
mod undeploy;

pub use objects::{check_image, rendered_objects};
pub use undeploy::{UndeployOptions, undeploy};

use self::apply_set::{ApplySet, Known};
use self::member::{Member, kinds, members};
use self::rehearsal::rehearse;
use self::rollout::Rollout;
use super::apply::Apply;
use super::install::until_served;
use super::{Connection, Definition, Target, request_error, run_until_interrupted};
use crate::error::Category;
use crate::report::{ChangeLine, Console, Outcome, Report};
use crate::{Error, Result};
use kube::api::DeleteParams;
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::time::{Duration, Instant};

/// Options of `deploy`.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub struct DeployOptions {
    /// The cluster.
    pub target: Target,
    /// Time limit of the whole command.
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
/// Manifests that cannot be rendered, everything that the server refuses, fields that others manage, an operator that does
/// not come up.
pub fn deploy(name: &str, root: &Path, options: &DeployOptions, console: &Console) -> Result<Report> {
    let objects = rendered_objects(root, options.image.as_deref(), "deploy", &options.target)?;
    // Some time is kept for finding out why the operator does not run.
    let deadline = Instant::now() + options.timeout.saturating_sub((options.timeout / 4).min(Duration::from_secs(5)));
    let steps = Steps::new("deploy", console);
    let deployed = run_until_interrupted(&options.target, options.timeout, async {
        let connection = Connection::open(&options.target, console).await?;
        steps.say("Context", &format!("{} ({})", connection.context, connection.server));
        let mut members = members(&kinds(&connection).await?, &objects)?;
        let set = ApplySet::of(name, &members)?;
        let known = set.known(&connection).await?;
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
            format!("{plural} that are no longer in `config/default` stay, if there are any: you may not list {plural}")
        }));
        if options.dry_run {
            report.changes = lines;
            report.changes.extend(leftovers.iter().map(removed));
            return Ok(summed_up(report));
        }
        report.told = true;
        let all = members.clone();
        members.retain(|member| !kept.contains(&member.path()));
        let plural = if members.len() == 1 { "" } else { "s" };
        steps.say("Applying", &format!("{} object{plural}", members.len()));
        for path in kept {
            steps.done("Kept", ChangeLine { action: "unchanged".to_owned(), path, diff: None });
        }
        let rollouts = apply_all(&connection, &members, &set, known.unwrap_or_default(), options, &steps).await?;
        for member in &leftovers {
            delete(&connection, member).await?;
            steps.done("Pruned", removed(member));
        }
        set.record(&connection, &all, Known::default()).await?;
        steps.complete.set(true);
        for rollout in rollouts.iter().filter(|_| options.wait) {
            rollout.wait(&connection, deadline, |message| steps.say("Waiting", message)).await?;
        }
        report.changes = steps.changes.take();
        let changed = report.changes.iter().any(|change| change.action != "unchanged");
        report.outcome = if changed { Outcome::Changed } else { Outcome::Unchanged };
        Ok(summed_up(report))
    });
    deployed.map_err(|error| steps.so_far(error, "applied"))
}

/// Reports progress: a status line for each step, or a line of JSON.
struct Steps<'a> {
    command: &'static str,
    console: &'a Console,
    /// Objects that have been applied or deleted.
    changes: RefCell<Vec<ChangeLine>>,
    /// True once nothing is left to apply.
    complete: Cell<bool>,
}

impl<'a> Steps<'a> {
    fn new(command: &'static str, console: &'a Console) -> Self {
        Steps { command, console, changes: RefCell::default(), complete: Cell::new(false) }
    }

    fn say(&self, verb: &'static str, message: &str) {
        if self.console.json() {
            let data = json!({ "step": verb.to_lowercase(), "message": message });
            self.console.report_line(&Report { data: Some(data), ..Report::new(self.command, Outcome::Shown) });
        } else {
            self.console.status(verb, message);
        }
    }

    /// Says what has been done to an object, which the report says too.
    fn done(&self, step: &'static str, change: ChangeLine) {
        if self.console.json() {
            self.say(step, &change.path);
        } else {
            self.console.status(&change.action, &change.path);
        }
        self.changes.borrow_mut().push(change);
    }

    /// Adds what had been done before the error, where that is not what the error is about.
    fn so_far(&self, error: Error, done: &str) -> Error {
        let is_interrupt = error.category() == Category::Interrupted;
        match (self.changes.borrow().as_slice(), self.complete.get()) {
            ([], _) if is_interrupt => error.caused_by(format!("nothing was {done} yet")),
            (_, true) if is_interrupt => error.caused_by("everything was applied; whether it runs is not known"),
            ([], _) | (_, true) => error,
            (changes @ [.., last], false) => error.caused_by(format!(
                "objects that were {done} before: {}, the last is `{}`",
                changes.len(),
                last.path
            )),
        }
    }
}

async fn apply_all(
    connection: &Connection,
    members: &[Member],
    set: &ApplySet,
    known: Known,
    options: &DeployOptions,
    steps: &Steps<'_>,
) -> Result<Vec<Rollout>> {
    let apply = Apply { force_conflicts: options.force_conflicts, dry_run: false };
    let is = |member: &&Member, kind: &str| member.group_kind() == kind;
    let mut rollouts = Vec::new();
    let mut one = async |member: &Member| {
        let api = member.api(&connection.client);
        let applied = apply.object(connection, &api, &member.object, member.attempt("patch")).await?;
        if is(&member, "Deployment.apps") {
            rollouts.push(Rollout::of(member, &applied));
        }
        steps.done("Applied", applied.line(member.path(), options.diff));
        Ok::<(), Error>(())
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
    Ok(rollouts)
}

/// Finds the objects that were applied before and are no longer wanted. Namespaces and definitions are left for a person to delete.
fn leftovers(found: Vec<Member>, members: &[Member]) -> Vec<Member> {
    let is_left = |found: &Member| !found.is_precious() && !members.iter().any(|member| member.is(found));
    found.into_iter().filter(is_left).collect()
}

async fn delete(connection: &Connection, member: &Member) -> Result<()> {
    let attempt = member.attempt("delete");
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
