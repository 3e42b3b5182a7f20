//! Finds the operator in the cluster, even if a chart, the Operator Lifecycle Manager or a kustomization has installed
//! it under a name or in a namespace that differs from the files below `config`.

use super::replicas::deployment;
use crate::cluster::{Attempt, Connection, Manager, request_error};
use crate::error::hint;
use crate::{Error, Result};
use k8s_openapi::api::apps::v1::Deployment;
use kube::Api;
use kube::api::ListParams;

/// The label that all objects of an operator have; its value is the project's name (kubernetes.io, "Recommended
/// Labels").
const NAME: &str = "app.kubernetes.io/name";
/// The maximum number of Deployments that the API server returns in the search for the operator.
const MOST: u32 = 50;

/// Finds the operator's Deployment in the cluster. Returns the Deployment with its namespace and name or, if the
/// operator is not deployed, `None` with the expected namespace and name. First reads the Deployment `manager`, whose
/// namespace and name come from the files below `config`. If this Deployment does not exist, searches all namespaces
/// for the only Deployment that has the project's label (`app.kubernetes.io/name`) and a container named `manager`. If
/// `namespace` is given, reads and searches only in `namespace`.
///
/// # Errors
/// Fails if the search finds several Deployments, or if the server refuses a request. A search of all namespaces that
/// the server forbids is not an error, but finds no Deployment.
pub async fn find_manager_deployment(
    connection: &Connection,
    manager: Manager,
    project: &str,
    namespace: Option<&str>,
    command: &str,
) -> Result<(Manager, Option<Deployment>)> {
    if namespace.is_none_or(|named| named == manager.namespace) {
        let usual = deployment(connection, &manager).await?;
        if usual.is_some() {
            return Ok((manager, usual));
        }
    }
    let api: Api<Deployment> = match namespace {
        Some(namespace) => Api::namespaced(connection.client.clone(), namespace),
        None => Api::all(connection.client.clone()),
    };
    let parameters = ListParams::default().labels(&format!("{NAME}={project}")).limit(MOST);
    let found = match api.list(&parameters).await {
        Ok(list) => list.items,
        // Whoever may read one namespace only cannot look into the others.
        Err(kube::Error::Api(status)) if status.code == 403 && namespace.is_none() => Vec::new(),
        Err(error) => {
            let attempt = Attempt { verb: "list", resource: "deployments", name: "deployments", namespace };
            return Err(request_error(&error, connection, attempt));
        }
    };
    let has_operator = |deployment: &Deployment| {
        let spec = deployment.spec.template.spec.as_ref();
        spec.is_some_and(|spec| spec.containers.iter().any(|container| container.name == "manager"))
    };
    let mut found: Vec<Deployment> = found.into_iter().filter(has_operator).collect();
    match found.len() {
        0 => Ok((Manager { namespace: namespace.map_or(manager.namespace, str::to_owned), ..manager }, None)),
        1 => {
            let deployment = found.remove(0);
            Ok((manager_of_deployment(&deployment), Some(deployment)))
        }
        _ => {
            let places: Vec<Manager> = found.iter().map(manager_of_deployment).collect();
            let error =
                Error::user(format!("the operator is deployed several times in context `{}`", connection.context));
            let error = places.iter().fold(error, |error, place| {
                error.caused_by(format!("Deployment `{}` in namespace `{}`", place.name, place.namespace))
            });
            Err(error.hint(connection.target.opctl(hint!("{command} --namespace {}", places[0].namespace, command))))
        }
    }
}

fn manager_of_deployment(deployment: &Deployment) -> Manager {
    let metadata = &deployment.metadata;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Manager { namespace: text(&metadata.namespace), name: text(&metadata.name) }
}
