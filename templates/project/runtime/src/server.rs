//! The servers: probes for the kubelet, metrics for Prometheus.

use crate::connections::{self, Connection, FEW};
use crate::manager::Shared;
use crate::reviews::Reviews;
use crate::tls::{Certificate, Files, RENEW, Served, Terms};
use anyhow::Context;
use axum::http::{HeaderMap, StatusCode, header};
use axum::{Extension, Router, routing::get};
use futures::future::{pending, try_join};
use kube::Client;
use parking_lot::Mutex;
use rcgen::generate_simple_self_signed;
use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration, time::Instant};
use tokio::{net::TcpListener, time::sleep};
use tokio_util::sync::CancellationToken;

/// The name of the webhooks among the controllers, and in the log.
pub const WEBHOOKS: &str = "webhooks";
/// The name of the leader election among the controllers.
pub const ELECTION: &str = "leader election";
/// The time after its last heartbeat at which a controller counts as stuck.
const STUCK: Duration = Duration::from_secs(60);

#[derive(clap::Args, Clone, Debug)]
pub struct ServerOptions {
    /// Address that serves /healthz and /readyz, such as :8081; 0 for none
    #[arg(long, env, value_name = "ADDRESS", default_value = ":8081")]
    health_probe_bind_address: String,
    /// Address that serves /metrics, such as :8443; 0 for none
    #[arg(long, env, value_name = "ADDRESS", default_value = "0")]
    metrics_bind_address: String,
    /// Serve metrics over HTTPS, to those who may get /metrics in the cluster
    #[arg(long, env, value_name = "BOOL", action = clap::ArgAction::Set)]
    #[arg(num_args = 0..=1, require_equals = true)]
    #[arg(default_value = "true", default_missing_value = "true")]
    metrics_secure: bool,
    /// Directory of tls.crt and tls.key; without it, the certificate is self-signed
    #[arg(long, env, value_name = "PATH")]
    metrics_cert_path: Option<PathBuf>,
}

impl ServerOptions {
    /// Serves probes and metrics until `shared.stop` is cancelled. `client` must be one that may
    /// send reviews even if another replica leads.
    pub async fn serve(self, shared: Shared, client: Client) -> anyhow::Result<()> {
        let probes = async {
            let tcp = bind("probes", &self.health_probe_bind_address).await?;
            let routes = shared.health.clone().routes();
            connections::serve(tcp, FEW, None, shared.stop.clone(), routes).await;
            anyhow::Ok(())
        };
        let serve = try_join(probes, self.serve_metrics(&shared, client));
        shared.stop.run_until_cancelled(serve).await.transpose()?;
        Ok(())
    }

    async fn serve_metrics(&self, shared: &Shared, client: Client) -> anyhow::Result<()> {
        let tcp = bind("metrics", &self.metrics_bind_address).await?;
        let secure = self.metrics_secure;
        let metrics = shared.metrics.clone();
        let reviews = Arc::new(Reviews::new(client));
        let answer = async move |from: Extension<Arc<Connection>>, headers: HeaderMap| {
            if secure {
                reviews.may_read_metrics(from.peer, &headers).await?;
            }
            let text = metrics.encode();
            let text = text.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
            let type_ = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            Ok::<_, StatusCode>(([(header::CONTENT_TYPE, type_)], text))
        };
        let routes = Router::new().route("/metrics", get(answer));
        let stop = shared.stop.clone();
        if !secure {
            connections::serve(tcp, FEW, None, stop, routes).await;
            return Ok(());
        }
        let files = self.metrics_cert_path.clone().map(Files);
        let certificate = match &files {
            Some(files) => files.read().await?,
            None => self_signed()?,
        };
        let directory = &self.metrics_cert_path;
        let served = Served::new(&certificate, Terms::default());
        let served = served.with_context(|| format!("no certificate in {directory:?}"))?;
        let renew = async {
            while let Some(files) = &files {
                sleep(RENEW).await;
                let renewed = files.read().await;
                let replace = |new| served.replace(&new, Terms::default());
                if let Err(error) = renewed.and_then(replace) {
                    tracing::warn!("keeping the certificate: {error:#}");
                }
            }
            pending().await
        };
        tokio::select! {
            () = connections::serve(tcp, FEW, Some(served.clone()), stop, routes) => Ok(()),
            () = renew => Ok(()),
        }
    }
}

fn self_signed() -> anyhow::Result<Certificate> {
    let own = generate_simple_self_signed(["localhost".into()])?;
    let (chain, key) = (own.cert.pem(), own.signing_key.serialize_pem());
    Ok(Certificate {
        chain: chain.into(),
        key: key.into(),
    })
}

/// The answers to probes.
#[derive(Clone)]
pub struct Health {
    /// The time of each controller's last heartbeat; `None` until the controller is ready.
    beats: Arc<Mutex<BTreeMap<String, Option<Instant>>>>,
    stop: CancellationToken,
}

impl Health {
    /// Makes the answers of an operator without controllers, which is not ready any more once `stop`
    /// is cancelled.
    pub fn new(stop: CancellationToken) -> Self {
        let beats = Arc::default();
        Self { beats, stop }
    }

    /// Adds a controller that has to get ready.
    pub fn expect(&self, controller: &str) {
        self.beats.lock().insert(controller.to_owned(), None);
    }

    /// Records a heartbeat. Call this again and again while the controller works; the first call
    /// makes the controller ready.
    pub fn beat(&self, controller: &str) {
        let beat = Some(Instant::now());
        self.beats.lock().insert(controller.to_owned(), beat);
    }

    /// Removes a controller, which is then neither waited for nor stuck.
    pub fn forget(&self, controller: &str) {
        self.beats.lock().remove(controller);
    }

    fn routes(self) -> Router {
        let ready = self.clone();
        Router::new()
            .route("/healthz", get(async move || self.healthz()))
            .route("/readyz", get(async move || ready.readyz()))
    }

    fn healthz(&self) -> (StatusCode, String) {
        let is_stuck = |beat: Instant| beat.elapsed() > STUCK;
        self.none("stuck", |_, beat| beat.is_some_and(is_stuck))
    }

    /// Reports if all controllers are ready. A replica that does not lead runs no controllers, so
    /// it is ready once it has seen the lease. If it serves webhooks, its controllers do not count:
    /// the API server asks webhooks to convert the objects that the controllers list, and it asks
    /// only replicas that are ready.
    fn readyz(&self) -> (StatusCode, String) {
        if self.stop.is_cancelled() {
            return (StatusCode::SERVICE_UNAVAILABLE, "stopping".into());
        }
        let serves = self.beats.lock().contains_key(WEBHOOKS);
        self.none("starting", |name, beat| {
            beat.is_none() && (!serves || [WEBHOOKS, ELECTION].contains(&name))
        })
    }

    fn none(&self, what: &str, is: impl Fn(&str, Option<Instant>) -> bool) -> (StatusCode, String) {
        let all = self.beats.lock();
        let bad = all.iter().filter(|(name, beat)| is(name, **beat));
        let bad: Vec<_> = bad.map(|(name, _)| &**name).collect();
        match bad.join(", ") {
            bad if bad.is_empty() => (StatusCode::OK, "ok".into()),
            bad => (StatusCode::SERVICE_UNAVAILABLE, format!("{what}: {bad}")),
        }
    }
}

pub async fn bind(what: &str, address: &str) -> anyhow::Result<TcpListener> {
    let bound = match address {
        "0" => pending().await,
        // On most machines, this address accepts IPv4 as well.
        all if all.starts_with(':') => match TcpListener::bind(format!("[::]{all}")).await {
            Err(_) => TcpListener::bind(format!("0.0.0.0{all}")).await,
            bound => bound,
        },
        one => TcpListener::bind(one).await,
    };
    let tcp = bound.with_context(|| format!("cannot listen at {address}"))?;
    tracing::info!(address = %tcp.local_addr()?, "serving {what}");
    Ok(tcp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_when_every_controller_is_and_well_while_they_beat() {
        let stop = CancellationToken::new();
        let health = Health::new(stop.clone());
        assert_eq!(health.readyz().0, StatusCode::OK, "a standby has none");
        health.expect("one");
        health.expect("other");
        health.beat("one");
        let starting = (StatusCode::SERVICE_UNAVAILABLE, "starting: other".into());
        assert_eq!(health.readyz(), starting);
        health.beat("other");
        assert_eq!(health.readyz().0, StatusCode::OK);
        assert_eq!(health.healthz().0, StatusCode::OK);

        health.expect(ELECTION);
        let starting = "starting: leader election".into();
        assert_eq!(health.readyz(), (StatusCode::SERVICE_UNAVAILABLE, starting));
        health.forget(ELECTION);
        assert_eq!(health.readyz().0, StatusCode::OK);

        health.expect(WEBHOOKS);
        health.expect("third");
        let starting = (StatusCode::SERVICE_UNAVAILABLE, "starting: webhooks".into());
        assert_eq!(health.readyz(), starting);
        health.beat(WEBHOOKS);
        assert_eq!(health.readyz().0, StatusCode::OK, "the third may need them");

        let long_ago = Instant::now().checked_sub(STUCK + Duration::from_secs(1));
        health.beats.lock().insert("one".into(), long_ago);
        let stuck = (StatusCode::SERVICE_UNAVAILABLE, "stuck: one".into());
        assert_eq!(health.healthz(), stuck);
        stop.cancel();
        let stopping = (StatusCode::SERVICE_UNAVAILABLE, "stopping".into());
        assert_eq!(health.readyz(), stopping);
    }
}
