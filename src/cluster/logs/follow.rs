//! Follows the logs of the operator's pods, including containers that are restarted and pods that start later.

use super::printer::Printer;
use super::stream::{Line, lines};
use crate::Result;
use crate::cluster::operator::replicas::{deployment, pods};
use crate::cluster::{Connection, Manager};
use crate::report::{Outcome, Report};
use futures_util::StreamExt;
use futures_util::stream::{BoxStream, SelectAll, once};
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::jiff::Timestamp;
use kube::api::LogParams;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The interval between two searches for new pods and containers.
const PAUSE: Duration = Duration::from_secs(1);

/// The number of consecutive failed searches for pods after which opctl stops with an error, unless opctl still follows
/// a log.
const LOOKS: usize = 30;

enum Event {
    Line(Line),
    /// The log of the container in the pod with this name has ended.
    Ended(String),
}

/// The logs that are followed.
#[derive(Default)]
struct Followed {
    streams: SelectAll<BoxStream<'static, Event>>,
    active: BTreeSet<String>,
    /// The id of the container whose log was read last, keyed by pod.
    containers: BTreeMap<String, String>,
    /// The time from which an interrupted log is read again, keyed by pod.
    resumed: BTreeMap<String, Timestamp>,
}

impl Followed {
    fn follow_pod(
        &mut self,
        pod: &str,
        connection: &Connection,
        manager: &Manager,
        parameters: LogParams,
        limit: Duration,
    ) {
        let lines = lines(connection.clone(), manager.namespace.clone(), pod.to_owned(), parameters, limit);
        let ended = Event::Ended(pod.to_owned());
        self.streams.push(lines.map(Event::Line).chain(once(async { ended })).boxed());
        self.active.insert(pod.to_owned());
    }
}

/// Prints the logs of the pods in `found`, and of the pods and containers that replace them, until the Deployment
/// is deleted. `parameters` apply only to the pods in `found`; `limit` is the time limit for each line of a log.
///
/// # Errors
/// Fails if the cluster repeatedly does not answer while no log is followed.
pub(super) async fn follow_logs(
    connection: &Connection,
    manager: &Manager,
    found: &[Pod],
    parameters: &LogParams,
    limit: Duration,
    printer: &mut Printer<'_>,
) -> Result<Report> {
    let mut followed = Followed::default();
    let own = printer.container.to_owned();
    for pod in found {
        let name = pod.metadata.name.clone().unwrap_or_default();
        followed.follow_pod(&name, connection, manager, parameters.clone(), limit);
        followed.containers.extend(container(pod, &own).map(|id| (name, id)));
    }
    let mut last_warnings = BTreeMap::new();
    let mut looks = tokio::time::interval(PAUSE);
    looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut failed = 0;
    loop {
        tokio::select! {
            Some(event) = followed.streams.next() => match event {
                Event::Ended(pod) => {
                    followed.active.remove(&pod);
                }
                Event::Line(line) => {
                    let pod = line.pod.clone();
                    if let Some(error) = printer.print(line) {
                        followed.containers.remove(&pod);
                        followed.resumed.insert(pod.clone(), Timestamp::now());
                        let text = error.to_string();
                        if last_warnings.insert(pod, text.clone()).as_ref() != Some(&text) {
                            printer.console.warning(text);
                        }
                    }
                    if !printer.console.is_read() {
                        break;
                    }
                }
            },
            _ = looks.tick() => match look(connection, manager).await {
                Ok(None) if followed.active.is_empty() => {
                    printer.console.note("the operator was removed from the cluster");
                    break;
                }
                Ok(pods) => {
                    failed = 0;
                    for pod in pods.unwrap_or_default() {
                        go_on(&mut followed, &pod, connection, manager, limit, printer);
                    }
                }
                Err(error) => {
                    failed += 1;
                    if failed >= LOOKS && followed.active.is_empty() {
                        return Err(error);
                    }
                }
            },
        }
    }
    Ok(Report::new("logs", Outcome::Shown))
}

/// Follows the log of the container in `pod`. Does nothing if opctl already follows the pod's log, or has read this
/// container's log before.
fn go_on(
    followed: &mut Followed,
    pod: &Pod,
    connection: &Connection,
    manager: &Manager,
    limit: Duration,
    printer: &mut Printer<'_>,
) {
    let name = pod.metadata.name.clone().unwrap_or_default();
    let Some(id) = container(pod, printer.container) else { return };
    if followed.active.contains(&name) || followed.containers.get(&name) == Some(&id) {
        return;
    }
    let since_time = followed.resumed.remove(&name);
    let is_new = since_time.is_none();
    let parameters =
        LogParams { container: Some(printer.container.to_owned()), follow: true, since_time, ..LogParams::default() };
    if is_new {
        let what = if followed.containers.contains_key(&name) { "the next container of pod" } else { "pod" };
        printer.console.status("Following", format!("{what} `{name}`"));
        // The lines of two pods need their names, and keep them.
        printer.names_pods |= followed.containers.keys().any(|other| *other != name);
    }
    followed.follow_pod(&name, connection, manager, parameters, limit);
    followed.containers.insert(name, id);
}

/// Returns the pods of the operator; `None` if the operator is not deployed.
async fn look(connection: &Connection, manager: &Manager) -> Result<Option<Vec<Pod>>> {
    let Some(deployment) = deployment(connection, manager).await? else { return Ok(None) };
    pods(connection, manager, &deployment).await.map(Some)
}

/// Returns the id of the current run, or else of the last run, of the container `name` in the pod; `None` if the
/// container has never run.
fn container(pod: &Pod, name: &str) -> Option<String> {
    let statuses = pod.status.as_ref()?.container_statuses.as_ref()?;
    let id = statuses.iter().find(|status| status.name == name)?.container_id.clone()?;
    (!id.is_empty()).then_some(id)
}
