//! `status`: shows the operator in the cluster, its CRDs and its objects.

pub(super) mod count_objects;
mod definitions;
mod events;
mod found;
mod operator;
mod problems;
mod render_status;
mod status_part;
#[cfg(test)]
mod tests;

use self::found::{KindStatus, OperatorStatus};
use super::operator::installed::find_manager_deployment;
use super::{Attempt, Connection, Definition, Manager, Target, read_definitions, request_error, run_until_interrupted};
use crate::error::{Category, hint};
use crate::report::{Console, Report};
use crate::{Error, Result};
use futures_util::StreamExt;
use futures_util::stream::iter;
use k8s_openapi::jiff::Timestamp;
use status_part::Part;
use std::path::Path;
use std::time::Duration;

/// The number of kinds that are read at the same time.
const PARALLEL: usize = 4;

/// Options of `status`.
#[derive(Clone, Debug)]
pub struct StatusOptions {
    /// The cluster to read from.
    pub target: Target,
    /// The only namespace to search for the operator; with `None`, opctl searches the namespace that the project's
    /// files name, and then all namespaces.
    pub namespace: Option<String>,
    /// Time limit of the whole command.
    pub timeout: Duration,
    /// Fail if the status has problems.
    pub check: bool,
    /// True if the project defines kinds.
    pub has_kinds: bool,
}

/// Shows the status of the project `name` at `root` in the cluster. If the user lacks the right to read a part of the
/// status, reports this part as unreadable, and still shows the other parts.
///
/// # Errors
/// Fails if the manifests do not name the operator's Deployment, if the cluster cannot be reached, or, with `check`, if
/// there are problems.
pub fn status(name: &str, root: &Path, options: &StatusOptions, console: &Console) -> Result<Report> {
    let manager = Manager::of(root)?;
    let definitions = if options.has_kinds { read_definitions(root) } else { Ok(Vec::new()) };
    run_until_interrupted(&options.target, options.timeout, async {
        let connection = Connection::open(&options.target, console).await?;
        connection.show(console);
        let now = Timestamp::now();
        let found = look(&connection, name, (manager, options.namespace.as_deref()), definitions, now).await?;
        Ok(report(&found, &connection, options, now))
    })
}

async fn look(
    connection: &Connection,
    name: &str,
    (named, namespace): (Manager, Option<&str>),
    definitions: Result<Vec<Definition>>,
    now: Timestamp,
) -> Result<OperatorStatus> {
    let server_version = version(connection).await?;
    let all = definitions.as_ref().map(Vec::as_slice).unwrap_or_default();
    let (manager, deployment) =
        match find_manager_deployment(connection, named.clone(), name, namespace, "status").await {
            Ok((manager, deployment)) => (manager, Ok(deployment)),
            // A user who may not read Deployments still sees the other parts.
            Err(error) if error.category() == Category::Cluster && namespace.is_none() => (named, Err(error)),
            Err(error) => return Err(error),
        };
    let (operator, leader, kinds, warnings) = tokio::join!(
        operator::operator(connection, &manager, deployment),
        operator::leader(connection, &manager.namespace, name, now),
        iter(all).map(|definition| kind(connection, definition)).buffered(PARALLEL).collect::<Vec<_>>(),
        events::warnings(connection, all),
    );
    let mut found = OperatorStatus {
        context: connection.context.clone(),
        server: connection.server.clone(),
        server_version,
        manager,
        operator: operator.into(),
        leader: leader.into(),
        kinds: definitions.map(|_| kinds).into(),
        warnings: warnings.into(),
        problems: Vec::new(),
    };
    found.problems = problems::problems(&found);
    Ok(found)
}

/// Reads the version of the API server, to check that the server answers. By default, every authenticated user may read
/// the version. Returns `None` if the server answers, but refuses the request of an authenticated user (with any error
/// status except 401).
async fn version(connection: &Connection) -> Result<Option<String>> {
    match connection.version().await {
        Ok(version) => Ok(Some(version)),
        Err(kube::Error::Api(status)) if status.code != 401 => Ok(None),
        Err(error) => {
            let attempt = Attempt { verb: "get", resource: "version", name: "the version", namespace: None };
            Err(request_error(&error, connection, attempt))
        }
    }
}

/// The difference between a CRD in the cluster and the same CRD in the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drift {
    /// The CRD in the cluster equals the file in `config/crd`.
    None,
    /// The CRD is not installed.
    Missing,
    /// The CRD is installed, but lacks a field of the project's CRD or has another value for such a field.
    Differs,
}

/// Compares the CRD in the cluster with the same CRD in the project.
pub(super) async fn drift(connection: &Connection, definition: &Definition) -> Result<Drift> {
    Ok(match definitions::read_installed_definition(connection, definition).await? {
        None => Drift::Missing,
        Some(installed) if installed.drifted => Drift::Differs,
        Some(_) => Drift::None,
    })
}

async fn kind(connection: &Connection, definition: &Definition) -> KindStatus {
    let installed = definitions::read_installed_definition(connection, definition).await;
    let read = match &installed {
        Ok(Some(live)) => live.served.first().map(|version| (version.clone(), live.has_conditions)),
        Ok(None) => None,
        // A user who may not read CRDs may still read objects.
        Err(_) => definition.served.first().map(|version| (version.clone(), true)),
    };
    let objects = match read {
        Some((version, has_conditions)) => {
            count_objects::objects(connection, definition, &version, has_conditions).await.map(Some)
        }
        None => Ok(None),
    };
    KindStatus {
        name: definition.name.clone(),
        kind: definition.kind.clone(),
        definition: installed.into(),
        objects: objects.into(),
    }
}

fn report(found: &OperatorStatus, connection: &Connection, options: &StatusOptions, now: Timestamp) -> Report {
    let data = serde_json::to_value(found).unwrap_or_default();
    let mut report = Report::shown("status", render_status::text(found, now), data);
    let target = &connection.target;
    let kinds = found.kinds.known().map(Vec::as_slice).unwrap_or_default();
    let is_missing = |kind: &KindStatus| match &kind.definition {
        Part::Known(installed) => installed.as_ref().is_none_or(|installed| installed.drifted),
        Part::Unknown { .. } => false,
    };
    if matches!(found.operator, Part::Known(None)) {
        report = report.next(target.opctl("deploy --image registry.example.com/my-operator:0.1.0"));
    } else if kinds.iter().any(is_missing) {
        report = report.next(target.opctl("install"));
    }
    let pods = found.operator.known().and_then(Option::as_ref).and_then(|operator| operator.pods.known());
    if let Some(pod) = pods.into_iter().flatten().find(|pod| !pod.ready) {
        report = report.next(target.opctl(if pod.restarts > 0 { "logs --previous" } else { "logs" }));
        let arguments = hint!("describe pod {} --namespace {}", pod.name, found.manager.namespace);
        report = report.next(connection.kubectl(arguments));
    }
    if options.check && !found.problems.is_empty() {
        let error = Error::conflict("the operator has problems");
        let error = found.problems.iter().fold(error, Error::caused_by);
        let hint = report.next.first().cloned();
        let hint = hint.unwrap_or_else(|| connection.kubectl(hint!("describe {}", found.manager.arguments())));
        report.next.clear();
        return report.fails(&error.hint(hint));
    }
    report
}
