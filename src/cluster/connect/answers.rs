//! Limits the size of a server's responses, so that an endless response does not fill the memory.

use super::credential::Plugin;
use http::{Request, Response, StatusCode, Uri};
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use kube::Client;
use kube::client::Body;
use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The maximum size, in bytes, of a response or of one event of a watch. For comparison, the list of all CRDs in a
/// cluster with a thousand CRDs has half this size.
const LARGEST: usize = 100 << 20;

/// The error for an answer of more than [`LARGEST`] bytes.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the answer is larger than {} MiB, which is more than opctl reads", LARGEST >> 20)]
pub struct TooLarge;

/// Returns a client that limits the size of answers, and that adds the token of `plugin` to requests.
pub fn limited_client(client: Client, plugin: Option<Plugin>) -> Client {
    let namespace = client.default_namespace().to_owned();
    let valid_until = *client.valid_until();
    let service = tower::service_fn(move |mut request: Request<Body>| {
        let (client, plugin, stream) = (client.clone(), plugin.clone(), Stream::of(request.uri()));
        let limited = move |response: Response<Body>| {
            // The error that a stream begins with is one document.
            let stream = if response.status().is_success() { stream } else { Stream::Document };
            response.map(|body| Limited { body, stream, held: 0, largest: LARGEST })
        };
        async move {
            if let Some(plugin) = &plugin {
                plugin.authorize(&mut request).await.map_err(kube::Error::Auth)?;
            }
            let response = client.send(request).await?;
            if let Some(plugin) = plugin.filter(|_| response.status() == StatusCode::UNAUTHORIZED) {
                plugin.forget();
            }
            Ok::<_, kube::Error>(limited(response))
        }
    });
    Client::new(service, namespace).with_valid_until(valid_until)
}

/// The kind of an API server's response. The kind determines which bytes of the response count against the size limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    /// A single document, whose bytes all count against the limit.
    Document,
    /// The events of a watch, one event in each line; only the bytes of one event count together.
    Events,
    /// A log, whose size is not limited, because the reader of a log limits the bytes that it holds.
    Log,
}

impl Stream {
    fn of(uri: &Uri) -> Self {
        let watches = |query: &str| query.split('&').any(|part| part == "watch=true" || part == "watch=1");
        match uri.query() {
            _ if uri.path().ends_with("/log") => Stream::Log,
            Some(query) if watches(query) => Stream::Events,
            _ => Stream::Document,
        }
    }
}

/// A response body with a size limit: reading the body fails once a document, or one event of a watch, exceeds
/// `largest` bytes. Logs have no limit.
struct Limited {
    body: Body,
    stream: Stream,
    /// The number of bytes that count against the limit so far.
    held: usize,
    largest: usize,
}

impl Limited {
    fn count(&mut self, data: &[u8]) -> Result<(), TooLarge> {
        let end = data.iter().rposition(|byte| *byte == b'\n').filter(|_| self.stream == Stream::Events);
        self.held = end.map_or(self.held + data.len(), |end| data.len() - end - 1);
        if self.held > self.largest && self.stream != Stream::Log { Err(TooLarge) } else { Ok(()) }
    }
}

impl HttpBody for Limited {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context).map(|frame| match frame? {
            Ok(frame) => {
                Some(frame.data_ref().map_or(Ok(()), |data| self.count(data)).map(|()| frame).map_err(Into::into))
            }
            // The client packs each error of a body once more.
            Err(kube::Error::Service(error)) => Some(Err(error)),
            Err(error) => Some(Err(error.into())),
        })
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    #[test]
    fn the_address_says_what_is_read_as_one() {
        for (address, stream) in [
            ("/api/v1/pods", Stream::Document),
            ("/api/v1/namespaces/a/pods/b/log?follow=true", Stream::Log),
            ("/api/v1/pods?limit=5&watch=true", Stream::Events),
            ("/api/v1/pods?watch=1", Stream::Events),
            ("/api/v1/pods?watch=false", Stream::Document),
        ] {
            assert_eq!(Stream::of(&address.parse().unwrap()), stream, "{address}");
        }
    }

    #[tokio::test]
    async fn documents_and_single_events_are_limited_in_size_and_logs_are_not() {
        for (stream, text, fits) in [
            (Stream::Document, "1234", true),
            (Stream::Document, "12345", false),
            (Stream::Document, "12\n34", false),
            (Stream::Events, "1234\n1234\n1", true),
            (Stream::Events, "1234\n12345", false),
            (Stream::Log, "12345", true),
        ] {
            let limited = Limited { body: Body::from(text.as_bytes().to_vec()), stream, held: 0, largest: 4 };
            assert_eq!(limited.collect().await.is_ok(), fits, "{stream:?} {text}");
        }
    }
}
