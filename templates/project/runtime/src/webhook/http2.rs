//! HTTP/2 connections. The API server sends parallel calls of a webhook in one connection.

use crate::connections::protocol::{BEGIN, HEAD, IDLE, complete};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http2::{Builder, Connection};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::convert::Infallible;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

/// The maximum size of the part of a body that a client may send before the server reads it.
pub const WINDOW: usize = 64 << 10;
/// The maximum of parallel requests in a connection; for more, a client opens another connection.
const STREAMS: u32 = 64;

/// Answers the requests of a connection with `service`. Limits the memory of the requests: a client
/// may send only [`WINDOW`] bytes of a body before the webhook reads them.
pub async fn serve_http2<S, F>(io: TokioIo<S>, service: F, stop: CancellationToken)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    F: hyper::service::Service<hyper::Request<Incoming>, Response = Response, Error = Infallible>,
    F::Future: Send + 'static,
{
    let mut http = Builder::new(TokioExecutor::new());
    // Closes the connection of a client that is gone, as it does not answer a ping.
    http.timer(TokioTimer::new())
        .keep_alive_interval(IDLE)
        .keep_alive_timeout(BEGIN)
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEAD as u32)
        .initial_stream_window_size(WINDOW as u32)
        // Otherwise bodies that wait would hold up those that are read.
        .initial_connection_window_size(STREAMS * WINDOW as u32)
        .max_send_buf_size(WINDOW);
    let connection = http.serve_connection(io, service);
    complete(connection, Connection::graceful_shutdown, stop).await;
}
