//! Reads the last lines of the operator's logs.

use super::place::Place;
use crate::Result;
use crate::cluster::operator::replicas::{container, deployment, pods};
use crate::cluster::{Connection, Manager, request_error, run_until_interrupted};
use crate::report::Console;
use k8s_openapi::api::core::v1::Pod;
use kube::Api;
use kube::api::LogParams;

/// The maximum number of log lines of each container.
const LINES: i64 = 60;

/// Returns the last log lines of the operator's container in each of the operator's pods, including the previous run of
/// a restarted container. Each log has a heading. Returns an empty text if the operator is not deployed.
///
/// # Errors
/// Fails if the server refuses a request.
pub fn last_words(place: &Place, console: &Console) -> Result<String> {
    let manager = Manager::of(place.root)?;
    run_until_interrupted(&place.target, place.timeout, async {
        let connection = Connection::open(&place.target, console).await?;
        let Some(deployment) = deployment(&connection, &manager).await? else { return Ok(String::new()) };
        let api: Api<Pod> = Api::namespaced(connection.client.clone(), &manager.namespace);
        let container = container(&deployment).map(|container| container.name.clone());
        let mut text = String::new();
        for pod in pods(&connection, &manager, &deployment).await? {
            let statuses = pod.status.iter().flat_map(|status| status.container_statuses.iter().flatten());
            let has_ended = statuses.into_iter().any(|status| status.restart_count > 0);
            let name = pod.metadata.name.unwrap_or_default();
            for previous in [true, false].into_iter().filter(|previous| has_ended || !previous) {
                let parameters = LogParams {
                    container: container.clone(),
                    previous,
                    tail_lines: Some(LINES),
                    ..LogParams::default()
                };
                let said = match api.logs(&name, &parameters).await {
                    Ok(said) => said,
                    // A container that never ran has no log.
                    Err(kube::Error::Api(status)) if matches!(status.code, 400 | 404) => continue,
                    Err(error) => {
                        let namespace = Some(manager.namespace.as_str());
                        let attempt =
                            crate::cluster::Attempt { verb: "get", resource: "pods/log", name: &name, namespace };
                        return Err(request_error(&error, &connection, attempt));
                    }
                };
                let which = if previous { ", previous container" } else { "" };
                text.push_str(&format!("The log of pod `{name}`{which}:\n{said}\n"));
            }
        }
        Ok(text)
    })
}
