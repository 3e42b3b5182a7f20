//! The client that controllers write with: it counts requests, and refuses to change anything when
//! another replica may lead.
use super::leader::Leadership;
use super::metrics::Metrics;
use axum::http::{Method, Request};
use kube::{Client, Config, client::Body};
use std::sync::Arc;
use tower::{BoxError, service_fn};

/// Everybody may read. Only who leads may write, if there is an election.
pub fn connect(
    mut config: Config,
    metrics: &Arc<Metrics>,
    leadership: Option<Leadership>,
) -> kube::Result<Client> {
    // A retry would not be checked: by then the lease may be lost. Passes are tried again anyway.
    config.default_retry = leadership.is_none();
    let host = config
        .cluster_url
        .authority()
        .map_or(String::new(), ToString::to_string);
    let (namespace, metrics) = (config.default_namespace.clone(), metrics.clone());
    let client = Client::try_from(config)?;
    let checked = service_fn(move |request: Request<Body>| {
        let (client, metrics, host) = (client.clone(), metrics.clone(), host.clone());
        let may_write = leadership.as_ref().is_none_or(Leadership::holds);
        async move {
            if !may_write && request.method() != Method::GET {
                return Err("this replica does not lead any more".into());
            }
            let method = request.method().to_string();
            let answer = client.send(request).await;
            let code = match &answer {
                Ok(response) => response.status().as_u16().to_string(),
                Err(_) => "<error>".into(),
            };
            metrics.requested(code, method, host);
            answer.map_err(BoxError::from)
        }
    });
    Ok(Client::new(checked, namespace))
}
