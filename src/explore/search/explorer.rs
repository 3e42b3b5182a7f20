//! Defines the explorer, which holds the server, the samples and the options of an exploration, and executes plans.

use super::planner::plans;
use crate::Result;
use crate::error::hint;
use crate::explore::options::Options;
use crate::explore::plan::choice;
use crate::explore::plan::fault_plan::{Class, Plan};
use crate::explore::proxy::gate::SILENT;
use crate::explore::record::run_scope::namespace_of_run;
use crate::explore::run::reference::Reference;
use crate::explore::run::settle::Patience;
use crate::explore::run::steps::{Manner, Outcome, run_disturbed, with_field};
use crate::explore::run::unanswered::without_answer;
use crate::explore::run::unready::with_trouble;
use crate::explore::server::shared_server::World;
use crate::report::Console;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// An exploration of an operator.
pub struct Explorer<'a> {
    begun: Instant,
    pub world: Arc<World>,
    pub options: &'a Options,
    pub console: &'a Console,
    /// The resources of the samples.
    pub samples: BTreeSet<String>,
    runs: Cell<u32>,
}

impl<'a> Explorer<'a> {
    pub fn new(world: &Arc<World>, options: &'a Options, console: &'a Console) -> Result<Explorer<'a>> {
        let samples = world.samples.iter().map(|sample| world.collection_of(&sample.object).map(str::to_owned));
        let samples = samples.collect::<Result<_>>()?;
        let begun = Instant::now();
        Ok(Explorer { begun, world: Arc::clone(world), options, console, samples, runs: Cell::new(0) })
    }

    /// Returns the seconds since the exploration began.
    pub fn seconds(&self) -> f64 {
        (self.begun.elapsed().as_secs_f64() * 10.0).round() / 10.0
    }

    /// Returns the name of the next run's namespace.
    pub fn namespace(&self) -> String {
        self.runs.set(self.runs.get() + 1);
        namespace_of_run(self.runs.get())
    }

    /// Returns the plans that the options select.
    ///
    /// # Errors
    /// Fails if a text given to `--only` does not occur in any plan.
    pub fn selected_plans(&self, reference: &Reference) -> Result<Vec<Plan>> {
        let fields: Vec<String> = self.world.samples.iter().flat_map(|sample| sample.fields.clone()).collect();
        let again = &self.world.launch.again;
        let mut plans = plans(reference, &fields);
        if !self.world.cluster_scoped.is_empty() {
            // Pods that are not well are simulated in a whole namespace, in which other runs may have pods.
            plans.retain(|plan| plan.class != Class::Unready);
        }
        if self.options.jobs == 1 {
            // An operator that listens on a fixed port cannot run twice.
            plans.retain(|plan| plan.class != Class::HandOver);
        }
        choice::chosen_plans(plans, &self.options.only)
            .map_err(|error| error.hint(hint!("{again} --list    # lists all fault plans", again)))
    }

    /// Runs the scenario with the fault of a plan.
    pub async fn play(&self, plan: &Plan, reference: &Reference, mut manner: Manner) -> Result<Outcome> {
        let namespace = self.namespace();
        if plan.class == Class::Hang {
            manner.patience.time += SILENT;
        }
        if plan.class == Class::Field {
            let other = self.namespace();
            let (world, folder) = (&self.world, &self.options.folder);
            return with_field(world, [&namespace, &other], folder, plan, reference, manner).await;
        }
        let (world, folder) = (&self.world, &self.options.folder);
        match plan.class {
            Class::Unready => return with_trouble(world, &namespace, folder, plan, reference, manner).await,
            Class::Unanswered => return without_answer(world, &namespace, folder, plan, reference, manner).await,
            _ => {}
        }
        run_disturbed(&self.world, &namespace, &self.options.folder, plan, reference, manner).await
    }

    /// Returns the settings of a plan's first run: with the fault, and with the time limit from the options.
    pub fn first_look(&self) -> Manner {
        Manner { placebo: false, patience: Patience { time: self.options.patience, helps: true } }
    }
}
