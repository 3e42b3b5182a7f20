//! Runs the tests of the deployed operator.

use super::args::{EndToEndArgs, On};
use super::checks::Checks;
use super::cluster::{self, Cluster};
use super::own_tests;
use super::test_images::{self, Prepared};
use crate::cluster::{
    DeployOptions, Place, UndeployOptions, deploy, has_webhooks, last_words, metrics_need_rights, nothing_is_there,
    remove_samples, restart, samples_become_ready, undeploy, update_loses_nothing, webhooks_answer,
};
use crate::commands::context::{Context, tell};
use crate::commands::operator_program::project;
use crate::commands::steps;
use crate::commands::test::args::TestArgs;
use crate::error::{Hint, hint};
use crate::exec::interrupts;
use crate::report::Report;
use crate::{Error, Result};
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

/// Tests the deployed operator: prepares the images and the cluster, and runs the checks.
///
/// # Errors
/// Fails if a step before the checks fails, or if the user interrupts. Failed checks are in the report.
pub(in crate::commands::test) fn run(args: &TestArgs, root: &Path, context: &Context) -> Result<Report> {
    let begun = Instant::now();
    let flags = &args.end_to_end;
    cluster::check(flags)?;
    steps::manifests(context, &[])?;
    let Some(project) = project(root) else { return Err(Error::bug("`PROJECT` has become unreadable")) };
    let images = test_images::prepare(flags, &project, context)?;
    let mut cluster = cluster::open(flags, context)?;
    let place = Place {
        project: &project,
        root,
        image: &images.operator,
        target: cluster.target(),
        remote: flags.remote.remote(),
        timeout: flags.timeout,
    };
    let objects = nothing_is_there(&place, &context.console)?;
    images.load(&cluster, context)?;
    let mut checks = Checks::new();
    let made = make(&mut checks, args, &place, &images, &objects, &cluster, context);
    let made = checks.outcome(made);
    // A server that has ended is the reason why checks failed.
    cluster.check()?;
    if checks.have_failed() {
        show_log(&place, context);
    }
    let on_node = flags.on == On::Node;
    if args.keep_running && made.is_ok() {
        if on_node {
            keep_running(&mut cluster, &place, context)?;
        }
    } else if made.is_err() {
        // What was interrupted leaves nothing either. A node goes with all that is on it.
        if !on_node && let Err(error) = undeploy_operator(&place, context) {
            tell("test", &error, &context.console);
        }
        made?;
    } else {
        checks.make("nothing is left after `opctl undeploy`", context, || undeploy_operator(&place, context))?;
    }
    drop(cluster);
    let report =
        checks.report(flags.on.name(), &images.operator, begun.elapsed().as_secs_f64(), &repeat_command(flags));
    if args.keep_running && !on_node {
        return Ok(report.next(place.target.opctl("undeploy")));
    }
    Ok(report)
}

fn make(
    checks: &mut Checks,
    args: &TestArgs,
    place: &Place,
    images: &Prepared,
    objects: &[Value],
    cluster: &Cluster,
    context: &Context,
) -> Result<()> {
    let console = &context.console;
    let deploy_image = |image: &str| {
        let options = DeployOptions {
            target: place.target.clone(),
            timeout: place.timeout,
            remote: place.remote,
            image: Some(image.to_owned()),
            force_conflicts: false,
            dry_run: false,
            diff: false,
            wait: true,
        };
        deploy(place.project, place.root, &options, console).map(drop)
    };
    let first = images.earlier.as_deref().unwrap_or(place.image);
    let runs = checks.make("the operator runs", context, || deploy_image(first))?;
    if runs.is_none() {
        return Ok(());
    }
    let unfinished = checks.make("samples become ready", context, || samples_become_ready(place, console))?;
    let were_ready = unfinished.is_some();
    for unfinished in unfinished.into_iter().flatten() {
        console.warning(unfinished);
    }
    let update = || {
        if images.earlier.is_none() {
            restart(place, console)?;
        }
        deploy_image(place.image)
    };
    checks.make("an update loses nothing", context, || {
        update_loses_nothing(place, console, update)?;
        // What was not ready before is reported already.
        if were_ready { samples_become_ready(place, console).map(drop) } else { Ok(()) }
    })?;
    let are_secured = checks.make("metrics need rights", context, || metrics_need_rights(place, objects, console))?;
    if are_secured == Some(false) {
        console.note("`config/default` has no Service for secured metrics: the metrics were not checked");
    }
    if has_webhooks(objects) {
        checks.make("webhooks answer", context, || webhooks_answer(place, console))?;
    }
    if own_tests::are_there(place.root) {
        checks.make("`tests/e2e` passes", context, || own_tests::run(args, place.root, cluster, context))?;
    }
    Ok(())
}

/// Deletes the samples and the operator. Fails if one of their objects is left in the cluster.
fn undeploy_operator(place: &Place, context: &Context) -> Result<()> {
    let console = &context.console;
    let options = UndeployOptions {
        target: place.target.clone(),
        timeout: place.timeout,
        remote: place.remote,
        force: false,
        dry_run: false,
        wait: true,
    };
    let removed = remove_samples(place, console);
    let report = undeploy(place.project, place.root, &options, console)?;
    removed?;
    if let Some(kept) = report.warnings.first() {
        return Err(report.warnings[1..]
            .iter()
            .fold(Error::user("`opctl undeploy` leaves objects in the cluster").caused_by(kept), Error::caused_by));
    }
    nothing_is_there(place, console).map(drop)
}

fn show_log(place: &Place, context: &Context) {
    match last_words(place, &context.console) {
        Ok(text) => context.console.lines(text.trim_end()),
        // The failure that the log would explain is reported in any case.
        Err(error) => tell("test", &error, &context.console),
    }
}

/// Keeps the cluster running until an interrupt; fails if a server ends before the interrupt.
fn keep_running(cluster: &mut Cluster, place: &Place, context: &Context) -> Result<()> {
    let interrupts = interrupts();
    let kubeconfig = place.target.kubeconfig.clone().unwrap_or_default();
    context.console.status("Serving", "until Ctrl+C; in another shell, run:");
    context.console.lines(hint!("export KUBECONFIG={}", kubeconfig.display()).as_str());
    while !interrupts.came_within(Duration::from_millis(200)) {
        cluster.check()?;
    }
    Ok(())
}

/// Returns the command line that repeats the tests and leaves the operator in the cluster.
fn repeat_command(flags: &EndToEndArgs) -> Hint {
    let on = flags.on.name();
    let image = flags.image.as_ref().map(|image| hint!(" --image {image}", image)).unwrap_or_default();
    let from = flags.from.as_ref().map(|image| hint!(" --from {image}", image)).unwrap_or_default();
    hint!("opctl test --e2e --on {on}{from}{image} --keep-running    # to inspect the operator", on, from, image)
}
