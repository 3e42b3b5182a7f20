//! HTTP/1.1 connections, and the limits of a connection.

use axum::response::Response;
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::pin::{Pin, pin};
use std::{convert::Infallible, time::Duration};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// The time limit for the handshake of a connection, and then for the head of its first request.
pub const BEGIN: Duration = Duration::from_secs(10);
/// The longest idle time of a connection, the same as in Go clients. An HTTP/2 connection is pinged
/// after this time, and kept while its client answers.
pub const IDLE: Duration = Duration::from_secs(90);
/// The time for which the server, when told to stop, waits for clients to close idle connections:
/// if the server closes a connection just as the client sends a request, this request fails.
const LEAVE: Duration = Duration::from_secs(2);
/// The maximum size of the head of a request.
pub const HEAD: usize = 16 << 10;

/// Answers the requests of a connection with `service`, until `stop` is cancelled and the requests
/// in flight are answered. Limits the memory that the requests may take.
pub async fn serve<S, F>(io: TokioIo<S>, service: F, stop: CancellationToken)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    F: hyper::service::Service<hyper::Request<Incoming>, Response = Response, Error = Infallible>,
    F::Future: Send + 'static,
{
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new());
    http.header_read_timeout(IDLE).max_buf_size(HEAD);
    let connection = http.serve_connection(io, service);
    complete(connection, http1::Connection::graceful_shutdown, stop).await;
}

/// Waits for the end of a connection. When `stop` is cancelled, gives the client the time [`LEAVE`]
/// to close the connection, and then begins to shut it down.
pub async fn complete<C: Future>(
    connection: C,
    shut_down: fn(Pin<&mut C>),
    stop: CancellationToken,
) {
    let mut connection = pin!(connection);
    let ended = stop.run_until_cancelled(connection.as_mut()).await;
    if ended.is_none() && timeout(LEAVE, connection.as_mut()).await.is_err() {
        shut_down(connection.as_mut());
        connection.await;
    }
}
