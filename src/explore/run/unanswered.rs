//! A run with a request that is never answered: the operator waits endlessly unless it sets a time limit.

use super::exercise::is_work;
use super::reference::Reference;
use super::run_environment::{GLANCE, Site};
use super::settle::{Recovery, Rest};
use super::steps::{Manner, Outcome, healthy, outcome};
use crate::Result;
use crate::explore::plan::fault_plan::{Plan, Step};
use crate::explore::proxy::gate::Gate;
use crate::explore::record::journal::{Entry, Event, Request};
use crate::explore::server::shared_server::World;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The maximum time to wait until the objects are the same as in the reference. It is longer than the usual time
/// limits of requests, 30 and 60 seconds; the API server ends requests after 60 seconds.
pub const LIMIT: Duration = Duration::from_secs(70);
const LOOK: Duration = Duration::from_secs(1);
/// The time limit for the operator to begin work on another object while a request hangs.
const ANOTHER: Duration = Duration::from_secs(5);

/// Runs the scenario up to the request without a response, and checks if the operator then works on other objects.
pub async fn without_answer(
    world: &Arc<World>,
    namespace: &str,
    folder: &Path,
    plan: &Plan,
    reference: &Reference,
    manner: Manner,
) -> Result<Outcome> {
    let gate = Gate::new(manner.placebo, reference.names.clone());
    let site = Site::begin(world, namespace, folder, gate, reference.resources(), Some(plan)).await?;
    let mut rests = Vec::new();
    for &step in plan.step.way() {
        site.begin_step(step, Some(plan));
        site.play(step).await?;
        rests.push(outlast(&site, step, reference).await?);
        if !healthy(&rests) {
            break;
        }
    }
    let waits = site.gate.has_injected_faults() && !healthy(&rests);
    let works_on = if waits { Some(works_on_another(&site).await?) } else { None };
    Ok(Outcome { works_on_another: works_on, ..outcome(&site, rests) })
}

/// Waits until the objects are the same as in the reference, at most for [`LIMIT`].
async fn outlast(site: &Site, step: Step, reference: &Reference) -> Result<Rest> {
    let begun = Instant::now();
    loop {
        tokio::time::sleep(LOOK).await;
        site.keep_running().await?;
        let state = site.state().await?;
        let differences = reference.differences(step, &state);
        let took = begun.elapsed();
        if differences.is_empty() || took > LIMIT {
            let heals = if differences.is_empty() { Recovery::ByItself } else { Recovery::Never };
            return Ok(Rest { step, state, heals, differences, restless: false, took });
        }
    }
}

/// Creates a second object for each sample. Returns true if the operator works on one of these objects and does more
/// than set a finalizer. Also returns true if the API server refuses all second objects, because the test then shows
/// nothing.
async fn works_on_another(site: &Site) -> Result<bool> {
    let begun = site.gate.entries();
    let mut others = Vec::new();
    for sample in &site.world.samples {
        let resource = site.world.collection_of(&sample.object)?;
        let mut object = sample.object.clone();
        let name = format!("{}-2", object["metadata"]["name"].as_str().unwrap_or_default());
        object["metadata"]["name"] = name.clone().into();
        site.gate.note(Event::User(format!("creates {resource}/{name}")));
        let path = site.world.path(&site.namespace, resource)?;
        // A second object may be refused, if the kind permits only one.
        let object = site.world.object_in_run(&object, &site.scope)?;
        if let Ok(made) = site.world.request("POST", &path, &object).await {
            others.push((name, made["metadata"]["uid"].as_str().unwrap_or_default().to_owned()));
        }
    }
    let is_about = |request: &Request| {
        let named = |name: &str| request.request.contains(name);
        others.iter().any(|(name, uid)| named(name) || request.left.owners.contains(uid))
    };
    let works = |entry: &Entry| entry.request().is_some_and(|request| is_work(request) && is_about(request));
    let since = Instant::now();
    while since.elapsed() < ANOTHER && !others.is_empty() {
        if site.gate.journal()[begun..].iter().any(works) {
            return Ok(true);
        }
        site.keep_running().await?;
        tokio::time::sleep(3 * GLANCE).await;
    }
    // Nothing is known without a second object.
    Ok(others.is_empty())
}
