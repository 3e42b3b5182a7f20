//! The server of a proxy, which listens on a local port and serves only clients that send the proxy's token.

use crate::error::file_error;
use crate::explore::server::door::{Serving, Token};
use crate::{Error, Result, system};
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// The reason why a connection is closed without a response.
pub type Closed = Box<dyn std::error::Error + Send + Sync>;

/// A response of a proxy.
pub type Answer = Response<UnsyncBoxBody<Bytes, std::io::Error>>;

/// A running proxy, which stops when this value is dropped.
pub struct Proxy(JoinHandle<()>);

impl Drop for Proxy {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Proxy {
    /// Opens a port, and writes a kubeconfig with the port, a new token and `namespace`. Calls `answer` for each
    /// request that carries the token, and closes the connection if `answer` fails.
    ///
    /// # Errors
    /// Fails if no port can be opened, or if the file cannot be written.
    pub async fn start<F, A>(serving: &Serving, kubeconfig: &Path, namespace: &str, answer: F) -> Result<Proxy>
    where
        F: Fn(Request<Incoming>) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Answer, Closed>> + Send + 'static,
    {
        let failed = |error: std::io::Error| Error::environment("cannot listen on 127.0.0.1").source(&error);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let token = Token::new()?;
        let text = serving.kubeconfig(port, &token, namespace).to_string();
        system::write_private_file(kubeconfig, &text).map_err(|error| file_error("write", kubeconfig, &error))?;
        let (door, answer) = (Arc::new((serving.clone(), token)), Arc::new(answer));
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                match listener.accept().await {
                    Ok((connection, _)) => {
                        drop(connections.spawn(serve(Arc::clone(&door), Arc::clone(&answer), connection)));
                    }
                    // The process has too many open files, for example.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                }
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Proxy(task))
    }
}

/// Serves a connection until it is closed.
async fn serve<F, A>(door: Arc<(Serving, Token)>, answer: Arc<F>, connection: TcpStream)
where
    F: Fn(Request<Incoming>) -> A,
    A: Future<Output = Result<Answer, Closed>>,
{
    let Some(connection) = door.0.accept(connection).await else { return };
    let service = service_fn(|request: Request<Incoming>| {
        let admitted = door.1.is_in(request.headers()).then(|| answer(request));
        async {
            match admitted {
                Some(response) => response.await.map_err(std::io::Error::other),
                None => Ok(refusal(401)),
            }
        }
    });
    // The client sees a closed connection by itself.
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(connection), service).await;
}

/// Returns a response with `status` and the body with which kube-apiserver refuses a request.
pub fn refusal(status: u16) -> Answer {
    let (reason, message) = match status {
        401 => ("Unauthorized", "Unauthorized"),
        410 => ("Expired", "The provided continue parameter is too old to display a consistent list result."),
        429 => ("TooManyRequests", "the server has received too many requests, please try again later"),
        _ => ("InternalError", "an error on the server has prevented the request from succeeding"),
    };
    let body = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "reason": reason, "message": message, "code": status,
    });
    let mut answer =
        Response::new(Full::new(Bytes::from(body.to_string())).map_err(|never| match never {}).boxed_unsync());
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if status == 429 {
        answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    answer
}
