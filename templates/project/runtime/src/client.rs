//! The clients with which an operator sends requests to the API server.

use crate::leader::Leadership;
use crate::metrics::Metrics;
use crate::tls::choose_cryptography;
use axum::http::{Method, Request};
use kube::client::{Body, retry::RetryPolicy};
use kube::{Client, Config};
use std::sync::Arc;
use std::time::Duration;
use tokio::{sync::OnceCell, time::Instant};
use tower::{BoxError, ServiceBuilder, retry::RetryLayer, service_fn};

/// The longest pause within an answer of the API server. A watch gets a bookmark every minute.
/// Without this limit, a list would never end if a network silently drops packets.
const SILENCE: Duration = Duration::from_secs(90);

/// Makes a client for the API server that `config` names. This client does not retry requests,
/// unlike a client of [`checked`].
pub fn connect(mut config: Config) -> kube::Result<Client> {
    choose_cryptography();
    config.default_retry = false;
    config.read_timeout = config.read_timeout.or(Some(SILENCE));
    config.reset_reader_on_write = true;
    Client::try_from(config)
}

/// Makes a client that connects on its first request, in the tokio runtime of that request.
pub fn connect_later(config: Config) -> Client {
    let (namespace, connected) = (config.default_namespace.clone(), Arc::new(OnceCell::new()));
    let service = service_fn(move |request: Request<Body>| {
        let (connected, config) = (connected.clone(), config.clone());
        async move {
            let client = connected.get_or_try_init(async || connect(config)).await?;
            client.send(request).await
        }
    });
    Client::new(service, namespace)
}

/// Makes a client over `client` that counts requests and retries them if the API server is too
/// busy. Every replica may read with it; with leader election, only the leader may write.
pub fn checked(
    client: &Client,
    host: &str,
    metrics: &Arc<Metrics>,
    leadership: Option<Leadership>,
) -> Client {
    let (namespace, client) = (client.default_namespace().to_owned(), client.clone());
    let (host, metrics) = (host.to_owned(), metrics.clone());
    let checked = service_fn(move |request: Request<Body>| {
        let (client, metrics, host) = (client.clone(), metrics.clone(), host.clone());
        let may_write = leadership.as_ref().is_none_or(Leadership::holds);
        async move {
            if !may_write && request.method() != Method::GET {
                return Err("this replica is no longer the leader".into());
            }
            let (method, start) = (request.method().to_string(), Instant::now());
            let answer = client.send(request).await;
            let code = match &answer {
                Ok(response) => response.status().as_u16().to_string(),
                Err(_) => "<error>".into(),
            };
            metrics.requested(code, method, host, start.elapsed());
            answer.map_err(BoxError::from)
        }
    });
    #[cfg(feature = "telemetry")]
    let checked = crate::telemetry::traces::traced(checked);
    let retries = RetryLayer::new(RetryPolicy::server_retry());
    // The check comes after each retry: by then the lease may be lost.
    let service = ServiceBuilder::new().layer(retries).service(checked);
    Client::new(service, namespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use tokio::time::{pause, timeout};

    /// Starts a server that answers only the first request, and returns its address.
    fn silent_server() -> String {
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = tcp.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut socket, _) = tcp.accept().unwrap();
            let mut read = [0; 4096];
            let _ = socket.read(&mut read).unwrap();
            let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
            socket.write_all(answer.as_bytes()).unwrap();
            while socket.read(&mut read).is_ok_and(|bytes| bytes > 0) {}
        });
        format!("http://{address}")
    }

    #[tokio::test]
    async fn a_connection_that_falls_silent_is_given_up() {
        let config = Config::new(silent_server().parse().unwrap());
        let client = connect(config).unwrap();
        let ask = || client.request_text(Request::get("/").body(Vec::new()).unwrap());
        ask().await.unwrap();
        pause();
        let start = Instant::now();
        let answered = timeout(SILENCE * 10, ask()).await;
        assert!(matches!(answered, Ok(Err(_))), "{answered:?}");
        assert!((SILENCE..SILENCE * 2).contains(&start.elapsed()));
    }
}
