//! The checks of `opctl doctor` for a cluster: the connection to the cluster, the rights of the user, and the
//! differences from the project.

mod certificates;
mod definitions;
mod deployed;
mod rights;

use self::certificates::Certificate;
use super::connect::deadline::no_answer_error;
use super::{Attempt, Connection, Definition, Target, client_certificate, request_error};
use crate::error::Category;
use crate::report::{Check, Console};
use crate::{Error, Result};
use k8s_openapi::jiff::Timestamp;
use std::path::Path;
use std::time::Duration;

/// A project to compare with the cluster.
#[derive(Clone, Copy, Debug)]
pub struct Deployed<'a> {
    /// The folder of the project whose operator is checked.
    pub root: &'a Path,
    /// The namespace of the operator.
    pub namespace: &'a str,
    /// The CRDs of `config/crd`.
    pub definitions: &'a [Definition],
}

/// The results of the checks of a cluster, and the version of its API server.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// The results of the checks.
    pub checks: Vec<Check>,
    /// The server's version, if the server answered.
    pub version: Option<String>,
}

/// Runs the checks for the cluster of `target` and, if `project` is given, the checks of the project in this cluster.
/// The time limit `limit` applies to connecting, and then again to the checks of the project.
pub async fn health(target: &Target, project: Option<Deployed<'_>>, limit: Duration, console: &Console) -> Health {
    let mut certificates: Vec<Certificate> = of_user(target).into_iter().collect();
    let reached = tokio::time::timeout(limit, reach(target, console)).await;
    let (connection, version) = match reached
        .unwrap_or_else(|_| Err(no_answer_error(limit, target.kubectl("get --raw /readyz"))))
    {
        Ok(reached) => reached,
        Err(error) => {
            // A server refuses an expired certificate without saying why.
            let checks = [vec![unreached_check(&error)], certificates::judge(&certificates, Timestamp::now())].concat();
            return Health { checks, version: None };
        }
    };
    let place = format!("{} at {}, Kubernetes {version}", connection.context, connection.server);
    let mut checks = vec![Check::ok("cluster", place)];
    if let Some(project) = project {
        let looked = async {
            let (rights, definitions, deployed) = tokio::join!(
                rights::rights(&connection, project.namespace),
                definitions::drifts(&connection, project.definitions),
                deployed::compare_with_cluster(&connection, project.root, limit),
            );
            certificates.extend(deployed.certificates);
            [rights, definitions, deployed.checks].concat()
        };
        let late = || {
            vec![Check::warning(
                "rights",
                "the cluster did not answer all requests in time",
                "opctl doctor --timeout 1m",
            )]
        };
        checks.extend(tokio::time::timeout(limit, looked).await.unwrap_or_else(|_| late()));
    }
    checks.extend(certificates::judge(&certificates, Timestamp::now()));
    Health { checks, version: Some(version) }
}

async fn reach(target: &Target, console: &Console) -> Result<(Connection, String)> {
    let connection = Connection::open(target, console).await?;
    let attempt = Attempt { verb: "get", resource: "version", name: "the version", namespace: None };
    let version = connection.version().await.map_err(|error| request_error(&error, &connection, attempt))?;
    Ok((connection, version))
}

/// Returns the check for a cluster that does not answer. A missing kubeconfig is only a warning, because much of opctl
/// works without a cluster.
fn unreached_check(error: &Error) -> Check {
    let message = std::iter::once(error.message()).chain(error.causes().last().map(String::as_str));
    let message = message.collect::<Vec<_>>().join(": ");
    let hint = error.hint_or_none();
    match error.category() {
        Category::Environment if error.message().starts_with("no kubeconfig") => {
            Check::warning("cluster", message, hint)
        }
        _ => Check::error("cluster", message, hint),
    }
}

fn of_user(target: &Target) -> Option<Certificate> {
    let (context, pem) = client_certificate(target)?;
    let what = format!("the client certificate of context `{context}`");
    Certificate::first(
        &pem,
        &what,
        "ask the cluster's administrator for a new kubeconfig; with kubeadm: kubeadm certs renew all",
    )
}
