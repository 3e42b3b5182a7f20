//! The proxy between the operator and the API server, which counts and changes nothing: a request gets the operator's
//! rights, and the answer comes as the API server sends it, compressed or as protobuf, if the operator asks for that.

use super::traffic::Traffic;
use crate::explore::{Call, Serving, Token};
use crate::{Error, Result};
use http::header::{AUTHORIZATION, HOST};
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use kube::Client;
use kube::client::Body;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// The reason why a connection is closed without a response.
type Closed = Box<dyn std::error::Error + Send + Sync>;

type Answer = Response<UnsyncBoxBody<Bytes, Closed>>;

/// A running proxy; it ends when this value is dropped.
pub(super) struct Proxy {
    /// The port on 127.0.0.1.
    pub(super) port: u16,
    task: JoinHandle<()>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The parts that handle a request.
pub(super) struct Way {
    /// A client with the operator's rights.
    pub(super) client: Client,
    pub(super) serving: Serving,
    pub(super) token: Token,
    pub(super) traffic: Arc<Traffic>,
}

impl Proxy {
    /// Opens the port and starts to forward requests.
    pub(super) async fn start(way: Way) -> Result<Proxy> {
        let failed = |error: std::io::Error| Error::environment("cannot listen on 127.0.0.1").source(&error);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let way = Arc::new(way);
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                match listener.accept().await {
                    Ok((connection, _)) => drop(connections.spawn(serve(Arc::clone(&way), connection))),
                    // The process has too many open files, for example.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                }
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Proxy { port, task })
    }
}

/// Serves a connection until it is closed.
async fn serve(way: Arc<Way>, connection: TcpStream) {
    let Some(connection) = way.serving.accept(connection).await else { return };
    let service = service_fn(move |request| Arc::clone(&way).answer(request));
    // The operator sees a closed connection by itself.
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(connection), service).await;
}

impl Way {
    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Result<Answer, Closed> {
        if !self.token.is_in(request.headers()) {
            let mut refusal = Response::new(Empty::new().map_err(Closed::from).boxed_unsync());
            *refusal.status_mut() = StatusCode::UNAUTHORIZED;
            return Ok(refusal);
        }
        let (mut parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let call = Call::parse(parts.method.as_str(), parts.uri.path(), parts.uri.query().unwrap_or_default());
        // An operator renews its lease for as long as it runs, whatever the number of objects.
        let counted = (!call.as_ref().is_some_and(Call::is_of_lease)).then(|| Arc::clone(&self.traffic));
        if let Some(traffic) = &counted {
            traffic.asked(call.as_ref(), body.len() as u64);
        }
        for name in [HOST, AUTHORIZATION] {
            parts.headers.remove(name);
        }
        let (head, body) = self.client.send(Request::from_parts(parts, Body::from(body))).await?.into_parts();
        let Some(traffic) = counted else {
            return Ok(Response::from_parts(head, body.map_err(Closed::from).boxed_unsync()));
        };
        traffic.answered(call.as_ref(), head.status.is_success());
        let body = body.map_frame(move |frame| {
            traffic.received(frame.data_ref().map_or(0, Bytes::len) as u64);
            frame
        });
        Ok(Response::from_parts(head, body.map_err(Closed::from).boxed_unsync()))
    }
}
