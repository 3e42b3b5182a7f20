//! The proxy between the operator and the API server, which counts requests and bytes. The proxy forwards requests
//! with the operator's rights, and passes responses on unchanged, even if compressed or encoded as protobuf.

use super::traffic::Traffic;
use crate::explore::{Answer, Call, Closed};
use http::header::{AUTHORIZATION, HOST};
use http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::{Bytes, Incoming};
use kube::Client;
use kube::client::Body;
use std::sync::Arc;

/// The client with which the proxy forwards requests, and the counter of these requests.
pub(super) struct Way {
    /// A client with the operator's rights.
    pub(super) client: Client,
    pub(super) traffic: Arc<Traffic>,
}

impl Way {
    /// Forwards a request, and returns the API server's response. If forwarding fails, the proxy closes the connection.
    pub(super) async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Result<Answer, Closed> {
        let (mut parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let call = Call::parse(parts.method.as_str(), parts.uri.path(), parts.uri.query().unwrap_or_default());
        // An operator renews its lease for as long as it runs, whatever the number of objects.
        let counted = (!call.as_ref().is_some_and(Call::is_of_lease)).then(|| Arc::clone(&self.traffic));
        if let Some(traffic) = &counted {
            traffic.count_request(call.as_ref(), body.len() as u64);
        }
        for name in [HOST, AUTHORIZATION] {
            parts.headers.remove(name);
        }
        let (head, body) = self.client.send(Request::from_parts(parts, Body::from(body))).await?.into_parts();
        let Some(traffic) = counted else {
            return Ok(Response::from_parts(head, body.map_err(std::io::Error::other).boxed_unsync()));
        };
        traffic.record_answer(call.as_ref(), head.status.is_success());
        let body = body.map_frame(move |frame| {
            traffic.count_received(frame.data_ref().map_or(0, Bytes::len) as u64);
            frame
        });
        Ok(Response::from_parts(head, body.map_err(std::io::Error::other).boxed_unsync()))
    }
}
