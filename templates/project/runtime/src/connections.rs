//! Limits the connections of a server, to protect the operator's memory and file
//! descriptors. At the limit, a new connection replaces the least needed connection.

pub mod protocol;

use crate::tls::Served;
use axum::{Router, serve::Listener};
use futures::future::{FutureExt, pending};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use protocol::BEGIN;
use std::sync::{Arc, OnceLock};
use std::{cmp::Reverse, collections::HashMap, net::IpAddr, time::Duration};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

/// The maximum number of connections of a probe or metrics server, which has few clients.
pub const FEW: usize = 64;
/// The time limit for completing the requests in flight when the operator stops.
const GRACE: Duration = Duration::from_secs(5);

/// A connection of a client. Handlers get it from the extensions of a request.
pub struct Connection {
    pub peer: IpAddr,
    /// A token that closes the connection when it is cancelled.
    pub cut: CancellationToken,
    /// True if the client has shown a certificate that the server trusts; set by the first request.
    pub trusted: OnceLock<bool>,
    /// A counter of the requests in progress: each request holds a clone.
    requests: Arc<()>,
}

/// The connections of a server, the oldest first, and the maximum number of connections.
#[derive(Clone)]
struct Connections(Arc<Mutex<Vec<Arc<Connection>>>>, usize);

impl Connections {
    /// Adds a connection. At the maximum number, first closes another connection, chosen by the
    /// following criteria in this order: its client has no trusted certificate; its client has
    /// more than an eighth of the maximum; it has no request in progress; its client has the
    /// most connections; it is the oldest. So a client with many connections loses its own
    /// connections, and not the connections of the API server.
    fn add(&self, peer: IpAddr) -> Arc<Connection> {
        let Self(all, most) = self;
        let mut all = all.lock();
        if all.len() >= *most {
            let mut counts = HashMap::<_, usize>::new();
            for one in all.iter() {
                *counts.entry(one.peer).or_default() += 1;
            }
            let spare = |at: &usize| {
                let one = &all[*at];
                let (count, is_idle) = (counts[&one.peer], Arc::strong_count(&one.requests) == 1);
                let is_trusted = one.trusted.get() == Some(&true);
                (!is_trusted, count > most / 8, is_idle, count, Reverse(*at))
            };
            let spare = (0..all.len()).max_by_key(spare).unwrap_or_default();
            all.remove(spare).cut.cancel();
        }
        let connection = Arc::new(Connection {
            peer,
            cut: CancellationToken::new(),
            trusted: OnceLock::new(),
            requests: Arc::new(()),
        });
        all.push(connection.clone());
        connection
    }
}

/// Serves `routes` until `stop` is cancelled, and then completes requests in flight within
/// [`GRACE`]. Keeps up to `most` connections at a time, with TLS if `served` is given.
pub async fn serve(
    mut tcp: TcpListener,
    most: usize,
    served: Option<Served>,
    stop: CancellationToken,
    routes: Router,
) {
    let (open, tasks) = (Connections(Arc::default(), most), TaskTracker::new());
    while let Some((tcp, peer)) = stop.run_until_cancelled(Listener::accept(&mut tcp)).await {
        // Otherwise a small answer waits until the client has confirmed the one before.
        let _ = tcp.set_nodelay(true);
        let connection = open.add(peer.ip().to_canonical());
        let tls = served.as_ref().map(|served| served.read().clone());
        let (open, stop, routes) = (open.clone(), stop.clone(), routes.clone());
        tasks.spawn(async move {
            let answer = async {
                let Some(tls) = tls else {
                    return answer(tcp, &connection, (false, false), routes, stop).await;
                };
                if let Ok(Ok(stream)) = timeout(BEGIN, tls.accept(tcp)).await {
                    let tls = stream.get_ref().1;
                    let is_http2 = tls.alpn_protocol() == Some(b"h2");
                    let is = (is_http2, tls.peer_certificates().is_some());
                    answer(stream, &connection, is, routes, stop).await;
                }
            };
            connection.cut.run_until_cancelled(answer).await;
            open.0.lock().retain(|one| !Arc::ptr_eq(one, &connection));
        });
    }
    tasks.close();
    let _ = timeout(GRACE, tasks.wait()).await;
}

async fn answer<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    connection: &Arc<Connection>,
    (is_http2, is_trusted): (bool, bool),
    routes: Router,
    stop: CancellationToken,
) {
    let own = connection.clone();
    let service = hyper::service::service_fn(move |mut request: hyper::Request<_>| {
        own.trusted.get_or_init(|| is_trusted);
        request.extensions_mut().insert(own.clone());
        let (in_progress, answer) = (own.requests.clone(), routes.clone().oneshot(request));
        answer.inspect(|_| drop(in_progress))
    });
    let io = TokioIo::new(stream);
    let complete = async {
        match is_http2 {
            #[cfg(feature = "webhooks")]
            true => crate::webhook::serve_http2(io, service, stop).await,
            _ => protocol::serve(io, service, stop).await,
        }
    };
    let silent = async {
        sleep(BEGIN).await;
        if connection.trusted.get().is_some() {
            pending().await
        }
    };
    tokio::select! { () = complete => {}, () = silent => {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    #[test]
    fn a_client_with_too_many_connections_loses_its_own_oldest() {
        let open = Connections(Arc::default(), 16);
        let api_server = open.add(peer(1));
        let of_many: Vec<_> = (0..100).map(|_| open.add(peer(9))).collect();
        assert!(!api_server.cut.is_cancelled());
        let left: Vec<_> = of_many.iter().map(|one| !one.cut.is_cancelled()).collect();
        assert_eq!(left.iter().filter(|left| **left).count(), 15);
        assert!(left[85..].iter().all(|left| *left), "the oldest go first");
        // A new one of somebody else comes in.
        let other = open.add(peer(2));
        assert!(of_many[85].cut.is_cancelled() && !other.cut.is_cancelled());
    }

    #[test]
    fn requests_in_progress_and_trusted_clients_stay() {
        let open = Connections(Arc::default(), 16);
        let all: Vec<_> = (0..16).map(|last| open.add(peer(last))).collect();
        let _request = all[0].requests.clone();
        all[1].trusted.set(true).unwrap();
        let more: Vec<_> = (20..40).map(|last| open.add(peer(last))).collect();
        let closed =
            |all: &[Arc<Connection>]| all.iter().filter(|one| one.cut.is_cancelled()).count();
        assert_eq!((closed(&all), closed(&more)), (14, 6));
        assert!(!all[0].cut.is_cancelled() && !all[1].cut.is_cancelled());
    }
}
