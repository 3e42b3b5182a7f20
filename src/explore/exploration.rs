//! An exploration: two references, a run for each point within the budget, and repeated runs for every suspicion.

use super::choice;
use super::complaints::complaints;
use super::exercise::{self, Exercised};
use super::field;
use super::gate::SILENT;
use super::operator::Launch;
use super::oracles::{judge, judge_undisturbed};
use super::plan::{Class, Plan};
use super::planner::plans;
use super::reference::{Reference, taken};
use super::report::{Finding, Repeats, Summary, finding};
use super::rest::{Patience, Recovery};
use super::run::{Manner, Outcome, disturbed, undisturbed, with_field};
use super::suspicion::{Oracle, Severity, Suspicion};
use super::world::World;
use crate::error::hint;
use crate::report::{Console, Spinner};
use crate::{Error, Result};
use futures_util::StreamExt;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The scope of an exploration, and its limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// New runs begin within this time after the references; without a budget, all points are tried.
    pub budget: Option<Duration>,
    /// Only plans that contain one of these texts are tried; all plans if it is empty.
    pub only: Vec<String>,
    /// The number of concurrent runs. With 1, there is never a second process of the operator.
    pub jobs: usize,
    /// An operator that needs longer than this to reach the state of the reference counts as late.
    pub patience: Duration,
    /// The folder for the kubeconfigs, one for each run.
    pub folder: PathBuf,
}

/// The number of runs in a row that must show a suspicion to confirm it.
const REPEATS: u32 = 3;
/// The factor of the patience in the repeated runs of a suspicion that heals with an event: some operators retry late.
const SECOND_LOOK: u32 = 4;
/// The maximum number of groups of suspicions that are repeated: whoever has so many fixes the first ones.
const GROUPS: usize = 6;
/// The number of concurrent repeated runs for each concurrent first run: most of them only wait.
const WAITING: usize = 2;

struct Explorer<'a> {
    begun: Instant,
    world: Arc<World>,
    options: &'a Options,
    console: &'a Console,
    samples: BTreeSet<String>,
    runs: Cell<u32>,
}

/// Two runs without a fault: as reference, and the findings and the warnings and errors in the log that both show.
struct Undisturbed {
    reference: Reference,
    findings: Vec<Finding>,
    complaints: Vec<String>,
    exercised: Exercised,
}

struct Suspect {
    plan: Plan,
    suspicion: Suspicion,
    outcome: Arc<Outcome>,
}

/// Returns the plans for an operator, without running any of them.
///
/// # Errors
/// Fails like [`explore`].
pub async fn list(world: &Arc<World>, options: &Options, console: &Console) -> Result<Vec<Plan>> {
    let explorer = Explorer::new(world, options, console)?;
    let Undisturbed { reference, .. } = explorer.references().await?;
    explorer.wanted(&reference)
}

/// Explores an operator.
///
/// # Errors
/// Fails if the API server or the operator cannot be used at all. Bugs of the operator are findings, not errors.
pub async fn explore(world: &Arc<World>, options: &Options, console: &Console) -> Result<Summary> {
    let begun = Instant::now();
    let explorer = Explorer::new(world, options, console)?;
    let Undisturbed { reference, findings, complaints, exercised } = explorer.references().await?;
    let mut summary = Summary { findings, masks: reference.masks.list(), complaints, exercised, ..Summary::default() };
    summary.reference_seconds = begun.elapsed().as_secs_f64();
    summary.first_suspicion_seconds = (summary.errors() > 0).then_some(summary.reference_seconds);
    // After these errors, the operator's runs can still be compared with each other.
    let comparable = |finding: &Finding| {
        let of_one_part = [Oracle::Dishonest, Oracle::Revival, Oracle::Denied, Oracle::NotReady];
        finding.severity != Severity::Error || of_one_part.contains(&finding.oracle)
    };
    if summary.findings.iter().all(comparable) {
        explorer.points(&reference, &mut summary).await?;
    }
    summary.seconds = begun.elapsed().as_secs_f64();
    Ok(summary)
}

/// Runs each of `plans` once.
///
/// # Errors
/// Fails like [`explore`].
pub async fn replay(world: &Arc<World>, plans: &[Plan], options: &Options, console: &Console) -> Result<Summary> {
    let begun = Instant::now();
    plans.iter().try_for_each(|plan| field::check(world, plan))?;
    let explorer = Explorer::new(world, options, console)?;
    let Undisturbed { reference, findings, complaints, exercised } = explorer.references().await?;
    let mut summary = Summary {
        findings,
        complaints,
        exercised,
        masks: reference.masks.list(),
        planned: plans.len(),
        reference_seconds: begun.elapsed().as_secs_f64(),
        ..Summary::default()
    };
    let play = |plan| {
        let (explorer, reference) = (&explorer, &reference);
        async move { (explorer.play(plan, reference, explorer.first_look()).await, plan) }
    };
    let mut runs = futures_util::stream::iter(plans).map(play).buffered(options.jobs);
    while let Some((outcome, plan)) = runs.next().await {
        let outcome = outcome?;
        summary.tried += 1;
        if !outcome.reached {
            summary.unreached.push(plan.to_string());
            continue;
        }
        summary.reached += 1;
        let suspicions = judge(plan, &outcome, &reference, &explorer.samples);
        let shown =
            suspicions.iter().map(|found| explorer.found(Some(plan), found, &outcome, &reference, Repeats::default()));
        summary.findings.extend(shown);
    }
    summary.seconds = begun.elapsed().as_secs_f64();
    Ok(summary)
}

impl<'a> Explorer<'a> {
    fn new(world: &Arc<World>, options: &'a Options, console: &'a Console) -> Result<Explorer<'a>> {
        let samples = world.samples.iter().map(|sample| world.collection_of(&sample.object).map(str::to_owned));
        let samples = samples.collect::<Result<_>>()?;
        let begun = Instant::now();
        Ok(Explorer { begun, world: Arc::clone(world), options, console, samples, runs: Cell::new(0) })
    }

    /// Makes a finding, with the lines to paste.
    fn found(
        &self,
        plan: Option<&Plan>,
        suspicion: &Suspicion,
        outcome: &Outcome,
        reference: &Reference,
        repeats: Repeats,
    ) -> Finding {
        let Launch { again, remembers, .. } = &self.world.launch;
        let replay = plan.map(|plan| hint!("{again} --replay {plan} --keep", again, plan));
        let remember = plan.filter(|_| *remembers).map(|plan| hint!("{again} --remember {plan}", again, plan));
        let seconds = (self.begun.elapsed().as_secs_f64() * 10.0).round() / 10.0;
        Finding { replay, remember, seconds, ..finding(plan, suspicion, outcome, reference, repeats) }
    }

    fn namespace(&self) -> String {
        self.runs.set(self.runs.get() + 1);
        format!("explore-{}", self.runs.get())
    }

    /// Records two undisturbed runs.
    async fn references(&self) -> Result<Undisturbed> {
        let _spinner = self.console.spinner("Recording", "two runs without a fault");
        let (one, other) = (self.namespace(), self.namespace());
        let folder = &self.options.folder;
        let (first, second) = (undisturbed(&self.world, &one, folder), undisturbed(&self.world, &other, folder));
        let (first, second) = match self.options.jobs {
            1 => (first.await?, second.await?),
            _ => tokio::try_join!(first, second)?,
        };
        for outcome in [&first, &second] {
            exercise::check(outcome).map_err(|error| error.hint(self.world.launch.by_hand.clone()))?;
        }
        let exercised = Exercised::by(&first.journal);
        let suspicions = |outcome: &Outcome| judge_undisturbed(outcome, &self.samples);
        let others: BTreeSet<_> = suspicions(&second).into_iter().map(|found| (found.oracle, found.key)).collect();
        let (found, outcome) = (suspicions(&first), Arc::new(first));
        let rests =
            |outcome: &Outcome| outcome.rests.iter().map(|rest| (rest.step, rest.state.clone(), rest.took)).collect();
        let elects = outcome.elects && second.elects;
        let complaints = complaints(&outcome.log, &second.log);
        let recorded = [(rests(&outcome), outcome.journal.clone()), (rests(&second), second.journal)];
        let mut reference = Reference::of(recorded);
        reference.elects = elects;
        self.warn_of_collisions(&reference);
        let shared = found.iter().filter(|found| others.contains(&(found.oracle, found.key.clone())));
        let twice = Repeats { shown: 2, of: 2, placebo: 0, placebos: 0 };
        let findings = shared.map(|found| self.found(None, found, &outcome, &reference, twice)).collect();
        Ok(Undisturbed { reference, findings, complaints, exercised })
    }

    /// Warns if two concurrent runs get in each other's way.
    fn warn_of_collisions(&self, reference: &Reference) {
        let [first, second] = &reference.journals[..] else { return };
        let (first, second) = (taken(first), taken(second));
        if let Some((verb, object)) = first.symmetric_difference(&second).next()
            && self.options.jobs > 1
        {
            self.console.warning(format_args!(
                "the API server refuses to {verb} {object} in one of two runs at a time: they share something, such as a node \
                 port; `--jobs 1` explores one run at a time"
            ));
        }
    }

    fn wanted(&self, reference: &Reference) -> Result<Vec<Plan>> {
        let fields: Vec<String> = self.world.samples.iter().flat_map(|sample| sample.fields.clone()).collect();
        let again = &self.world.launch.again;
        choice::chosen(plans(reference, &fields), &self.options.only)
            .map_err(|error| error.hint(hint!("{again} --list    # shows all plans", again)))
    }

    async fn play(&self, plan: &Plan, reference: &Reference, mut manner: Manner) -> Result<Outcome> {
        let namespace = self.namespace();
        if plan.class == Class::Hang {
            manner.patience.time += SILENT;
        }
        if plan.class == Class::Field {
            let other = self.namespace();
            let (world, folder) = (&self.world, &self.options.folder);
            return with_field(world, [&namespace, &other], folder, plan, reference, manner).await;
        }
        disturbed(&self.world, &namespace, &self.options.folder, plan, reference, manner).await
    }

    /// Returns the manner of a first run: with the fault, and with the patience of the options.
    fn first_look(&self) -> Manner {
        Manner { placebo: false, patience: Patience { time: self.options.patience, helps: true } }
    }

    async fn points(&self, reference: &Reference, summary: &mut Summary) -> Result<()> {
        let plans = self.wanted(reference)?;
        summary.planned = plans.len();
        let begun = Instant::now();
        let in_time = |_: &&Plan| self.options.budget.is_none_or(|budget| begun.elapsed() < budget);
        let spinner = self.console.spinner("Exploring", format!("{} points", plans.len()));
        let mut suspects = Vec::new();
        {
            let play = |plan: &Plan| {
                let plan = plan.clone();
                async move { (self.play(&plan, reference, self.first_look()).await, plan) }
            };
            let mut runs = futures_util::stream::iter(plans.iter().take_while(in_time))
                .map(play)
                .buffer_unordered(self.options.jobs);
            while let Some((outcome, plan)) = runs.next().await {
                let outcome = Arc::new(outcome?);
                summary.tried += 1;
                if outcome.reached {
                    summary.reached += 1;
                    summary.exercised.add_field(&plan, &outcome);
                    for suspicion in judge(&plan, &outcome, reference, &self.samples) {
                        let seconds = summary.reference_seconds + begun.elapsed().as_secs_f64();
                        if suspicion.severity == Severity::Error {
                            summary.first_suspicion_seconds.get_or_insert(seconds);
                        }
                        suspects.push(Suspect { plan: plan.clone(), suspicion, outcome: Arc::clone(&outcome) });
                    }
                } else {
                    summary.unreached.push(plan.to_string());
                }
                spinner.set_message(progress(summary, &suspects));
            }
        }
        summary.exercised.count(&plans, summary.tried);
        summary.left = plans.iter().skip(summary.tried).map(ToString::to_string).collect();
        summary.unreached.sort();
        self.confirm(&suspects, reference, summary, &spinner).await
    }

    /// Repeats one plan of each group of suspicions, with the fault and equally often without.
    async fn confirm(
        &self,
        suspects: &[Suspect],
        reference: &Reference,
        summary: &mut Summary,
        spinner: &Spinner,
    ) -> Result<()> {
        let mut groups: BTreeMap<_, Vec<&Suspect>> = BTreeMap::new();
        for suspect in suspects {
            let Suspicion { severity, oracle, key, .. } = &suspect.suspicion;
            groups.entry((*severity, *oracle, key)).or_default().push(suspect);
        }
        let left = groups.values().skip(GROUPS).filter_map(|group| group.first());
        summary.unconfirmed = left.map(|one| format!("{} ({})", one.suspicion.text, one.plan)).collect();
        let mut chosen: Vec<(&Suspect, Vec<&Suspect>)> = groups
            .into_values()
            .take(GROUPS)
            .filter_map(|group| {
                Some((*group.iter().min_by_key(|suspect| (suspect.plan.step, suspect.plan.class))?, group))
            })
            .collect();
        if !chosen.is_empty() {
            spinner.set_message(format!("{} suspicions again, to be sure", chosen.len()));
        }
        let mut repeats =
            self.repeat(&chosen.iter().map(|(suspect, _)| *suspect).collect::<Vec<_>>(), reference).await?;
        // A plan of another class may show reliably what the first one shows only sometimes.
        let others: Vec<(usize, &Suspect)> = (chosen.iter().zip(&repeats).enumerate())
            .filter(|(_, (_, repeats))| !repeats.is_certain())
            .filter_map(|(index, ((first, group), _))| {
                let other = group.iter().find(|other| other.plan.class != first.plan.class)?;
                Some((index, *other))
            })
            .collect();
        let again = self.repeat(&others.iter().map(|(_, suspect)| *suspect).collect::<Vec<_>>(), reference).await?;
        for ((index, suspect), found) in others.into_iter().zip(again).filter(|(_, found)| found.is_certain()) {
            (chosen[index].0, repeats[index]) = (suspect, found);
        }
        let mut shown = BTreeSet::new();
        for ((suspect, group), repeats) in chosen.into_iter().zip(repeats) {
            // A further suspicion of a plan that is already confirmed has the same cause.
            if repeats.is_certain() && !shown.insert(&suspect.plan) {
                continue;
            }
            let Suspect { plan, suspicion, outcome } = suspect;
            let mut found = self.found(Some(plan), suspicion, outcome, reference, repeats);
            let others = group.iter().filter(|other| other.plan != suspect.plan);
            found.also = others.map(|other| other.plan.to_string()).collect();
            if repeats.is_certain() { summary.findings.push(found) } else { summary.flaky.push(found) }
        }
        Ok(())
    }

    /// Repeats each suspicion, and returns how often it is seen again.
    async fn repeat(&self, suspects: &[&Suspect], reference: &Reference) -> Result<Vec<Repeats>> {
        let mut repeats = vec![Repeats { of: REPEATS, placebos: REPEATS, ..Repeats::default() }; suspects.len()];
        let each =
            |index| [false, true].into_iter().cycle().take(2 * REPEATS as usize).map(move |placebo| (index, placebo));
        let play = |(index, placebo): (usize, bool)| async move {
            let Suspect { plan, suspicion, .. } = suspects[index];
            let time = match suspicion.heals {
                Some(Recovery::NextEvent) if suspicion.severity == Severity::Error => {
                    self.options.patience * SECOND_LOOK
                }
                _ => self.options.patience,
            };
            let patience = Patience { time, helps: false };
            let outcome = self.play(plan, reference, Manner { placebo, patience }).await?;
            let found = judge(plan, &outcome, reference, &self.samples);
            let again = found.iter().any(|found| (found.oracle, &found.key) == (suspicion.oracle, &suspicion.key));
            Ok::<_, Error>((index, placebo, again))
        };
        let order = (0..suspects.len()).flat_map(each);
        let at_a_time = if self.options.jobs == 1 { 1 } else { WAITING * self.options.jobs };
        let mut runs = futures_util::stream::iter(order).map(play).buffer_unordered(at_a_time);
        while let Some(run) = runs.next().await {
            match run? {
                (index, false, true) => repeats[index].shown += 1,
                (index, true, true) => repeats[index].placebo += 1,
                _ => {}
            }
        }
        Ok(repeats)
    }
}

fn progress(summary: &Summary, suspects: &[Suspect]) -> String {
    let (tried, planned) = (summary.tried, summary.planned);
    let suspicious: BTreeSet<&Plan> = suspects.iter().map(|suspect| &suspect.plan).collect();
    match suspicious.len() {
        0 => format!("{tried} of {planned} points"),
        number => format!("{tried} of {planned} points, {number} of them to look at again"),
    }
}
