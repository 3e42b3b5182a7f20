//! What is served: probes for the kubelet, metrics for Prometheus.
use super::health::Health;
use super::metrics::Metrics;
use super::tls::Tls;
use anyhow::Context;
use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::get;
use axum::serve::Listener;
use k8s_openapi::api::authentication::v1::{TokenReview, TokenReviewSpec};
use k8s_openapi::api::authorization::v1::{
    NonResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec,
};
use kube::api::PostParams;
use kube::{Api, Client};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

#[derive(clap::Args)]
pub struct ServerOptions {
    /// Address that serves /healthz and /readyz, such as :8081; 0 for none
    #[arg(long, env, value_name = "ADDRESS", default_value = ":8081")]
    health_probe_bind_address: String,
    /// Address that serves /metrics, such as :8443; 0 for none
    #[arg(long, env, value_name = "ADDRESS", default_value = "0")]
    metrics_bind_address: String,
    /// Serve metrics over HTTPS, to those who may get /metrics in the cluster
    #[arg(long, env, value_name = "BOOL", action = clap::ArgAction::Set, num_args = 0..=1)]
    #[arg(
        require_equals = true,
        default_value = "true",
        default_missing_value = "true"
    )]
    metrics_secure: bool,
    /// Directory of tls.crt and tls.key; without it, nobody signs the certificate
    #[arg(long, env, value_name = "PATH")]
    metrics_cert_path: Option<PathBuf>,
}

impl ServerOptions {
    pub async fn serve_probes(
        &self,
        health: Health,
        stop: &CancellationToken,
    ) -> anyhow::Result<()> {
        match bind(&self.health_probe_bind_address).await? {
            Some(tcp) => serve("probes", tcp, health.routes(), stop).await,
            None => Ok(()),
        }
    }

    pub async fn serve_metrics(
        &self,
        metrics: Arc<Metrics>,
        client: Client,
        stop: &CancellationToken,
    ) -> anyhow::Result<()> {
        let Some(tcp) = bind(&self.metrics_bind_address).await? else {
            return Ok(());
        };
        let secure = self.metrics_secure;
        let answer = async move |headers: HeaderMap| {
            if secure {
                may_read_metrics(&client, &headers).await?;
            }
            let text = metrics
                .encode()
                .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
            let type_ = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            Ok::<_, StatusCode>(([(header::CONTENT_TYPE, type_)], text))
        };
        let routes = Router::new().route("/metrics", get(answer));
        if secure {
            let tls = Tls::new(tcp, self.metrics_cert_path.clone())?;
            serve("metrics", tls, routes, stop).await
        } else {
            serve("metrics", tcp, routes, stop).await
        }
    }
}

/// Asks the API server who sends the token, and whether they may get /metrics.
async fn may_read_metrics(client: &Client, headers: &HeaderMap) -> Result<(), StatusCode> {
    let failed = |error| {
        tracing::warn!("cannot ask who may read the metrics: {error}");
        StatusCode::INTERNAL_SERVER_ERROR
    };
    let header = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let token = header.and_then(|value| value.strip_prefix("Bearer "));
    let token = token.ok_or(StatusCode::UNAUTHORIZED)?.to_owned();
    let review = TokenReview {
        spec: TokenReviewSpec {
            token,
            ..Default::default()
        },
        ..Default::default()
    };
    let reviews = Api::all(client.clone());
    let review = reviews
        .create(&PostParams::default(), &review)
        .await
        .map_err(failed)?;
    let status = review
        .status
        .filter(|status| status.authenticated == Some(true));
    let user = status
        .and_then(|status| status.user)
        .ok_or(StatusCode::UNAUTHORIZED)?;

    let get = NonResourceAttributes {
        path: Some("/metrics".into()),
        verb: Some("get".into()),
    };
    let review = SubjectAccessReview {
        spec: SubjectAccessReviewSpec {
            user: user.username,
            uid: user.uid,
            groups: user.groups,
            extra: user.extra,
            non_resource_attributes: Some(get),
            ..Default::default()
        },
        ..Default::default()
    };
    let reviews = Api::all(client.clone());
    let review = reviews
        .create(&PostParams::default(), &review)
        .await
        .map_err(failed)?;
    let allowed = review.status.is_some_and(|status| status.allowed);
    if allowed {
        Ok(())
    } else {
        Err(StatusCode::FORBIDDEN)
    }
}

async fn bind(address: &str) -> anyhow::Result<Option<TcpListener>> {
    let bound = match address {
        "0" => return Ok(None),
        // On most machines, that takes IPv4 as well.
        all if all.starts_with(':') => match TcpListener::bind(format!("[::]{all}")).await {
            Err(_) => TcpListener::bind(format!("0.0.0.0{all}")).await,
            bound => bound,
        },
        one => TcpListener::bind(one).await,
    };
    Ok(Some(
        bound.with_context(|| format!("cannot listen at {address}"))?,
    ))
}

async fn serve(
    what: &str,
    listener: impl Listener<Addr = SocketAddr>,
    routes: Router,
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    tracing::info!(address = %listener.local_addr()?, "serving {what}");
    let serve = axum::serve(listener, routes).into_future();
    stop.run_until_cancelled(serve).await.unwrap_or(Ok(()))?;
    Ok(())
}
