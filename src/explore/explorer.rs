//! The world and the options that all parts of an exploration use, and the way to play a plan.

use super::choice;
use super::gate::SILENT;
use super::options::Options;
use super::plan::{Class, Plan};
use super::planner::plans;
use super::reference::Reference;
use super::rest::Patience;
use super::run::{Manner, Outcome, disturbed, with_field};
use super::unanswered::without_answer;
use super::unready::with_trouble;
use super::world::World;
use crate::Result;
use crate::error::hint;
use crate::report::Console;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// An exploration of an operator.
pub(super) struct Explorer<'a> {
    begun: Instant,
    pub(super) world: Arc<World>,
    pub(super) options: &'a Options,
    pub(super) console: &'a Console,
    /// The resources of the samples.
    pub(super) samples: BTreeSet<String>,
    runs: Cell<u32>,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(world: &Arc<World>, options: &'a Options, console: &'a Console) -> Result<Explorer<'a>> {
        let samples = world.samples.iter().map(|sample| world.collection_of(&sample.object).map(str::to_owned));
        let samples = samples.collect::<Result<_>>()?;
        let begun = Instant::now();
        Ok(Explorer { begun, world: Arc::clone(world), options, console, samples, runs: Cell::new(0) })
    }

    /// Returns the seconds since the exploration began.
    pub(super) fn seconds(&self) -> f64 {
        (self.begun.elapsed().as_secs_f64() * 10.0).round() / 10.0
    }

    /// Returns the name of the next run's namespace.
    pub(super) fn namespace(&self) -> String {
        self.runs.set(self.runs.get() + 1);
        format!("explore-{}", self.runs.get())
    }

    /// Returns the plans that the options select.
    ///
    /// # Errors
    /// Fails if a text of `--only` is in no plan.
    pub(super) fn wanted(&self, reference: &Reference) -> Result<Vec<Plan>> {
        let fields: Vec<String> = self.world.samples.iter().flat_map(|sample| sample.fields.clone()).collect();
        let again = &self.world.launch.again;
        choice::chosen(plans(reference, &fields), &self.options.only)
            .map_err(|error| error.hint(hint!("{again} --list    # shows all plans", again)))
    }

    /// Runs the scenario with the fault of a plan.
    pub(super) async fn play(&self, plan: &Plan, reference: &Reference, mut manner: Manner) -> Result<Outcome> {
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
        disturbed(&self.world, &namespace, &self.options.folder, plan, reference, manner).await
    }

    /// Returns the manner of a plan's first run: with the fault, and with the patience from the options.
    pub(super) fn first_look(&self) -> Manner {
        Manner { placebo: false, patience: Patience { time: self.options.patience, helps: true } }
    }
}
