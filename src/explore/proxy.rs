//! The proxy between an operator and the API server: an HTTP server on a port of this machine, one for each run, which
//! refuses requests without the run's token.
//!
//! Requests are forwarded with the rights of the operator's service account. A refused request never reaches the
//! server. A forwarded request is changed in three ways only: a list or watch over all namespaces becomes one of the
//! run's namespace, the response is requested as JSON, and it is not compressed.

use super::call::Call;
use super::decision::{After, Before};
use super::door::Token;
use super::gate::Gate;
use super::operator::Operator;
use super::past;
use super::stream::{self, Part};
use super::workload;
use super::world::World;
use crate::{Error, Result};
use http::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HOST, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use kube::client::Body;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};

type Answer = Response<UnsyncBoxBody<Bytes, Infallible>>;

/// The reason why a connection is closed without a response.
type Closed = Box<dyn std::error::Error + Send + Sync>;

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

/// The parts of a run that handle a request.
pub(super) struct Way {
    pub(super) world: Arc<World>,
    pub(super) namespace: String,
    pub(super) gate: Arc<Gate>,
    pub(super) operator: Arc<Operator>,
    pub(super) token: Token,
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
    let Some(connection) = way.world.serving.accept(connection).await else { return };
    let service = service_fn(move |request| Arc::clone(&way).admit(request));
    // A closed connection is an answer, too.
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(connection), service).await;
}

impl Way {
    async fn admit(self: Arc<Self>, request: Request<Incoming>) -> Result<Answer, Closed> {
        if self.token.is_in(request.headers()) { self.answer(request).await } else { Ok(refusal(401)) }
    }

    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Result<Answer, Closed> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let query = parts.uri.query().unwrap_or_default();
        let path = parts.uri.path();
        let Some(call) = Call::parse(parts.method.as_str(), path, query) else {
            return whole(self.forward(&parts, parts.uri.to_string(), body).await?).await;
        };
        let call = call.named(&body);
        let all = call.namespace.is_none() && self.world.is_namespaced(&call.collection());
        let jailed = all && matches!(call.verb, "list" | "watch");
        let place = if jailed { call.path_in(&self.namespace) } else { path.to_owned() };

        let asked = self.gate.before(&call);
        let mut query = query;
        match &asked.before {
            Before::Forward | Before::BeginAt(_) => {}
            Before::Ask(other) => query = other,
            Before::Hang(time) => {
                tokio::time::sleep(*time).await;
                return Err("the connection is closed without an answer".into());
            }
            &Before::Refuse(status) => {
                let refusal = refusal(status);
                self.gate.after(&call, asked, status, &Value::Null);
                return Ok(refusal);
            }
            // If this write fails, the request is forwarded without a conflict.
            Before::WriteFirst => {
                if self.world.write_foreign(path, call.subresource.as_deref()).await {
                    self.gate.wrote_foreign();
                }
            }
        }
        let mark = if query.is_empty() { "" } else { "?" };
        let (first, answer) = match &asked.before {
            Before::BeginAt(version) => self.begin_at(version, &parts, &place, query).await?,
            _ => (Vec::new(), self.forward(&parts, format!("{place}{mark}{query}"), body).await?),
        };
        if call.verb == "watch" && answer.status().is_success() {
            self.gate.after(&call, asked, answer.status().as_u16(), &Value::Null);
            let (head, body) = answer.into_parts();
            let (sender, receiver) = mpsc::channel::<Part>(16);
            tokio::spawn(stream::pass(call.collection(), first, body, sender, Arc::clone(&self.gate)));
            let parts =
                futures_util::stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
            return Ok(Response::from_parts(head, StreamBody::new(parts).boxed_unsync()));
        }
        let (head, body) = answer.into_parts();
        let body = body.collect().await?.to_bytes();
        let value = if call.writes() { serde_json::from_slice(&body).unwrap_or_default() } else { Value::Null };
        let collection = call.collection();
        if matches!(call.verb, "get" | "list")
            && workload::resources().any(|resource| resource == collection)
            && let Ok(seen) = serde_json::from_slice(&body)
        {
            self.gate.read(&collection, &seen);
        }
        match self.gate.after(&call, asked, head.status.as_u16(), &value) {
            After::Answer => {}
            After::AnswerIn(delay) => tokio::time::sleep(delay).await,
            After::Close => return Err("the connection is closed instead of an answer".into()),
            After::Kill => {
                self.operator.kill();
                return Err("the operator is killed before it gets the answer".into());
            }
        }
        Ok(Response::from_parts(head, Full::new(body).boxed_unsync()))
    }

    /// Returns the events of the objects at an earlier version, and a watch from there on.
    async fn begin_at(
        &self,
        version: &str,
        parts: &http::request::Parts,
        place: &str,
        query: &str,
    ) -> Result<(Vec<Bytes>, Response<Body>), Closed> {
        let (list, watch) = past::queries(query, version);
        let mut head = parts.clone();
        if let Some(accept) = head.headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()) {
            let accept = HeaderValue::from_str(&past::accept_of_list(accept))?;
            head.headers.insert(ACCEPT, accept);
        }
        let list = self.forward(&head, format!("{place}?{list}"), Bytes::new()).await?;
        // The version may be too old by now, or the operator may lack the right to list: the watch stays as it is.
        if !list.status().is_success() {
            return Ok((Vec::new(), self.forward(parts, format!("{place}?{query}"), Bytes::new()).await?));
        }
        let list: Value = serde_json::from_slice(&list.into_body().collect().await?.to_bytes())?;
        let watch = self.forward(parts, format!("{place}?{watch}"), Bytes::new()).await?;
        Ok((past::events(&list, past::is_streaming(query)), watch))
    }

    /// Forwards a request with the identity of the operator's service account.
    async fn forward(&self, parts: &http::request::Parts, uri: String, body: Bytes) -> Result<Response<Body>, Closed> {
        let mut request = Request::new(Body::from(body));
        *request.method_mut() = parts.method.clone();
        *request.uri_mut() = uri.parse()?;
        *request.headers_mut() = readable(parts.headers.clone());
        Ok(self.world.operator.send(request).await?)
    }
}

/// Returns the headers of a request with which the server's response is readable for this proxy.
fn readable(mut headers: HeaderMap) -> HeaderMap {
    for name in [HOST, AUTHORIZATION, ACCEPT_ENCODING] {
        headers.remove(name);
    }
    let protobuf =
        headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|it| it.contains("protobuf"));
    if protobuf {
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    }
    headers
}

async fn whole(answer: Response<Body>) -> Result<Answer, Closed> {
    let (head, body) = answer.into_parts();
    Ok(Response::from_parts(head, Full::new(body.collect().await?.to_bytes()).boxed_unsync()))
}

/// Returns a refusal as kube-apiserver words it.
fn refusal(status: u16) -> Answer {
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
    let mut answer = Response::new(Full::new(Bytes::from(body.to_string())).boxed_unsync());
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if status == 429 {
        answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    answer
}
