//! Waiting until the operator rests, and whether it got where the reference did.

use super::journal::Event;
use super::plan::Step;
use super::reference::Reference;
use super::site::{GLANCE, Site};
use super::state::{Difference, State};
use crate::Result;
use serde::Serialize;
use std::time::{Duration, Instant};

/// The event after which the objects were as in the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Heals {
    /// Nothing: the operator did it.
    ByItself,
    /// An event of its object, or the next resync.
    NextEvent,
    /// A restart of the operator.
    Restart,
    /// They never were.
    Never,
}

/// How long a run may take to come to rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// At least so long.
    pub(super) time: Duration,
    /// True to try what helps after that.
    pub(super) helps: bool,
}

/// A state after a step.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    pub(super) step: Step,
    pub(super) state: State,
    pub(super) heals: Heals,
    /// The differences when patience ended for the first time.
    pub(super) differences: Vec<Difference>,
    /// True if the operator did not come to rest.
    pub(super) restless: bool,
    /// How long it took.
    pub(super) took: Duration,
}

/// Without events for so long, and in the right state, a run is at rest.
const QUIET: Duration = Duration::from_millis(400);
/// A reference must be sure of it, for nobody knows the right state yet.
const REFERENCE_QUIET: Duration = Duration::from_millis(1200);
/// After an event, and after a restart, a sound operator gets there soon.
const SOON: [Duration; 2] = [Duration::from_secs(4), Duration::from_secs(6)];
/// A reference that does not rest within this time never does.
const REFERENCE_LIMIT: Duration = Duration::from_secs(30);

/// Waits for the first rest of a step, as a reference for others.
pub(super) async fn first(site: &Site, step: Step) -> Result<Rest> {
    let begun = Instant::now();
    let mut before = None;
    loop {
        let rested = site.wait_quiet(REFERENCE_QUIET, REFERENCE_LIMIT).await?;
        let state = site.state().await?;
        let restless = !rested || begun.elapsed() > REFERENCE_LIMIT;
        if restless || before.as_ref() == Some(&state) {
            let took = begun.elapsed();
            return Ok(Rest { step, state, heals: Heals::ByItself, differences: Vec::new(), restless, took });
        }
        before = Some(state);
    }
}

/// Waits until the objects are as in the reference. If they are not in time, first the samples get an event, then the operator is
/// restarted, if it is of interest what helps.
pub(super) async fn like(site: &Site, step: Step, reference: &Reference, patience: Patience) -> Result<Rest> {
    let begun = Instant::now();
    let (mut heals, mut since) = (Heals::ByItself, begun);
    let mut first_differences: Option<Vec<Difference>> = None;
    loop {
        tokio::time::sleep(GLANCE).await;
        site.keep_running().await?;
        let late = match heals {
            Heals::ByItself => since.elapsed() > patience.time.max(reference.usual(step)),
            Heals::NextEvent => since.elapsed() > SOON[0],
            _ => since.elapsed() > SOON[1],
        };
        let quiet = since.elapsed() >= QUIET && site.gate.is_quiet_for(QUIET);
        if !quiet && !late {
            continue;
        }
        let state = site.state().await?;
        let differences = reference.differences(step, &state);
        let took = begun.elapsed();
        if late && (heals == Heals::Restart || !patience.helps) && !differences.is_empty() {
            first_differences.get_or_insert_with(|| differences.clone());
            heals = Heals::Never;
        }
        if differences.is_empty() || heals == Heals::Never {
            let differences = first_differences.unwrap_or_default();
            return Ok(Rest { step, state, heals, differences, restless: !quiet, took });
        }
        if late {
            first_differences.get_or_insert(differences);
            since = Instant::now();
            heals = match heals {
                Heals::ByItself => {
                    site.touch_samples("again").await?;
                    Heals::NextEvent
                }
                _ => {
                    site.gate.note(Event::User("restarts the operator".to_owned()));
                    site.restart().await?;
                    Heals::Restart
                }
            };
            continue;
        }
        // The list of objects costs the server more than a look at the gate.
        tokio::time::sleep(4 * GLANCE).await;
    }
}
