//! The servers: probes for the kubelet, metrics for Prometheus.

use crate::connections::{self, Connection, FEW};
use crate::reviews::Reviews;
use crate::shared::Shared;
use crate::tls::{Certificate, Files, RENEW, Served, Terms};
use anyhow::Context;
use axum::http::{HeaderMap, StatusCode, header};
use axum::{Extension, Router, routing::get};
use futures::future::{pending, try_join};
use kube::Client;
use rcgen::generate_simple_self_signed;
use std::sync::{Arc, LazyLock};
use std::{io, path::PathBuf, thread};
use tokio::runtime::{Builder, Handle};
use tokio::{net::TcpListener, time::sleep};

static SERVERS: LazyLock<io::Result<Handle>> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let run = move || runtime.block_on(pending::<()>());
    thread::Builder::new().name("servers".into()).spawn(run)?;
    Ok(handle)
});

/// Returns a handle of the tokio runtime for probes, metrics, webhooks, signals and leader
/// election. This runtime has a separate thread, so that busy reconcilers do not delay its tasks.
///
/// # Errors
/// Fails if the operating system does not start the thread.
pub fn servers() -> io::Result<Handle> {
    let failed = |error: &io::Error| io::Error::new(error.kind(), error.to_string());
    SERVERS.as_ref().cloned().map_err(failed)
}

#[derive(clap::Args, Clone, Debug)]
pub struct ServerOptions {
    /// Address that serves /healthz and /readyz, such as :8081; 0 to disable
    #[arg(long, env, value_name = "ADDRESS", default_value = ":8081")]
    health_probe_bind_address: String,
    /// Address that serves /metrics, such as :8443; 0 to disable
    #[arg(long, env, value_name = "ADDRESS", default_value = "0")]
    metrics_bind_address: String,
    /// Serve metrics over HTTPS, only to clients that may get /metrics in the cluster
    #[arg(long, env, value_name = "BOOL", action = clap::ArgAction::Set)]
    #[arg(num_args = 0..=1, require_equals = true)]
    #[arg(default_value = "true", default_missing_value = "true")]
    metrics_secure: bool,
    /// Directory with tls.crt and tls.key; without it, the certificate is self-signed
    #[arg(long, env, value_name = "PATH")]
    metrics_cert_path: Option<PathBuf>,
}

impl ServerOptions {
    /// Serves probes and metrics until `shared.stop` is cancelled. `client` must be allowed to
    /// create token and access reviews, even while another replica leads.
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
        let served = certificate.acceptor(Terms::default());
        let served = served.with_context(|| format!("no certificate in {directory:?}"))?;
        let served = Served::new(served.into());
        let renew = async {
            while let Some(files) = &files {
                sleep(RENEW).await;
                let renewed = files.read().await;
                match renewed.and_then(|new| new.acceptor(Terms::default())) {
                    Ok(new) => *served.write() = new,
                    Err(error) => tracing::warn!("keeping the certificate: {error:#}"),
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
    let chain = own.cert.pem().into();
    let key = own.signing_key.serialize_pem().into();
    Ok(Certificate { chain, key })
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
