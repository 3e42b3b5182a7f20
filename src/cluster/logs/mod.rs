//! `logs`: prints the logs of the operator's pods.

mod follow;
mod printer;
mod stream;

use self::printer::Printer;
use self::stream::{Line, lines};
use super::connect::deadline::no_answer_error;
use super::operator::installed::find_manager_deployment;
use super::operator::replicas::{container, pods};
use super::{Connection, Manager, Target, run_until_interrupted};
use crate::error::{Category, hint};
use crate::report::{Console, Outcome, Report};
use crate::{Error, Result};
use futures_util::StreamExt;
use futures_util::stream::{BoxStream, iter};
use k8s_openapi::api::core::v1::Pod;
use kube::api::LogParams;
use std::path::Path;
use std::time::Duration;

/// A time limit of ten years, for operations that have no time limit.
const FOREVER: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// Options of `logs`.
#[derive(Clone, Debug)]
pub struct LogsOptions {
    /// The cluster to read from.
    pub target: Target,
    /// The project's name, a label value by which opctl finds the operator's Deployment even if the name of the
    /// Deployment differs from the name in the project's files.
    pub project: String,
    /// The namespace to search; `None` to search the namespace in the project's files, and then all namespaces.
    pub namespace: Option<String>,
    /// Time limit for finding the pods and, without `follow`, for each line of their logs.
    pub timeout: Duration,
    /// Follow the log: print new lines as they come.
    pub follow: bool,
    /// The maximum age of the printed lines; `None` for lines of any age.
    pub since: Option<Duration>,
    /// The number of last lines to print for each pod; `None` for all lines.
    pub tail: Option<u32>,
    /// Print the logs of the previous runs of the containers.
    pub previous: bool,
    /// The name of the container to read; `None` for the operator's container.
    pub container: Option<String>,
}

/// Prints the logs of the operator of the project at `root`. With several pods, each line begins with the pod's name.
///
/// # Errors
/// Fails if the operator is not deployed, has no pod or no log, or if the server refuses a request.
pub fn logs(root: &Path, options: &LogsOptions, console: &Console) -> Result<Report> {
    let named = Manager::of(root)?;
    let printed = run_until_interrupted(&options.target, FOREVER, async {
        let connection = Connection::open(&options.target, console).await?;
        connection.show(console);
        let limited = tokio::time::timeout(options.timeout, find(&connection, named, options)).await;
        let (manager, pods, container) =
            limited.map_err(|_| no_answer_error(options.timeout, connection.kubectl("get --raw /readyz")))??;
        print(&connection, &manager, &pods, &container, options, console).await
    });
    match printed {
        // An interrupt is the usual way to end `--follow`.
        Err(error) if error.category() == Category::Interrupted && options.follow => {
            Ok(Report::new("logs", Outcome::Interrupted))
        }
        printed => printed,
    }
}

/// Returns the namespace and the name of the operator's Deployment, its pods, and the name of the container to read.
async fn find(connection: &Connection, named: Manager, options: &LogsOptions) -> Result<(Manager, Vec<Pod>, String)> {
    let namespace = options.namespace.as_deref();
    let (manager, found) = find_manager_deployment(connection, named, &options.project, namespace, "logs").await?;
    let Some(deployment) = found else {
        return Err(Error::cluster(format!("the operator is not deployed in context `{}`", connection.context))
            .caused_by(format!("there is no Deployment `{}` in namespace `{}`", manager.name, manager.namespace))
            .hint(connection.target.opctl("deploy --image registry.example.com/my-operator:0.1.0")));
    };
    let pods = pods(connection, &manager, &deployment).await?;
    if pods.is_empty() {
        return Err(Error::cluster(format!("the Deployment `{}` has no pod", manager.name))
            .caused_by(format!("it wants {} replicas", deployment.spec.replicas.unwrap_or(1)))
            .hint(connection.kubectl(hint!("describe {}", manager.arguments()))));
    }
    let own = container(&deployment).map(|container| container.name.clone()).unwrap_or_default();
    Ok((manager, pods, options.container.clone().unwrap_or(own)))
}

async fn print(
    connection: &Connection,
    manager: &Manager,
    pods: &[Pod],
    container: &str,
    options: &LogsOptions,
    console: &Console,
) -> Result<Report> {
    let parameters = LogParams {
        container: Some(container.to_owned()),
        follow: options.follow,
        previous: options.previous,
        // The server takes whole seconds only.
        since_seconds: options.since.map(|since| i64::try_from(since.as_secs().max(1)).unwrap_or(i64::MAX)),
        tail_lines: options.tail.map(i64::from),
        ..LogParams::default()
    };
    let mut printer = Printer::new(console, container, pods.len() > 1);
    if options.follow {
        return follow::follow_logs(connection, manager, pods, &parameters, FOREVER, &mut printer).await;
    }
    let names = pods.iter().filter_map(|pod| pod.metadata.name.clone());
    let of_pod = |name: String| -> BoxStream<'static, Line> {
        lines(connection.clone(), manager.namespace.clone(), name, parameters.clone(), options.timeout).boxed()
    };
    // The log of one pod comes after the other.
    let mut all = iter(names.map(of_pod).collect::<Vec<_>>()).flatten();
    while let Some(line) = all.next().await {
        let failure = printer.print(line);
        if failure.is_none() && !console.is_read() {
            break;
        }
        printer.failures.extend(failure);
    }
    let Printer { mut failures, printed, .. } = printer;
    let mut report = Report::new("logs", Outcome::Shown);
    if !printed && failures.len() == pods.len() {
        let first = failures.remove(0);
        return Err(failures.iter().fold(first, Error::caused_by));
    }
    if !printed {
        console.note("the log is empty");
    }
    report.warnings = failures.iter().map(ToString::to_string).collect();
    Ok(report)
}
