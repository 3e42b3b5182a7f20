//! Explores an operator, replays plans, and lists the plans for an operator.

use super::confirm::Search;
use super::explorer::Explorer;
use super::undisturbed::Undisturbed;
use crate::explore::judge::oracles::judge;
use crate::explore::judge::suspicion::{Oracle, Severity};
use crate::explore::options::Options;
use crate::explore::plan::fault_plan::Plan;
use crate::explore::report::text::{Finding, Repeats, Summary};
use crate::explore::run::field_run;
use crate::explore::run::readiness::LATE;
use crate::explore::run::reference::Reference;
use crate::explore::server::shared_server::World;
use crate::report::Console;
use crate::{Error, Result};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use std::pin::pin;
use std::sync::Arc;

/// Returns the plans for an operator without running the plans.
///
/// # Errors
/// Fails like [`explore`].
pub async fn list(world: &Arc<World>, options: &Options, console: &Console) -> Result<Vec<Plan>> {
    let explorer = Explorer::new(world, options, console)?;
    let Undisturbed { reference, .. } = explorer.references(explorer.ready_within()).await?;
    explorer.selected_plans(&reference)
}

/// Explores an operator. When `interrupted` completes, the exploration ends with the findings so far.
///
/// # Errors
/// Fails if the API server or the operator cannot be used, or if the user interrupts before the runs with a fault
/// begin. Bugs of the operator are findings, not errors.
pub async fn explore(
    world: &Arc<World>,
    options: &Options,
    console: &Console,
    interrupted: impl Future<Output = ()>,
) -> Result<Summary> {
    let explorer = Explorer::new(world, options, console)?;
    let mut search = Search::default();
    let was_interrupted = {
        let points = explorer.with_references(&mut search, async |reference, search| {
            // After these errors, the operator's runs can still be compared with each other.
            let comparable = |finding: &Finding| {
                let of_one_part = [Oracle::Dishonest, Oracle::Revival, Oracle::Denied, Oracle::NotReady, Oracle::Order];
                finding.severity != Severity::Error || of_one_part.contains(&finding.oracle)
            };
            if search.summary.findings.iter().all(comparable) {
                explorer.search(reference, search).await?;
            }
            Ok(true)
        });
        match select(pin!(points), pin!(interrupted)).await {
            Either::Left((done, _)) => done.map(|()| false)?,
            Either::Right(_) => true,
        }
    };
    let summary = search.finish(explorer.seconds(), was_interrupted);
    if was_interrupted && summary.planned == 0 {
        return Err(Error::interrupted("interrupted"));
    }
    Ok(summary)
}

/// Runs each of `plans` once.
///
/// # Errors
/// Fails like [`explore`].
pub async fn replay(world: &Arc<World>, plans: &[Plan], options: &Options, console: &Console) -> Result<Summary> {
    plans.iter().try_for_each(|plan| field_run::check(world, plan))?;
    let explorer = Explorer::new(world, options, console)?;
    let mut search = Search::default();
    let played = explorer.with_references(&mut search, async |reference, search| {
        explorer.play_each(plans, reference, &mut search.summary).await?;
        Ok(search.summary.reached > 0)
    });
    played.await?;
    Ok(search.finish(explorer.seconds(), false))
}

impl Explorer<'_> {
    /// Performs the reference runs, and then calls `work` with the references.
    ///
    /// If samples are not ready in the reference runs, also performs a further run without a fault at the same time as
    /// `work`, in which opctl waits longer for the samples. If the samples become ready in this further run, the
    /// reference
    /// runs ended too early: performs the reference runs again with more time, and calls `work` again. `work` returns
    /// false
    /// if its result does not depend on the references; in this case, nothing is repeated.
    async fn with_references(
        &self,
        search: &mut Search,
        work: impl AsyncFn(&Reference, &mut Search) -> Result<bool>,
    ) -> Result<()> {
        let mut ready_within = self.ready_within();
        loop {
            let Undisturbed { reference, findings, not_ready, complaints, exercised } =
                self.references(ready_within).await?;
            let reference_seconds = self.seconds();
            let masks = reference.masks.list();
            *search = Search::default();
            search.summary =
                Summary { findings, complaints, masks, exercised, reference_seconds, ..Summary::default() };
            search.summary.findings.iter().for_each(|finding| self.tell(finding));
            search.summary.first_suspicion_seconds = (search.summary.errors() > 0).then_some(reference_seconds);
            let Some(not_ready) = not_ready else { return work(&reference, search).await.map(drop) };
            search.summary.first_suspicion_seconds = Some(reference_seconds);
            if ready_within == LATE {
                self.tell(&not_ready);
                search.summary.findings.push(not_ready);
                return work(&reference, search).await.map(drop);
            }
            search.waits_for = Some(not_ready.clone());
            let becomes_ready = {
                let (work, ready) = (pin!(work(&reference, &mut *search)), pin!(self.becomes_ready()));
                match select(work, ready).await {
                    Either::Left((depends, ready)) => depends? && ready.await?,
                    Either::Right((Ok(false), work)) => {
                        self.tell(&not_ready);
                        work.await?;
                        false
                    }
                    Either::Right((ready, _)) => ready?,
                }
            };
            search.waits_for = None;
            if !becomes_ready {
                search.summary.findings.insert(0, not_ready);
                return Ok(());
            }
            ready_within = LATE;
        }
    }

    async fn play_each(&self, plans: &[Plan], reference: &Reference, summary: &mut Summary) -> Result<()> {
        summary.planned = plans.len();
        let play = |plan| async move { (self.play(plan, reference, self.first_look()).await, plan) };
        let mut runs = futures_util::stream::iter(plans).map(play).buffered(self.options.jobs);
        while let Some((outcome, plan)) = runs.next().await {
            let outcome = outcome?;
            summary.tried += 1;
            if !outcome.reached {
                summary.unreached.push(plan.to_string());
                continue;
            }
            summary.reached += 1;
            // Further suspicions of a run have the same cause.
            let found = judge(plan, &outcome, reference, &self.samples).into_iter().next();
            let finding = found.map(|found| self.finding(Some(plan), &found, &outcome, reference, Repeats::default()));
            summary.findings.extend(finding);
        }
        Ok(())
    }
}
