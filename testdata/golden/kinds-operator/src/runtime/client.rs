//! The client that controllers write with: it counts requests, and refuses to change anything when
//! another replica may lead.
use super::leader::Leadership;
use super::metrics::Metrics;
use axum::http::{Method, Request, Response};
use futures::future::BoxFuture;
use kube::client::{Body, ClientBuilder};
use kube::{Client, Config};
use std::sync::Arc;
use std::task::{Context, Poll};
use tower::layer::layer_fn;
use tower::{BoxError, Service};

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
    let checked = layer_fn(|inner| Checked {
        inner,
        host: host.clone(),
        metrics: metrics.clone(),
        leadership: leadership.clone(),
    });
    Ok(ClientBuilder::try_from(config)?
        .with_layer(&checked)
        .build())
}

#[derive(Clone)]
struct Checked<S> {
    inner: S,
    host: String,
    metrics: Arc<Metrics>,
    leadership: Option<Leadership>,
}

impl<S, B> Service<Request<Body>> for Checked<S>
where
    S: Service<Request<Body>, Response = Response<B>, Error = BoxError, Future: Send + 'static>,
    B: 'static,
{
    type Response = Response<B>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Response<B>, BoxError>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let writes = request.method() != Method::GET;
        if writes
            && self
                .leadership
                .as_ref()
                .is_some_and(|leadership| !leadership.holds())
        {
            return Box::pin(async { Err("this replica does not lead any more".into()) });
        }
        let (method, host) = (request.method().to_string(), self.host.clone());
        let (metrics, answer) = (self.metrics.clone(), self.inner.call(request));
        Box::pin(async move {
            let answer = answer.await;
            let code = match &answer {
                Ok(response) => response.status().as_u16().to_string(),
                Err(_) => "<error>".into(),
            };
            metrics.requested(code, method, host);
            answer
        })
    }
}
