//! Injects the faults that do not concern a single request: faults of watches, of the operator's process, and of
//! child objects.

use super::hand_over::hand_over;
use super::lease;
use super::run_environment::{GLANCE, Site};
use crate::Result;
use crate::explore::plan::fault_plan::{Class, EVERY_WATCH, Plan};
use crate::explore::proxy::decision::Flow;
use crate::explore::proxy::listing::Listing;
use crate::explore::record::journal::Event;
use crate::explore::record::normalize::OWN;
use crate::explore::record::state::State;
use serde_json::{Map, Value, json};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The time for which the operator stays stopped or suspended after the user's action in a step.
const AWAY: Duration = Duration::from_secs(1);
/// The time without activity of the operator after which opctl releases a watch whose events opctl holds back. opctl
/// begins to wait for this inactivity after [`HELD_AT_LEAST`], waits at most [`HELD_AT_MOST`], and then releases the
/// watch in any case.
const HELD_QUIET: Duration = Duration::from_millis(600);
const HELD_AT_LEAST: Duration = Duration::from_millis(800);
const HELD_AT_MOST: Duration = Duration::from_secs(4);

/// Begins the fault of a plan, before the user's action in the step. Returns the current resource version for
/// [`Class::StaleList`], and an empty text for other classes.
pub async fn before_step(site: &Site, plan: &Plan) -> Result<String> {
    begin_fault(site, plan);
    match plan.class {
        Class::StaleList => site.world.version_of(&site.namespace, &plan.aim).await,
        _ => Ok(String::new()),
    }
}

fn begin_fault(site: &Site, plan: &Plan) {
    let gate = &site.gate;
    let text = match plan.class {
        Class::Lag | Class::Expire | Class::Cut => format!("{} tells of nothing", watch_of(&plan.aim)),
        Class::Relist => format!("{} ends with 410", watch_of(&plan.aim)),
        Class::Down => "the operator is killed".to_owned(),
        Class::Pause => "the operator is suspended".to_owned(),
        _ => return,
    };
    gate.reach(&text);
    if gate.is_placebo() {
        return;
    }
    match plan.class {
        Class::Down => site.operator.kill(),
        Class::Pause => site.operator.suspend(true),
        Class::Relist => gate.set_flow(&plan.aim, Flow::Expire),
        _ => gate.set_flow(&plan.aim, Flow::Held),
    }
}

/// Ends the fault that [`before_step`] began, after the user's action in the step. Returns the range of journal entries
/// in which the first of two replicas must not write; `None` without a hand-over.
pub async fn after_step(site: &Site, plan: &Plan) -> Result<Option<Range<usize>>> {
    if plan.class == Class::HandOver {
        return hand_over(site).await;
    }
    if !site.gate.is_placebo() {
        end_fault(site, plan).await?;
    }
    Ok(None)
}

async fn end_fault(site: &Site, plan: &Plan) -> Result<()> {
    match plan.class {
        Class::Down => {
            tokio::time::sleep(AWAY).await;
            site.restart().await
        }
        Class::Pause => {
            tokio::time::sleep(AWAY).await;
            site.gate.note(Event::Fault("the operator is resumed".to_owned()));
            site.operator.suspend(false);
            Ok(())
        }
        Class::Lag => end_hold(site, plan, Flow::Open).await,
        Class::Expire => end_hold(site, plan, Flow::Expire).await,
        Class::Cut => end_hold(site, plan, Flow::Close).await,
        Class::LagOwn => provoke(site, plan).await,
        _ => Ok(()),
    }
}

/// Triggers a reconcile while opctl's proxy holds back the watch event for the operator's own write, and then sends the
/// event to the operator.
async fn provoke(site: &Site, plan: &Plan) -> Result<()> {
    let begun = Instant::now();
    while !site.gate.is_held() {
        if begun.elapsed() > HELD_AT_MOST {
            return Ok(());
        }
        site.keep_running().await?;
        tokio::time::sleep(GLANCE).await;
    }
    let resource = plan.watched_resource().unwrap_or_default();
    let of_samples = site
        .world
        .samples
        .iter()
        .any(|sample| site.world.collection_of(&sample.object).is_ok_and(|collection| collection == resource));
    if of_samples {
        // The watch of the samples is held, but an event of a child triggers a reconcile as well.
        if let Some(child) = site.children().first() {
            site.touch(child, "provoked").await?;
        }
    } else {
        site.touch_samples("provoked").await?;
    }
    end_hold(site, plan, Flow::Open).await
}

async fn end_hold(site: &Site, plan: &Plan, flow: Flow) -> Result<()> {
    tokio::time::sleep(HELD_AT_LEAST).await;
    site.wait_quiet(HELD_QUIET, HELD_AT_MOST).await?;
    release(site, plan.watched_resource().unwrap_or_default(), flow);
    Ok(())
}

/// Returns the watch as the subject of a sentence, such as "the watch of services".
fn watch_of(resource: &str) -> String {
    if resource == EVERY_WATCH { "every watch".to_owned() } else { format!("the watch of {resource}") }
}

fn release(site: &Site, resource: &str, flow: Flow) {
    let watch = watch_of(resource);
    site.gate.note(Event::Fault(match flow {
        Flow::Open => format!("{watch} sends all events that were held back"),
        Flow::Expire => format!("{watch} ends with 410 and does not send the events that were held back"),
        _ => format!("{watch} is closed and does not send the events that were held back"),
    }));
    site.gate.set_flow(resource, flow);
}

/// Injects a fault while the operator is at rest: restarts the operator, changes a child or takes the lease. Returns
/// the range of journal entries during the fault; `None` if no fault was injected. `version` is the resource version
/// before the step.
pub async fn at_rest(site: &Site, plan: &Plan, state: &State, version: &str) -> Result<Option<Range<usize>>> {
    let begun = site.gate.entries();
    match plan.class {
        Class::Lease => return lease::take(site).await,
        Class::StaleList | Class::Pages => restart_with_lists(site, plan, version).await?,
        _ if !disturb(site, plan, state).await? => return Ok(None),
        _ => {}
    }
    Ok(Some(begun..site.gate.entries()))
}

/// Restarts the operator, or deletes or changes a child object. Returns false if the child does not exist or the run is
/// a placebo, that is, a run without the fault.
async fn disturb(site: &Site, plan: &Plan, state: &State) -> Result<bool> {
    let object = state.object(&plan.aim);
    let resource = plan.aim.split('/').next().unwrap_or_default();
    match plan.class {
        Class::DeleteUnseen if object.is_some() => {
            site.gate.reach(&format!("{} sends no events, and somebody deletes {}", watch_of(resource), plan.aim));
        }
        Class::Restart => site.gate.reach("the operator is restarted"),
        Class::DeleteChild if object.is_some() => site.gate.reach(&format!("somebody deletes {}", plan.aim)),
        Class::StripLabels if object.is_some() => {
            site.gate.reach(&format!("somebody removes the labels of {}", plan.aim));
        }
        _ => return Ok(false),
    }
    if site.gate.is_placebo() {
        return Ok(false);
    }
    match plan.class {
        Class::Restart => site.restart().await?,
        Class::DeleteChild => site.world.remove(&site.path(&plan.aim)?).await?,
        Class::DeleteUnseen => {
            site.gate.set_flow(resource, Flow::Held);
            site.world.remove(&site.path(&plan.aim)?).await?;
            tokio::time::sleep(HELD_AT_LEAST).await;
            release(site, resource, Flow::Expire);
        }
        _ => {
            let paths = object.into_iter().flatten().map(|(path, _)| path);
            let mut labels: Map<String, Value> = paths.filter_map(|path| Some((label(path)?, Value::Null))).collect();
            // With this label, the API server does not copy the labels of a Job's pods to the Job.
            labels.insert(format!("{OWN}label"), "kept".into());
            site.world.patch(&site.path(&plan.aim)?, &json!({"metadata": {"labels": labels}})).await?;
        }
    }
    Ok(true)
}

/// Restarts the operator. From the restart on, the operator's list requests for the plan's resource get stale objects,
/// or pages whose continue token expires. The fault happens only if the operator sends a request whose query permits
/// such a response.
async fn restart_with_lists(site: &Site, plan: &Plan, version: &str) -> Result<()> {
    if site.gate.is_placebo() {
        site.gate.reach("");
    } else {
        let listing = match plan.class {
            Class::StaleList => Listing::From(version.to_owned()),
            _ => Listing::Pages { expires: true },
        };
        site.gate.set_listing(&plan.aim, listing);
    }
    site.restart().await
}

/// Returns the key of the label at `path`, if `path` leads to a label.
fn label(path: &str) -> Option<String> {
    let rest = path.strip_prefix(".metadata.labels")?;
    let name = rest.strip_prefix("[\"").and_then(|rest| rest.strip_suffix("\"]")).or_else(|| rest.strip_prefix('.'))?;
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn labels_are_found_among_fields() {
        assert_eq!(label(".metadata.labels[\"app.kubernetes.io/name\"]").as_deref(), Some("app.kubernetes.io/name"));
        assert_eq!(label(".metadata.labels.app").as_deref(), Some("app"));
        assert_eq!(label(".metadata.name"), None);
        assert_eq!(label(".metadata.labels"), None);
    }
}
