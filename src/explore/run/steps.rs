//! Runs the scenario: the steps up to the step of the plan's fault, then the deletion of the samples.

use super::faults;
use super::field_run::{self, Changed};
use super::held::UnwellObservations;
use super::readiness;
use super::reference::Reference;
use super::run_environment::{GLANCE, Site};
use super::settle::{self, Patience, Rest};
use crate::Result;
use crate::explore::plan::fault_plan::{Class, Plan, Step};
use crate::explore::proxy::gate::Gate;
use crate::explore::record::journal::Entry;
use crate::explore::record::random_names::Names;
use crate::explore::server::operator::Line;
use crate::explore::server::shared_server::World;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The result of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// True if the run reached the point at which the plan injects its fault.
    pub reached: bool,
    pub rests: Vec<Rest>,
    pub journal: Vec<Entry>,
    pub log: Vec<Line>,
    /// True if an object lost the annotation that opctl had written to it as another client.
    pub foreign_lost: bool,
    /// The range of journal entries during a fault that was injected while the operator was at rest; `None` if no such
    /// fault was injected.
    pub at_rest: Option<Range<usize>>,
    /// True if the operator holds a lease.
    pub elects: bool,
    /// The samples that never became ready in a run without a fault, each with the reason.
    pub unready: BTreeMap<String, String>,
    /// The samples whose readiness depends on the order of creation, each with the reason why the sample is not ready.
    /// Such a sample became ready when the samples were first created, but not when all samples were deleted and
    /// created again in the reverse order.
    pub order: BTreeMap<String, String>,
    /// The requests for leases and events that the API server denied, as verb and resource. The names are left out,
    /// because the names of events differ from run to run.
    pub denied: BTreeSet<String>,
    /// The objects that the operator has written outside of the run's scope.
    pub shared: BTreeSet<String>,
    /// The result of a plan that changes a field of a sample; `None` for other plans, or if the test of the field was
    /// not completed.
    pub changed: Option<Changed>,
    /// The observations while pods, Jobs or volume claims were unhealthy; `None` if opctl did not observe such a
    /// failure.
    pub held: Option<UnwellObservations>,
    /// True if the operator still works on other objects while it waits without a time limit for a response that never
    /// comes; false if the operator works on nothing else; `None` if the operator never waits in this way.
    pub works_on_another: Option<bool>,
}

/// The time limit for the operator to send the plan's target write; opctl kills the operator after this write. opctl
/// deletes the samples after the kill, or at the time limit if the operator never sends the write.
const ABANDONED: Duration = Duration::from_secs(10);

/// Runs all steps without a fault. After the operator has come to rest, waits up to `ready_within` for ready samples.
pub async fn run_undisturbed(
    world: &Arc<World>,
    namespace: &str,
    folder: &Path,
    ready_within: Duration,
) -> Result<Outcome> {
    let site = without_fault(world, namespace, folder).await?;
    let (mut rests, mut unready, mut order) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    for step in Step::ALL {
        site.begin_step(step, None);
        site.play(step).await?;
        let mut rest = settle::first(&site, step).await?;
        if step == Step::Create {
            let (found, waited) = readiness::wait(&site, ready_within).await?;
            unready = found;
            if waited && unready.is_empty() {
                rest = settle::first(&site, step).await?;
            }
        } else if !step.deletes() && !unready.is_empty() {
            let now = readiness::unready_samples(&site).await?;
            unready.retain(|object, _| now.contains_key(object));
        }
        if step == Step::Recreate && world.samples.len() > 1 {
            let (found, waited) = readiness::wait(&site, readiness::LATE).await?;
            order = found.into_iter().filter(|(object, _)| !unready.contains_key(object)).collect();
            if waited && order.is_empty() {
                rest = settle::first(&site, step).await?;
            }
        }
        // Samples that are not gone cannot be created again.
        let stays = step.deletes() && world.samples.iter().any(|sample| site.has_sample(&rest.state, &sample.object));
        let ends = rest.restless || stays;
        rests.push(rest);
        if ends {
            break;
        }
    }
    Ok(Outcome { unready, order, ..outcome(&site, rests) })
}

/// Creates the samples without a fault, and returns true if they become ready within [`readiness::LATE`].
pub async fn becomes_ready(world: &Arc<World>, namespace: &str, folder: &Path) -> Result<bool> {
    let site = without_fault(world, namespace, folder).await?;
    site.play(Step::Create).await?;
    settle::first(&site, Step::Create).await?;
    Ok(readiness::wait(&site, readiness::LATE).await?.0.is_empty())
}

async fn without_fault(world: &Arc<World>, namespace: &str, folder: &Path) -> Result<Site> {
    Site::begin(world, namespace, folder, Gate::new(false, Names::default()), BTreeSet::new(), None).await
}

/// The settings of a run: with or without the fault, and the time limits.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// True to replace the fault with a short pause.
    pub placebo: bool,
    pub patience: Patience,
}

/// Runs the scenario with the fault of a plan.
pub async fn run_disturbed(
    world: &Arc<World>,
    namespace: &str,
    folder: &Path,
    plan: &Plan,
    reference: &Reference,
    manner: Manner,
) -> Result<Outcome> {
    let Manner { placebo, patience } = manner;
    let gate = Gate::new(placebo, reference.names.clone());
    // A child that the operator has not made before the deletion, such as a claim that outlives its owner, may be missing.
    let known = if plan.class == Class::Abandon { BTreeSet::new() } else { reference.resources() };
    let mut site = Site::begin(world, namespace, folder, gate, known, Some(plan)).await?;
    if plan.class == Class::HandOver {
        site.start_standby().await?;
    }
    let (mut rests, mut foreign_lost, mut at_rest, mut handed_over) = (Vec::new(), false, None, None);
    for &step in plan.step.way() {
        site.begin_step(step, Some(plan));
        let mut version = String::new();
        if step == plan.step {
            version = faults::before_step(&site, plan).await?;
        }
        site.play(step).await?;
        if step == plan.step {
            handed_over = faults::after_step(&site, plan).await?;
        }
        if step == plan.step && plan.class == Class::Abandon && !placebo {
            rests.push(abandon(&site, reference, manner).await?);
            break;
        }
        rests.push(settle::like(&site, step, reference, patience).await?);
        if !healthy(&rests) {
            break;
        }
        if step == plan.step {
            foreign_lost = site.gate.has_foreign() && is_foreign_lost(&site, plan).await?;
            let state = rests.last().map(|rest| rest.state.clone()).unwrap_or_default();
            at_rest = faults::at_rest(&site, plan, &state, &version).await?;
            if at_rest.is_some() {
                rests.push(settle::like(&site, step, reference, patience).await?);
            }
        }
    }
    // A run that already differs would only differ again.
    let deleted = rests.last().is_some_and(|rest| rest.step.deletes());
    if healthy(&rests) && site.gate.has_injected_faults() && !deleted {
        site.gate.begin_step(Step::Delete, None);
        site.play(Step::Delete).await?;
        rests.push(settle::like(&site, Step::Delete, reference, patience).await?);
    }
    let mut outcome = outcome(&site, rests);
    // A suspension without a hand-over says nothing about two replicas.
    outcome.reached &= plan.class != Class::HandOver || placebo || handed_over.is_some();
    Ok(Outcome { foreign_lost, at_rest: at_rest.or(handed_over), ..outcome })
}

/// Changes a field of a sample in one namespace, creates the samples with the new value in a second namespace, and
/// compares the results.
pub async fn with_field(
    world: &Arc<World>,
    namespaces: [&str; 2],
    folder: &Path,
    plan: &Plan,
    reference: &Reference,
    manner: Manner,
) -> Result<Outcome> {
    let Manner { placebo, patience } = manner;
    let gate = Gate::new(placebo, reference.names.clone());
    let site = Site::begin(world, namespaces[0], folder, gate, reference.resources(), None).await?;
    site.play(Step::Create).await?;
    let created = settle::like(&site, Step::Create, reference, patience).await?;
    if !created.differences.is_empty() || created.restless {
        return Ok(outcome(&site, vec![created]));
    }
    let (rests, later) = field_run::later(&site, plan, reference, patience).await?;
    let mut outcome = outcome(&site, rests);
    site.operator.kill();
    if let (Some(later), false) = (later, placebo) {
        let start = field_run::from_the_start(world, namespaces[1], folder, plan, reference, &later);
        outcome.changed = Some(start.await?);
    }
    Ok(outcome)
}

/// Deletes the samples as soon as the operator is killed, and waits until the restarted operator comes to rest.
async fn abandon(site: &Site, reference: &Reference, manner: Manner) -> Result<Rest> {
    let begun = Instant::now();
    while !site.gate.has_injected_faults() && begun.elapsed() < ABANDONED {
        tokio::time::sleep(GLANCE).await;
    }
    site.gate.begin_step(Step::Delete, None);
    site.play(Step::Delete).await?;
    settle::like(site, Step::Delete, reference, manner.patience).await
}

/// Returns true if the last step of a run ended as expected: the operator came to rest, and the objects were the same
/// as in the reference. After any other end, further steps are useless, because the objects would differ after these
/// steps as well.
pub fn healthy(rests: &[Rest]) -> bool {
    rests.last().is_none_or(|rest| rest.differences.is_empty() && !rest.restless)
}

/// Returns the outcome of a run so far.
pub fn outcome(site: &Site, rests: Vec<Rest>) -> Outcome {
    let (reached, elects, journal) =
        (site.gate.has_injected_faults(), site.gate.has_written_lease(), site.gate.journal());
    let log = site.operator.log();
    let (denied, shared) = (site.gate.denied_requests(), site.scope.shared_objects());
    Outcome { reached, rests, journal, log, elects, denied, shared, ..Outcome::default() }
}

/// Returns true if the object of the plan's request lacks the annotation that opctl wrote as another client.
async fn is_foreign_lost(site: &Site, plan: &Plan) -> Result<bool> {
    let request = plan.request().map(|(request, _)| request).unwrap_or_default();
    let mut parts = request.split_once(':').map_or("", |(_, object)| object).split('/');
    let (Some(resource), Some(name)) = (parts.next(), parts.next()) else { return Ok(false) };
    site.world.lacks_foreign(&site.path(&format!("{resource}/{name}"))?).await
}
