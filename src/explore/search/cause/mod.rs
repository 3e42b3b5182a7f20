//! Groups suspicious runs by their cause, so that one bug is one finding.

use crate::explore::judge::suspicion::{Oracle, Severity, Suspicion};
use crate::explore::plan::fault_plan::{Class, Plan};
use crate::explore::report::text::{Finding, Repeats};
use crate::explore::run::settle::Recovery;
use std::collections::BTreeSet;

/// The number of repeated runs with the fault, and also of repeated runs without the fault. To confirm a suspicion,
/// all runs with the fault must show it, and no run without the fault may show it.
pub const REPEATS: u32 = 3;
/// The maximum number of plans per group that opctl runs again to confirm the group's suspicion.
const PLANS: usize = 2;

/// A run that raised suspicions of bugs, each with the finding to report. The most significant suspicion comes first.
pub struct Suspect {
    pub plan: Plan,
    pub suspicions: Vec<(Suspicion, Finding)>,
}

impl Suspect {
    /// Returns the objects and fields that differ in the most significant suspicion.
    fn places(&self) -> BTreeSet<String> {
        let (first, _) = &self.suspicions[0];
        first.differences.iter().map(crate::explore::record::state::Difference::key).collect()
    }
}

/// The properties that suspicious runs with the same cause share.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Manner {
    severity: Severity,
    oracle: Oracle,
    heals: Option<Recovery>,
    /// True if the plan changes a field, which is an action of the user and not a fault.
    is_field: bool,
}

impl Manner {
    fn of(suspect: &Suspect) -> Manner {
        let Suspicion { severity, oracle, heals, .. } = suspect.suspicions[0].0;
        Manner { severity, oracle, heals, is_field: suspect.plan.class == Class::Field }
    }
}

/// The state of a group's confirmation by repeated runs.
enum Stage {
    /// No run of the group has been repeated yet.
    Open,
    /// The plan of one suspect is being run again, with and without the fault.
    Repeating {
        suspect: usize,
        /// The numbers of finished runs: with the fault, and without the fault.
        done: [u32; 2],
        seen: Vec<Repeats>,
    },
    Confirmed(Box<Finding>),
    /// A repeated run with the fault did not show the suspicion, or a run without the fault showed the suspicion.
    Flaky(Box<Finding>),
}

/// Suspicious runs that appear to have the same cause.
pub struct Group {
    manner: Manner,
    key: String,
    places: BTreeSet<String>,
    suspects: Vec<Suspect>,
    repeated: Vec<usize>,
    stage: Stage,
}

impl Group {
    /// Creates a group from its first suspicious run.
    pub fn of(suspect: Suspect) -> Group {
        let (manner, key) = (Manner::of(&suspect), suspect.suspicions[0].0.key.clone());
        let places = suspect.places();
        Group { manner, key, places, suspects: vec![suspect], repeated: Vec::new(), stage: Stage::Open }
    }

    /// Returns true if the suspect has the same cause as this group: the same oracle (a check for one kind of bug)
    /// reports the same object or field, and the same event, such as a restart of the operator, makes the objects equal
    /// to the reference. Additional differences in one of the runs do not matter. If another replica leads in both runs,
    /// different objects may differ: the new leader does not do what is left to do.
    pub fn explains(&self, suspect: &Suspect) -> bool {
        let key = &suspect.suspicions[0].0.key;
        let by_place = [Oracle::State, Oracle::Leak, Oracle::Differential].contains(&self.manner.oracle);
        let overlaps = by_place && (self.places.contains(key) || suspect.places().contains(&self.key));
        let is_led_by_another = |suspect: &Suspect| matches!(suspect.plan.class, Class::Lease | Class::HandOver);
        let of_new_leader = by_place && is_led_by_another(suspect) && self.suspects.iter().any(is_led_by_another);
        Manner::of(suspect) == self.manner && (*key == self.key || overlaps || of_new_leader)
    }

    /// Confirms the group without repeated runs if the bug is an endless wait of the operator: the first run waited so
    /// long that chance is ruled out. Returns the finding if the group is now confirmed.
    pub fn confirm_if_certain(&mut self) -> Option<&Finding> {
        if self.manner.oracle != Oracle::Waits || !self.is_open() {
            return None;
        }
        let once = Repeats { shown: 1, of: 1, ..Repeats::default() };
        self.stage = Stage::Confirmed(Box::new(Finding { repeats: once, ..self.suspects[0].suspicions[0].1.clone() }));
        self.confirmed_finding()
    }

    /// Adds a suspicious run to the group.
    pub fn add(&mut self, suspect: Suspect) {
        self.suspects.push(suspect);
    }

    pub fn severity(&self) -> Severity {
        self.manner.severity
    }

    /// Returns true if no run of the group has been repeated yet.
    pub fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Open)
    }

    /// Returns the finding if the group is confirmed.
    pub fn confirmed_finding(&self) -> Option<&Finding> {
        match &self.stage {
            Stage::Confirmed(finding) => Some(finding),
            _ => None,
        }
    }

    /// Returns the plans of all suspects.
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.suspects.iter().map(|suspect| &suspect.plan)
    }

    /// Chooses the group's next plan to run again. The first choice is a plan with one fault rather than two, and among
    /// such plans the plan with the earliest step of the scenario. If the repeated runs of this plan disagree, chooses
    /// a plan of another class of faults, which may show the bug more reliably. Returns `None` if no plan is left to
    /// repeat.
    pub fn begin_repetition(&mut self) -> Option<&Suspect> {
        let index = match self.stage {
            Stage::Open => {
                let order = |index: &usize| {
                    let plan = &self.suspects[*index].plan;
                    (plan.then.is_some(), plan.step, plan.class)
                };
                (0..self.suspects.len()).min_by_key(order)?
            }
            Stage::Flaky(_) if self.repeated.len() < PLANS => {
                let of_another = |plan: &Plan, one: &usize| self.suspects[*one].plan.classes() != plan.classes();
                let is_new = |plan: &Plan| self.repeated.iter().all(|one| of_another(plan, one));
                self.suspects.iter().position(|suspect| is_new(&suspect.plan))?
            }
            _ => return None,
        };
        self.repeated.push(index);
        let seen = vec![Repeats::default(); self.suspects[index].suspicions.len()];
        self.stage = Stage::Repeating { suspect: index, done: [0, 0], seen };
        self.suspects.get(index)
    }

    /// Returns true if the runs of a plan are being repeated.
    pub fn repeats(&self, plan: &Plan) -> bool {
        matches!(self.stage, Stage::Repeating { suspect, .. } if self.suspects[suspect].plan == *plan)
    }

    /// Counts a repeated run. `placebo` is true for a run without the fault. `shown` has one value for each suspicion,
    /// which is true if the run showed this suspicion again. `seconds` is the time since the exploration began, which
    /// the
    /// finding reports. Returns the finding if this run confirms the group; otherwise `None`. Ends the repetition early
    /// once the runs have ruled out all suspicions.
    pub fn count(&mut self, placebo: bool, shown: &[bool], seconds: f64) -> Option<&Finding> {
        let Stage::Repeating { suspect, done, seen } = &mut self.stage else { return None };
        done[usize::from(placebo)] += 1;
        for (repeats, shown) in seen.iter_mut().zip(shown) {
            (repeats.of, repeats.placebos) = (done[0], done[1]);
            *(if placebo { &mut repeats.placebo } else { &mut repeats.shown }) += u32::from(*shown);
        }
        if seen.iter().any(|repeats| repeats.is_certain()) && *done != [REPEATS, REPEATS] {
            return None;
        }
        let certain = seen.iter().position(|repeats| repeats.is_certain());
        let index = certain.unwrap_or_default();
        let finding = self.suspects[*suspect].suspicions[index].1.clone();
        let finding = Box::new(Finding { repeats: seen[index], seconds, ..finding });
        self.stage = if certain.is_some() { Stage::Confirmed(finding) } else { Stage::Flaky(finding) };
        self.confirmed_finding()
    }

    /// Returns the final result of the group.
    pub fn result(self) -> Result {
        let told = match &self.stage {
            Stage::Repeating { suspect, .. } => *suspect,
            _ => 0,
        };
        let (finding, result): (_, fn(Finding) -> Result) = match self.stage {
            Stage::Confirmed(finding) => (*finding, Result::Confirmed),
            Stage::Flaky(finding) => (*finding, Result::Flaky),
            Stage::Open | Stage::Repeating { .. } => (self.suspects[told].suspicions[0].1.clone(), Result::NotRepeated),
        };
        let plans = self.suspects.iter().map(|suspect| suspect.plan.to_string());
        let also = plans.filter(|plan| Some(plan) != finding.plan.as_ref()).collect();
        result(Finding { also, ..finding })
    }
}

/// The result of repeating the runs of a group.
pub enum Result {
    Confirmed(Finding),
    Flaky(Finding),
    NotRepeated(Finding),
}

#[cfg(test)]
mod tests;
