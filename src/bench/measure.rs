//! Takes one measurement: starts the operator with existing objects, measures it at rest, and starts it again.

use super::cluster::{Cluster, Place};
use super::copies;
use super::measured::{Idle, Measured, Restart, as_f64};
use super::plan::Plan;
use super::process::Process;
use super::rest::{self, GLANCE, Waits};
use super::traffic::Counts;
use crate::Result;
use crate::report::Console;
use std::time::{Duration, Instant};

/// The time limit for an operator to come to rest, without objects or after a restart.
const SETTLES_WITHIN: Duration = Duration::from_secs(90);
/// The maximum time for which an operator without objects is measured at rest.
const IDLE: Duration = Duration::from_secs(5);

/// Measures the operator without objects, in a cluster in which the operator has not run before.
///
/// # Errors
/// Fails if the operator does not start, exits, or does not read its objects.
pub async fn idle(cluster: &Cluster, plan: &Plan, console: &Console) -> Result<Idle> {
    let _spinner = console.spinner("Measuring", "the operator without objects");
    let place = prepare(cluster, plan).await?;
    let mut process = Process::start(cluster, plan, &place.collection).await?;
    rest::calm(&mut process, &place, SETTLES_WITHIN).await?;
    let steady = Steady::of(&mut process, IDLE.min(plan.steady)).await?;
    let peak_bytes = process.usage()?.peak;
    drop(process);
    cluster.delete_leases(&plan.operator_namespace).await?;
    Ok(Idle { peak_bytes, steady_bytes: steady.bytes, steady_millicores: steady.millicores })
}

/// Creates `objects` copies of the sample, and measures the operator with the copies. Also returns true if the operator
/// was done with all copies.
///
/// # Errors
/// Fails if the API server refuses the sample, or if the operator does not start, exits, or does not read its objects.
pub async fn measure(cluster: &Cluster, plan: &Plan, objects: u32, console: &Console) -> Result<(Measured, bool)> {
    let place = prepare(cluster, plan).await?;
    let spinner = console.spinner("Creating", format!("{objects} copies of `{}`", copies::base_name(&plan.sample)));
    copies::create(cluster, &place, &plan.sample, objects, &spinner).await?;
    drop(spinner);

    let spinner = console.spinner("Measuring", format!("the operator with {objects} objects"));
    let mut process = Process::start(cluster, plan, &place.collection).await?;
    let waits = Waits { needs_ready: plan.needs_ready, limit: plan.timeout };
    let (progress, done) = rest::wait_until_done(cluster, &mut process, &place, waits, &spinner).await?;
    let (usage, times, counts) = (process.usage()?, process.traffic.times(), process.traffic.counts());
    spinner.set_message("the operator at rest");
    let steady = Steady::of(&mut process, plan.steady).await?;
    let first_peak = process.usage()?.peak;
    drop(process);
    cluster.delete_leases(&plan.operator_namespace).await?;

    spinner.set_message("the operator after a restart");
    let mut process = Process::start(cluster, plan, &place.collection).await?;
    rest::calm(&mut process, &place, SETTLES_WITHIN).await?;
    let again = process.usage()?;
    let restart = Restart {
        peak_bytes: again.peak,
        cpu_seconds: again.processor.as_secs_f64(),
        requests: process.traffic.counts().requests,
    };
    let Counts { requests, refused, received, sent, .. } = counts;
    let measured = Measured {
        objects,
        peak_bytes: first_peak.max(restart.peak_bytes),
        steady_bytes: steady.bytes,
        cpu_seconds: usage.processor.as_secs_f64(),
        seconds: times.last,
        median_seconds: times.median,
        p99_seconds: times.p99,
        requests,
        refused,
        received_bytes: received,
        sent_bytes: sent,
        progress,
        steady_millicores: steady.millicores,
        steady_requests_per_minute: steady.requests_per_minute,
        restart,
    };
    Ok((measured, done))
}

/// Creates the namespaces and the other objects of `plan`, but not yet the copies of its sample custom resource.
/// Returns the URL path and the resource name for these copies.
async fn prepare(cluster: &Cluster, plan: &Plan) -> Result<Place> {
    for namespace in [&plan.namespace, &plan.operator_namespace] {
        cluster.make_namespace(namespace).await?;
    }
    for object in &plan.others {
        let place = cluster.find_place(object, &plan.namespace).await?;
        cluster.make(&place.path, object).await.map_err(|error| copies::refused_object_error(object, &error))?;
    }
    cluster.find_place(&plan.sample, &plan.namespace).await
}

/// The resource usage of the operator at rest.
struct Steady {
    bytes: u64,
    millicores: f64,
    requests_per_minute: f64,
}

impl Steady {
    /// Measures the operator for the duration `time`.
    async fn of(process: &mut Process<'_>, time: Duration) -> Result<Steady> {
        let (begun, before, requests) = (Instant::now(), process.usage()?, process.traffic.counts().total());
        let mut resident = vec![before.resident];
        let mut after = before;
        while begun.elapsed() < time {
            tokio::time::sleep(GLANCE).await;
            after = process.usage()?;
            resident.push(after.resident);
        }
        resident.sort_unstable();
        let seconds = begun.elapsed().as_secs_f64().max(0.001);
        let used = after.processor.saturating_sub(before.processor).as_secs_f64();
        let sent = process.traffic.counts().total().saturating_sub(requests);
        Ok(Steady {
            bytes: resident[resident.len() / 2],
            millicores: 1000.0 * used / seconds,
            requests_per_minute: 60.0 * as_f64(sent) / seconds,
        })
    }
}
