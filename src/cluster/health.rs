//! The cluster in a diagnosis: whether it answers, what may be done in it, and whether it has the project's definitions.

use super::limit::silent;
use super::status::{Drift, drift};
use super::{Attempt, Connection, Definition, Target, request_error};
use crate::error::Category;
use crate::report::{Check, Console};
use crate::{Error, Result};
use futures_util::future::join_all;
use k8s_openapi::api::authorization::v1::{ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec};
use kube::Api;
use kube::api::PostParams;
use std::time::Duration;

/// Rights, each with the command that needs it: verb, group, resource, and whether it is of the operator's namespace alone.
const RIGHTS: [(&str, &str, &str, &str, bool); 7] = [
    ("install", "patch", "apiextensions.k8s.io", "customresourcedefinitions", false),
    ("deploy", "patch", "apps", "deployments", true),
    ("deploy", "patch", "rbac.authorization.k8s.io", "clusterroles", false),
    ("undeploy", "delete", "apps", "deployments", true),
    ("status", "list", "", "pods", true),
    ("status", "get", "coordination.k8s.io", "leases", true),
    ("logs", "get", "", "pods/log", true),
];

/// A project, as far as a cluster has it.
#[derive(Clone, Copy, Debug)]
pub struct Deployed<'a> {
    /// The namespace of the operator.
    pub namespace: &'a str,
    /// The definitions of `config/crd`.
    pub definitions: &'a [Definition],
}

/// The checks of a cluster, and its version.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// The checks.
    pub checks: Vec<Check>,
    /// The server's version, where it answered.
    pub version: Option<String>,
}

/// Looks at the cluster of `target`; each answer is waited for `limit`.
pub async fn health(target: &Target, project: Option<Deployed<'_>>, limit: Duration, console: &Console) -> Health {
    let reached = tokio::time::timeout(limit, reach(target, console)).await;
    let (connection, version) =
        match reached.unwrap_or_else(|_| Err(silent(limit, target.kubectl("get --raw /readyz")))) {
            Ok(reached) => reached,
            Err(error) => return Health { checks: vec![unreached(&error)], version: None },
        };
    let place = format!("{} at {}, Kubernetes {version}", connection.context, connection.server);
    let mut checks = vec![Check::ok("cluster", place)];
    if let Some(project) = project {
        let looked = async {
            let (rights, definitions) =
                tokio::join!(rights(&connection, project.namespace), drifts(&connection, project.definitions));
            [rights, definitions].concat()
        };
        let late = || vec![Check::warning("rights", "the cluster answers slowly", "opctl doctor --timeout 60")];
        checks.extend(tokio::time::timeout(limit, looked).await.unwrap_or_else(|_| late()));
    }
    Health { checks, version: Some(version) }
}

async fn reach(target: &Target, console: &Console) -> Result<(Connection, String)> {
    let connection = Connection::open(target, console).await?;
    let attempt = Attempt { verb: "get", resource: "version", name: "the version", namespace: None };
    let version = connection.version().await.map_err(|error| request_error(&error, &connection, attempt))?;
    Ok((connection, version))
}

/// A cluster that does not answer; none at all is no fault, for much can be done without.
fn unreached(error: &Error) -> Check {
    let message = std::iter::once(error.message()).chain(error.causes().last().map(String::as_str));
    let message = message.collect::<Vec<_>>().join(": ");
    let hint = error.hint_text().unwrap_or_default();
    match error.category() {
        Category::Environment if error.message().starts_with("no kubeconfig") => {
            Check::warning("cluster", message, hint)
        }
        _ => Check::mend("cluster", message, hint),
    }
}

async fn rights(connection: &Connection, namespace: &str) -> Vec<Check> {
    let ask = |(command, verb, group, resource, within): (&'static str, &str, &str, &str, bool)| {
        let (name, part) = resource.split_once('/').map_or((resource, None), |(name, part)| (name, Some(part)));
        let attributes = ResourceAttributes {
            group: Some(group.to_owned()),
            namespace: within.then(|| namespace.to_owned()),
            resource: Some(name.to_owned()),
            subresource: part.map(str::to_owned),
            verb: Some(verb.to_owned()),
            ..ResourceAttributes::default()
        };
        let review = SelfSubjectAccessReview {
            spec: SelfSubjectAccessReviewSpec { resource_attributes: Some(attributes), ..Default::default() },
            ..Default::default()
        };
        let within = if within { format!(" --namespace {namespace}") } else { String::new() };
        let question = connection.kubectl(&format!("auth can-i {verb} {resource}{within}"));
        let api: Api<SelfSubjectAccessReview> = Api::all(connection.client.clone());
        let lacking = format!("you may not {verb} {resource}, which `opctl {command}` needs");
        async move {
            let allowed = api.create(&PostParams::default(), &review).await;
            let allowed = allowed.map(|review| review.status.unwrap_or_default().allowed);
            match allowed {
                Ok(true) => None,
                Ok(false) => Some(Check::warning("rights", lacking, format!("{question}    # ask an administrator"))),
                Err(error) => Some(Check::warning("rights", format!("they cannot be known: {error}"), question)),
            }
        }
    };
    let lacking: Vec<Check> = join_all(RIGHTS.map(ask)).await.into_iter().flatten().collect();
    if lacking.is_empty() { vec![Check::ok("rights", "all that opctl's commands need")] } else { lacking }
}

async fn drifts(connection: &Connection, definitions: &[Definition]) -> Vec<Check> {
    let install = || connection.target.opctl("install");
    let judge = |definition: &Definition, found: Result<Drift>| {
        let name = &definition.name;
        match found {
            Ok(Drift::None) => None,
            Ok(Drift::Missing) => Some(Check::warning("CRDs", format!("`{name}` is not installed"), install())),
            Ok(Drift::Differs) => {
                Some(Check::warning("CRDs", format!("`{name}` differs from `config/crd`"), install()))
            }
            Err(error) => Some(Check::warning(
                "CRDs",
                format!("`{name}` cannot be read: {}", error.message()),
                error.hint_text().unwrap_or_default(),
            )),
        }
    };
    let found = join_all(definitions.iter().map(|definition| drift(connection, definition))).await;
    let checks: Vec<Check> =
        definitions.iter().zip(found).filter_map(|(definition, found)| judge(definition, found)).collect();
    if checks.is_empty() && !definitions.is_empty() {
        return vec![Check::ok("CRDs", "installed, as in `config/crd`")];
    }
    checks
}
