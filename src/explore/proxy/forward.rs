//! The proxy between an operator and the API server, one for each run.
//!
//! Requests are forwarded with the rights of the operator's service account. A refused request never reaches the
//! server. A forwarded request is changed in three ways only: a list or watch of all namespaces is limited to the
//! run's namespace, the response is requested as JSON, and the response is requested without compression. If
//! cluster-scoped samples are explored, lists and watches are not limited; the proxy then removes the objects of other
//! runs from the responses.

use super::decision::{After, Before};
use super::gate::Gate;
use super::listener::{Answer, Closed, Proxy, refusal};
use super::stale_watch;
use super::stream::{self, Part};
use crate::explore::plan::workload;
use crate::explore::record::call::Call;
use crate::explore::record::run_scope::RunScope;
use crate::explore::server::operator::Operator;
use crate::explore::server::shared_server::World;
use http::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_LENGTH, HOST};
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Incoming};
use kube::client::Body;
use serde_json::Value;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::mpsc;

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
const JSON: &str = "application/json";

/// The context in which the proxy handles a request: the API server, and the namespace, the scope, the [`Gate`] and the
/// operator of the run.
#[derive(Clone)]
pub struct Way {
    pub world: Arc<World>,
    pub namespace: String,
    pub scope: Arc<RunScope>,
    pub gate: Arc<Gate>,
    pub operator: Arc<Operator>,
    /// True if `operator` is the second replica of the operator.
    pub is_standby: bool,
}

impl Way {
    /// Opens the proxy, and writes the kubeconfig of the operator.
    ///
    /// # Errors
    /// Fails if no port can be opened, or if the kubeconfig cannot be written.
    pub async fn open(self) -> crate::Result<Proxy> {
        let way = Arc::new(self);
        let server = Arc::clone(&way);
        let answer = move |request| Arc::clone(&server).answer(request);
        Proxy::start(&way.world.serving, way.operator.kubeconfig(), &way.namespace, answer).await
    }

    /// Returns the response to a request. The connection is closed if this method fails.
    pub async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Result<Answer, Closed> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let query = parts.uri.query().unwrap_or_default();
        let path = parts.uri.path();
        let Some(call) = Call::parse(parts.method.as_str(), path, query) else {
            return buffer_answer(self.forward(&parts, parts.uri.to_string(), body).await?).await;
        };
        let call = self.scope.plain_call(call.with_name_from(&body));
        let all = call.namespace.is_none() && self.world.is_namespaced(&call.collection());
        let jailed = all && !self.scope.is_cluster_wide() && matches!(call.verb, "list" | "watch");
        let place = if jailed { call.path_in(&self.namespace) } else { path.to_owned() };

        let asked = self.gate.before(&call, self.is_standby);
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
            let (gate, scope) = (Arc::clone(&self.gate), Arc::clone(&self.scope));
            tokio::spawn(stream::pass(call.collection(), first, body, sender, gate, scope));
            let parts =
                futures_util::stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
            return Ok(Response::from_parts(head, StreamBody::new(parts).map_err(never).boxed_unsync()));
        }
        let (mut head, body) = answer.into_parts();
        let mut body = body.collect().await?.to_bytes();
        if call.verb == "list"
            && self.scope.is_cluster_wide()
            && let Ok(mut list) = serde_json::from_slice(&body)
        {
            self.scope.retain_visible(&mut list);
            head.headers.remove(CONTENT_LENGTH);
            body = list.to_string().into();
        }
        let mut value = if call.writes() { serde_json::from_slice(&body).unwrap_or_default() } else { Value::Null };
        self.scope.make_plain(&mut value);
        let collection = call.collection();
        if matches!(call.verb, "get" | "list")
            && workload::resources().any(|resource| resource == collection)
            && let Ok(mut seen) = serde_json::from_slice(&body)
        {
            self.scope.make_plain(&mut seen);
            self.gate.read(&collection, &seen);
        }
        match self.gate.after(&call, asked, head.status.as_u16(), &value) {
            After::Answer => {}
            After::AnswerIn(delay) => tokio::time::sleep(delay).await,
            After::Close => return Err("the connection is closed before the answer is sent".into()),
            // The response waits in the connection until the operator is resumed.
            After::Suspend => self.operator.suspend(true),
            After::Kill => {
                self.operator.kill();
                return Err("the operator is killed before it gets the answer".into());
            }
        }
        Ok(Response::from_parts(head, Full::new(body).map_err(never).boxed_unsync()))
    }

    /// Returns watch events for the objects at the resource version `version`, and the response to a watch that begins
    /// at this version. If the objects cannot be listed, returns no events, and the response to the operator's
    /// unchanged watch request.
    async fn begin_at(
        &self,
        version: &str,
        parts: &http::request::Parts,
        place: &str,
        query: &str,
    ) -> Result<(Vec<Bytes>, Response<Body>), Closed> {
        let (list, watch) = stale_watch::queries(query, version);
        let mut head = parts.clone();
        if let Some(accept) = head.headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()) {
            let accept = HeaderValue::from_str(&stale_watch::accept_of_list(accept))?;
            head.headers.insert(ACCEPT, accept);
        }
        let list = self.forward(&head, format!("{place}?{list}"), Bytes::new()).await?;
        // The version may be too old by now, or the operator may lack the right to list: the watch stays as it is.
        if !list.status().is_success() {
            return Ok((Vec::new(), self.forward(parts, format!("{place}?{query}"), Bytes::new()).await?));
        }
        let mut list: Value = serde_json::from_slice(&list.into_body().collect().await?.to_bytes())?;
        self.scope.retain_visible(&mut list);
        let watch = self.forward(parts, format!("{place}?{watch}"), Bytes::new()).await?;
        Ok((stale_watch::events(&list, stale_watch::is_streaming(query)), watch))
    }

    /// Forwards a request with the identity of the operator's service account.
    async fn forward(&self, parts: &http::request::Parts, uri: String, body: Bytes) -> Result<Response<Body>, Closed> {
        let mut request = Request::new(Body::from(body));
        *request.method_mut() = parts.method.clone();
        *request.uri_mut() = uri.parse()?;
        *request.headers_mut() = readable_headers(parts.headers.clone());
        Ok(self.world.operator.send(request).await?)
    }
}

/// Returns the headers of a request, changed so that this proxy can read the response of the API server.
fn readable_headers(mut headers: HeaderMap) -> HeaderMap {
    for name in [HOST, AUTHORIZATION, ACCEPT_ENCODING] {
        headers.remove(name);
    }
    // The parameters stay: an operator may ask for the metadata alone, and cannot decode more.
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).filter(|accept| accept.contains(PROTOBUF));
    if let Some(accept) = accept.and_then(|accept| HeaderValue::from_str(&accept.replace(PROTOBUF, JSON)).ok()) {
        headers.insert(ACCEPT, accept);
    }
    headers
}

fn never(never: Infallible) -> std::io::Error {
    match never {}
}

async fn buffer_answer(answer: Response<Body>) -> Result<Answer, Closed> {
    let (head, body) = answer.into_parts();
    Ok(Response::from_parts(head, Full::new(body.collect().await?.to_bytes()).map_err(never).boxed_unsync()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_is_asked_for_in_json_and_in_the_form_that_the_operator_decodes() {
        let metadata = "as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
        for (asked, expected) in [
            (PROTOBUF.to_owned(), JSON.to_owned()),
            (format!("{PROTOBUF};stream=watch"), format!("{JSON};stream=watch")),
            (
                format!("{PROTOBUF};{metadata},{JSON};{metadata},{JSON}"),
                format!("{JSON};{metadata},{JSON};{metadata},{JSON}"),
            ),
            (format!("{JSON};{metadata}"), format!("{JSON};{metadata}")),
            ("*/*".to_owned(), "*/*".to_owned()),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, asked.parse().unwrap()), (HOST, "a".parse().unwrap())]);
            assert_eq!(readable_headers(headers), HeaderMap::from_iter([(ACCEPT, expected.parse().unwrap())]));
        }
    }
}
