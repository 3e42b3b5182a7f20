//! Searches for bugs: performs a run for each plan within the time budget. As soon as a run shows a suspicion, repeats
//! the run to confirm the suspicion.

use super::cause::{Group, REPEATS, Result as Cause, Suspect};
use super::explorer::Explorer;
use super::pairs::Coverage;
use super::planner::likeness;
use crate::Result;
use crate::explore::judge::oracles::judge;
use crate::explore::judge::suspicion::{Oracle, Severity, Suspicion};
use crate::explore::plan::fault_plan::{Class, Plan};
use crate::explore::record::journal::Entry;
use crate::explore::report::text::{Finding, Repeats, Summary};
use crate::explore::run::reference::Reference;
use crate::explore::run::settle::{Patience, Recovery};
use crate::explore::run::steps::{Manner, Outcome};
use crate::explore::run::unanswered::LIMIT;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// The factor by which repeated runs have a longer time limit than the first run. It applies if, in the first run, the
/// objects became equal to the reference only after opctl had touched the samples, that is, had caused an event for
/// each sample. The operator may not need these events: some operators retry late, and may succeed by themselves within
/// the longer time limit.
const SECOND_LOOK: u32 = 4;
/// The maximum number of groups that opctl tries to confirm by repeated runs. A group contains suspicions of the same
/// cause. Further groups are reported as unconfirmed, because the user already has enough bugs to fix.
const GROUPS: usize = 6;
/// The estimated time for the repeated runs that remain after all plans were tried.
const REPEATS_WITHIN: Duration = Duration::from_secs(12);
/// The factor that raises the limit of concurrent repeated runs after all plans were tried. The machine can perform
/// more of these runs at the same time, because they mostly wait.
const WAITING: usize = 2;

/// The state and the findings of a search.
#[derive(Default)]
pub struct Search {
    pub summary: Summary,
    /// The finding that samples never become ready, while this finding is still uncertain: a further run without a
    /// fault
    /// waits longer for the samples, at the same time as the runs with a fault. `None` before and after this further
    /// run.
    pub waits_for: Option<Finding>,
    groups: Vec<Group>,
    /// The repeated runs that have not begun yet.
    again: VecDeque<Again>,
    tried: BTreeSet<Plan>,
    all: Vec<Plan>,
    coverage: Coverage,
    pairs: VecDeque<Plan>,
    /// True if it is the turn of plans with two faults, which alternate with plans with one fault.
    turns_to_pairs: bool,
}

/// A repeated run of a group's plan.
#[derive(Clone)]
struct Again {
    group: usize,
    plan: Plan,
    /// The oracle and the key of each suspicion that the repeated run may show again.
    keys: Vec<(Oracle, String)>,
    patience: Duration,
    placebo: bool,
}

enum Ran {
    First(Plan, Box<Outcome>),
    Again(Again, Vec<bool>),
}

/// The numbers of first runs and of repeated runs that are in progress.
#[derive(Default)]
struct Running {
    first: usize,
    again: usize,
}

impl Explorer<'_> {
    /// Tries the plans, and repeats the runs of suspicious plans.
    pub async fn search(&self, reference: &Reference, search: &mut Search) -> Result<()> {
        search.all = self.selected_plans(reference)?;
        search.coverage = Coverage::of(reference);
        search.summary.planned = search.all.len();
        let mut plans: VecDeque<Plan> = search.all.iter().cloned().collect();
        let spinner = self.console.spinner("Exploring", format!("{} points", plans.len()));
        let (begun, mut running) = (Instant::now(), Running::default());
        let mut runs = FuturesUnordered::new();
        let references = Duration::from_secs_f64(self.seconds());
        let time = self.options.budget.map(|budget| budget.of_new_runs(references));
        for plan in self.take_unanswered_plans(&mut plans, time) {
            runs.push(futures_util::future::Either::Right(self.first(plan, reference)));
        }
        loop {
            if time.is_some_and(|time| begun.elapsed() + search.reserve(time) >= time) {
                plans.clear();
                search.pairs.clear();
            }
            let is_last = plans.is_empty() && search.pairs.is_empty() && running.first == 0;
            search.begin_groups(is_last, self.options.patience);
            if self.may_repeat(&running, is_last)
                && let Some(again) = search.again.pop_front()
            {
                running.again += 1;
                runs.push(futures_util::future::Either::Left(self.repeat_run(again, reference)));
                continue;
            }
            if running.first < self.options.jobs
                && (self.options.jobs > 1 || running.again == 0)
                && let Some(plan) = search.next(&mut plans)
            {
                spinner.set_message(search.progress(&plan));
                running.first += 1;
                runs.push(futures_util::future::Either::Right(self.first(plan, reference)));
                continue;
            }
            let Some(ran) = runs.next().await else { return Ok(()) };
            match ran? {
                Ran::First(plan, outcome) => {
                    running.first -= usize::from(plan.class != Class::Unanswered || self.options.jobs == 1);
                    self.judge(plan, &outcome, reference, search);
                }
                Ran::Again(again, shown) => {
                    running.again -= 1;
                    if let Some(finding) = search.count(&again, &shown, self.seconds()) {
                        self.tell(finding);
                    }
                }
            }
            if is_last {
                spinner.set_message(format!("runs to repeat for confirmation: {}", running.again + search.again.len()));
            }
        }
    }

    /// Removes from `plans` the plans in which a request is never answered, and returns these plans. The runs of these
    /// plans are long, so that they should run at the same time as the runs of the other plans.
    ///
    /// If the time budget `time` is too short for such long runs, removes these plans but returns an empty list, so
    /// that the plans are skipped. If the time suffices but only one run may run at a time, changes nothing and returns
    /// an empty list, so that these plans run like all others.
    fn take_unanswered_plans(&self, plans: &mut VecDeque<Plan>, time: Option<Duration>) -> Vec<Plan> {
        let has_time = time.is_none_or(|time| time + REPEATS_WITHIN > LIMIT);
        if has_time && self.options.jobs == 1 {
            return Vec::new();
        }
        let (waiting, others): (Vec<_>, Vec<_>) =
            std::mem::take(plans).into_iter().partition(|plan| plan.class == Class::Unanswered);
        *plans = others.into();
        if has_time { waiting } else { Vec::new() }
    }

    /// Returns true if another repeated run may begin now. `is_last` is true if all plans were tried, so that more
    /// repeated runs may be concurrent.
    fn may_repeat(&self, running: &Running, is_last: bool) -> bool {
        match (self.options.jobs, is_last) {
            (1, _) => running.first + running.again == 0,
            (jobs, true) => running.again < WAITING * jobs,
            (jobs, false) => running.again < jobs,
        }
    }

    async fn first(&self, plan: Plan, reference: &Reference) -> Result<Ran> {
        let outcome = self.play(&plan, reference, self.first_look()).await?;
        Ok(Ran::First(plan, Box::new(outcome)))
    }

    async fn repeat_run(&self, again: Again, reference: &Reference) -> Result<Ran> {
        let patience = Patience { time: again.patience, helps: false };
        let outcome = self.play(&again.plan, reference, Manner { placebo: again.placebo, patience }).await?;
        let found = judge(&again.plan, &outcome, reference, &self.samples);
        let is_shown =
            |(oracle, key): &(Oracle, String)| found.iter().any(|found| (found.oracle, &found.key) == (*oracle, key));
        let shown = again.keys.iter().map(is_shown).collect();
        Ok(Ran::Again(again, shown))
    }

    fn judge(&self, plan: Plan, outcome: &Outcome, reference: &Reference, search: &mut Search) {
        let summary = &mut search.summary;
        summary.tried += 1;
        search.tried.insert(plan.clone());
        if !outcome.reached {
            summary.unreached.push(plan.to_string());
            return;
        }
        summary.reached += 1;
        summary.exercised.add_field(&plan, outcome);
        let found = judge(&plan, outcome, reference, &self.samples);
        let with_finding = |suspicion: Suspicion| {
            let finding = self.finding(Some(&plan), &suspicion, outcome, reference, Repeats::default());
            (suspicion, finding)
        };
        let suspicions: Vec<_> = found.into_iter().map(with_finding).collect();
        let Some((first, _)) = suspicions.first() else {
            if self.options.depth > 1 {
                search.add_pairs(&plan, &outcome.journal);
            }
            return;
        };
        self.console.detail(format_args!("{} is suspected: {}", plan, first.text));
        if first.severity == Severity::Error {
            summary.first_suspicion_seconds.get_or_insert(self.seconds());
        }
        if let Some(finding) = search.add(Suspect { plan, suspicions }) {
            self.tell(finding);
        }
    }

    /// Prints a finding while the exploration continues.
    pub fn tell(&self, finding: &Finding) {
        let severity = if finding.severity == Severity::Error { "error" } else { "warning" };
        let plan = finding.plan.as_ref().map(|plan| format!(" ({plan})")).unwrap_or_default();
        self.console.status("Found", format!("{severity}[{}]: {}{plan}", finding.code, finding.message));
    }
}

impl Search {
    /// Adds a suspicious run to the group of runs with the same cause. Returns the finding of a new group if this
    /// finding is certain without repeated runs.
    fn add(&mut self, suspect: Suspect) -> Option<&Finding> {
        if let Some(index) = self.groups.iter().position(|group| group.explains(&suspect)) {
            self.groups[index].add(suspect);
            return None;
        }
        self.groups.push(Group::of(suspect));
        self.groups.last_mut()?.confirm_if_certain()
    }

    /// Counts a repeated run. Returns the finding if this run confirms it.
    fn count(&mut self, again: &Again, shown: &[bool], seconds: f64) -> Option<&Finding> {
        let group = self.groups.get_mut(again.group)?;
        // Another run, which was faster, may have ended the repetition.
        if !group.repeats(&again.plan) {
            return None;
        }
        group.count(again.placebo, shown, seconds);
        if !group.repeats(&again.plan) {
            self.again.retain(|other| other.group != again.group);
        }
        group.confirmed_finding()
    }

    /// Returns the part of `time` that is reserved for repeated runs; zero if no runs need to be repeated.
    fn reserve(&self, time: Duration) -> Duration {
        let waits = self.groups.iter().any(Group::is_open) || !self.again.is_empty();
        if waits { REPEATS_WITHIN.min(time / 6) } else { Duration::ZERO }
    }

    /// Queues the repeated runs that confirm groups of suspicions. Groups of errors are queued at once, groups of
    /// warnings only if `is_last` is true, that is, after all plans were tried. `patience` is the time limit of the
    /// first runs.
    fn begin_groups(&mut self, is_last: bool, patience: Duration) {
        let mut begun = self.groups.iter().filter(|group| !group.is_open()).count();
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|index| self.groups[*index].severity());
        for index in order {
            let group = &mut self.groups[index];
            if (group.severity() != Severity::Error && !is_last) || (group.is_open() && begun >= GROUPS) {
                continue;
            }
            let is_open = group.is_open();
            let Some(Suspect { plan, suspicions }) = group.begin_repetition() else { continue };
            begun += usize::from(is_open);
            let heals_late = suspicions
                .iter()
                .any(|(found, _)| found.heals == Some(Recovery::NextEvent) && found.severity == Severity::Error);
            let keys = suspicions.iter().map(|(found, _)| (found.oracle, found.key.clone())).collect();
            let patience = if heals_late { patience * SECOND_LOOK } else { patience };
            let again = Again { group: index, plan: plan.clone(), keys, patience, placebo: false };
            for placebo in [false, true].into_iter().cycle().take(2 * REPEATS as usize) {
                self.again.push_back(Again { placebo, ..again.clone() });
            }
        }
    }

    /// Adds the plans with two faults whose first fault is the fault of `plan`.
    fn add_pairs(&mut self, plan: &Plan, journal: &[Entry]) {
        let pairs = self.coverage.pairs(plan, journal);
        self.summary.planned += pairs.len();
        self.all.extend(pairs.iter().cloned());
        self.pairs.extend(pairs);
    }

    /// Removes and returns the next plan to run. Plans with two faults alternate with plans with one fault. Among the
    /// latter, plans that resemble a plan with a known error come last.
    fn next(&mut self, plans: &mut VecDeque<Plan>) -> Option<Plan> {
        self.turns_to_pairs = !self.turns_to_pairs;
        if (self.turns_to_pairs || plans.is_empty())
            && let Some(pair) = self.pairs.pop_front()
        {
            return Some(pair);
        }
        let errors = self.groups.iter().filter(|group| group.severity() == Severity::Error);
        let known: BTreeSet<_> = errors.flat_map(Group::plans).map(|plan| (plan.class, likeness(plan))).collect();
        let new = plans.iter().position(|plan| !known.contains(&(plan.class, likeness(plan))));
        plans.remove(new.unwrap_or_default())
    }

    fn progress(&self, plan: &Plan) -> String {
        let Summary { tried, planned, .. } = &self.summary;
        let confirmed = self.groups.iter().filter(|group| group.confirmed_finding().is_some()).count();
        let found = match (self.groups.len(), confirmed) {
            (0, _) => String::new(),
            (all, confirmed) => format!("; {all} suspected, {confirmed} confirmed"),
        };
        format!("{tried} of {planned} points{found}; trying {plan}")
    }

    /// Returns the summary of the findings so far.
    pub fn finish(mut self, seconds: f64, interrupted: bool) -> Summary {
        let summary = &mut self.summary;
        summary.exercised.count(&self.all, &self.tried);
        let left = self.all.iter().filter(|plan| !self.tried.contains(plan));
        summary.left = left.map(ToString::to_string).collect();
        summary.unreached.sort();
        summary.unconfirmed.extend(self.waits_for);
        let mut found = Vec::new();
        for group in self.groups {
            match group.result() {
                Cause::Confirmed(finding) => found.push(finding),
                Cause::Flaky(finding) => summary.flaky.push(finding),
                Cause::NotRepeated(finding) => summary.unconfirmed.push(finding),
            }
        }
        found.sort_by_key(|finding| (finding.severity, finding.oracle));
        summary.findings.append(&mut found);
        summary.unconfirmed.sort_by_key(|finding| (finding.severity, finding.oracle));
        (summary.seconds, summary.interrupted) = (seconds, interrupted);
        self.summary
    }
}
