//! Waits until the operator comes to rest, and compares the objects with the objects of the reference.

use super::reference::Reference;
use super::run_environment::{GLANCE, Site};
use crate::Result;
use crate::explore::plan::fault_plan::Step;
use crate::explore::record::journal::Event;
use crate::explore::record::state::{Difference, ENDING, State};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The event after which the objects were the same as in the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Recovery {
    /// No event: the operator reached the state of the reference within the time limit.
    ByItself,
    /// The next event of a sample, or the next resync.
    NextEvent,
    /// A restart of the operator.
    Restart,
    /// No recovery: the objects stayed different from the reference run.
    Never,
}

/// The time that a run may take to come to rest.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The minimum time limit. If the undisturbed runs were slow, the time limit is longer.
    pub time: Duration,
    /// True if opctl, after the time limit, changes an annotation of each sample and then, if necessary, restarts the
    /// operator, to see if the objects become equal to the reference.
    pub helps: bool,
}

/// The state of a run after a step.
#[derive(Clone, Debug)]
pub struct Rest {
    pub step: Step,
    pub state: State,
    pub heals: Recovery,
    /// The differences from the reference at the end of the time limit, before opctl changed an annotation of the
    /// samples or restarted the operator. Empty if the objects became equal to the reference in time.
    pub differences: Vec<Difference>,
    /// True if the operator did not come to rest.
    pub restless: bool,
    /// The time until the operator came to rest.
    pub took: Duration,
}

/// The time without events after which a run is at rest if its objects are the same as in the reference.
const QUIET: Duration = Duration::from_millis(400);
/// The time without events after which an undisturbed run is at rest. It is longer than [`QUIET`], because the
/// expected objects are not known yet.
const REFERENCE_QUIET: Duration = Duration::from_millis(1200);
/// The times within which a correct operator reaches the expected state: after an event, and after a restart.
const SOON: [Duration; 2] = [Duration::from_secs(4), Duration::from_secs(6)];
/// The time limit for the operator to come to rest in a fault-free run.
const REFERENCE_LIMIT: Duration = Duration::from_secs(30);

/// The time limit for the deletion of a namespace, which takes Kubernetes some seconds.
const NAMESPACE_GONE: Duration = Duration::from_secs(15);

/// Waits until a run comes to rest in a step, without a comparison with a reference, and returns its state.
pub async fn first(site: &Site, step: Step) -> Result<Rest> {
    let begun = Instant::now();
    let mut before = None;
    loop {
        let rested = site.wait_quiet(REFERENCE_QUIET, REFERENCE_LIMIT).await?;
        let state = site.state().await?;
        let restless = !rested || begun.elapsed() > REFERENCE_LIMIT;
        let is_ending = begun.elapsed() < NAMESPACE_GONE && has_ending_namespace(&state);
        if restless || (before.as_ref() == Some(&state) && !is_ending) {
            let took = begun.elapsed();
            return Ok(Rest { step, state, heals: Recovery::ByItself, differences: Vec::new(), restless, took });
        }
        before = Some(state);
    }
}

fn has_ending_namespace(state: &State) -> bool {
    let objects = state.names("namespaces").filter_map(|name| state.object(&format!("namespaces/{name}")));
    objects.into_iter().any(|leaves| leaves.contains_key(ENDING))
}

/// Waits until the objects are the same as in the reference. If the objects still differ after the time limit and
/// `patience.helps` is true, changes an annotation of each sample to cause an event, and later restarts the
/// operator.
pub async fn like(site: &Site, step: Step, reference: &Reference, patience: Patience) -> Result<Rest> {
    let begun = Instant::now();
    let (mut heals, mut since) = (Recovery::ByItself, begun);
    let mut first_differences: Option<Vec<Difference>> = None;
    loop {
        tokio::time::sleep(GLANCE).await;
        site.keep_running().await?;
        let late = match heals {
            Recovery::ByItself => since.elapsed() > patience.time.max(reference.usual(step)),
            Recovery::NextEvent => since.elapsed() > SOON[0],
            _ => since.elapsed() > SOON[1],
        };
        let quiet = since.elapsed() >= QUIET && site.gate.is_quiet_for(QUIET);
        if !quiet && !late {
            continue;
        }
        let state = site.state().await?;
        let differences = reference.differences(step, &state);
        let took = begun.elapsed();
        if late && (heals == Recovery::Restart || !patience.helps) && !differences.is_empty() {
            first_differences.get_or_insert_with(|| differences.clone());
            heals = Recovery::Never;
        }
        if differences.is_empty() || heals == Recovery::Never {
            let differences = first_differences.unwrap_or_default();
            return Ok(Rest { step, state, heals, differences, restless: !quiet, took });
        }
        if late {
            first_differences.get_or_insert(differences);
            since = Instant::now();
            heals = match heals {
                Recovery::ByItself => {
                    site.touch_samples("again").await?;
                    Recovery::NextEvent
                }
                _ => {
                    site.gate.note(Event::User("restarts the operator".to_owned()));
                    site.restart().await?;
                    Recovery::Restart
                }
            };
            continue;
        }
        // Listing the objects costs the server more than a check of the gate.
        tokio::time::sleep(4 * GLANCE).await;
    }
}
