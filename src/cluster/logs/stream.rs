//! Reads the log of one pod, line by line.

use crate::cluster::{Attempt, Connection, RefusedBy, request_error};
use crate::error::hint;
use crate::{Error, Result};
use futures_util::stream::unfold;
use futures_util::{AsyncBufRead, AsyncBufReadExt, Stream};
use k8s_openapi::api::core::v1::Pod;
use kube::Api;
use kube::api::LogParams;
use std::pin::Pin;
use std::time::Duration;

/// A line of a pod's log, or the error that ended the log.
pub(super) struct Line {
    pub(super) pod: String,
    pub(super) text: Result<String>,
}

/// The maximum number of bytes of a printed line; a longer line is printed as several lines.
const LONGEST: usize = 1 << 20;

type Reader = Pin<Box<dyn AsyncBufRead + Send>>;

enum State {
    Begin,
    Reading(Reader, Vec<u8>),
    Ended,
}

/// Returns the lines of the log of `pod` as a stream. If the log cannot be read, the last line is the error.
/// `limit` is the maximum time to wait for each line.
pub(super) fn lines(
    connection: Connection,
    namespace: String,
    pod: String,
    parameters: LogParams,
    limit: Duration,
) -> impl Stream<Item = Line> + Send {
    unfold(State::Begin, move |state| {
        let (connection, namespace, pod, parameters) =
            (connection.clone(), namespace.clone(), pod.clone(), parameters.clone());
        async move {
            let next = tokio::time::timeout(limit, next(state, &connection, &namespace, &pod, &parameters)).await;
            let late = || {
                let error =
                    Error::cluster(format!("the log of pod `{pod}` did not arrive within {}s", limit.as_secs()));
                error.hint(connection.kubectl(hint!("describe pod {pod} --namespace {namespace}", pod, namespace)))
            };
            match next.unwrap_or_else(|_| Err(late())) {
                Ok(Some((text, state))) => Some((Line { pod, text: Ok(text) }, state)),
                Ok(None) => None,
                Err(error) => Some((Line { pod, text: Err(error) }, State::Ended)),
            }
        }
    })
}

async fn next(
    state: State,
    connection: &Connection,
    namespace: &str,
    pod: &str,
    parameters: &LogParams,
) -> Result<Option<(String, State)>> {
    let (mut reader, mut bytes) = match state {
        State::Ended => return Ok(None),
        State::Reading(reader, begun) => (reader, begun),
        State::Begin => {
            let api: Api<Pod> = Api::namespaced(connection.client.clone(), namespace);
            let opened = api.log_stream(pod, parameters).await;
            let opened = opened.map_err(|error| log_request_error(&error, connection, namespace, pod))?;
            (Box::pin(opened) as Reader, Vec::new())
        }
    };
    let cut = read_line(&mut reader, &mut bytes).await.map_err(|error| {
        Error::cluster(format!("the log stream of pod `{pod}` was interrupted"))
            .source(&error)
            .hint("run the same command again")
    })?;
    let rest = if cut { bytes.split_off(whole_characters(&bytes)) } else { Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    Ok((!bytes.is_empty()).then(|| (text.trim_end_matches(['\r', '\n']).to_owned(), State::Reading(reader, rest))))
}

/// Reads bytes into `line` until the line ends. Returns true if `line` has [`LONGEST`] bytes before the line ends.
async fn read_line(reader: &mut Reader, line: &mut Vec<u8>) -> std::io::Result<bool> {
    while line.len() < LONGEST {
        let came = reader.fill_buf().await?;
        let room = LONGEST - line.len();
        let part = came.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
        let part = &part[..part.len().min(room)];
        let taken = part.len();
        line.extend_from_slice(part);
        reader.as_mut().consume(taken);
        if taken == 0 || line.ends_with(b"\n") {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the length of `bytes` without an incomplete character at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    let last = bytes.len().saturating_sub(4);
    let begins = |at: &usize| bytes[*at] & 0b1100_0000 != 0b1000_0000;
    match (last..bytes.len()).rev().find(begins) {
        Some(begin) if std::str::from_utf8(&bytes[begin..]).is_err() && begin > 0 => begin,
        _ => bytes.len(),
    }
}

fn log_request_error(error: &kube::Error, connection: &Connection, namespace: &str, pod: &str) -> Error {
    let attempt = Attempt { verb: "get", resource: "pods/log", name: pod, namespace: Some(namespace) };
    match error {
        // The server's message says what the container waits for, or that there is no previous container.
        kube::Error::Api(status) if status.code != 401 && !RefusedBy::is_missing_right(error) => {
            Error::cluster(format!("the log of pod `{pod}` cannot be read"))
                .caused_by(&status.message)
                .hint(connection.kubectl(hint!("describe pod {pod} --namespace {namespace}", pod, namespace)))
        }
        _ => request_error(error, connection, attempt),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Target;
    use futures_util::StreamExt;
    use http::{Request, Response};
    use http_body_util::StreamBody;
    use hyper::body::{Bytes, Frame};
    use kube::Client;
    use kube::client::Body;

    /// Returns the log lines that `lines` reads from a server. The server sends `parts` and then drops the connection;
    /// if `parts` is empty, it sends nothing. If `lines` returns an error, the error's message is in the list instead
    /// of a line.
    async fn read(parts: &'static [&str]) -> Vec<String> {
        let server = tower::service_fn(move |_: Request<Body>| async move {
            if parts.is_empty() {
                std::future::pending::<()>().await;
            }
            let sent = parts.iter().map(|part| Ok(Frame::data(Bytes::from(*part))));
            let sent = sent.chain([Err(std::io::Error::other("reset"))]).collect::<Vec<_>>();
            Ok::<_, std::io::Error>(Response::new(StreamBody::new(futures_util::stream::iter(sent))))
        });
        let connection = Connection {
            client: Client::new(server, "default"),
            context: "here".to_owned(),
            server: "https://here".to_owned(),
            target: Target::default(),
        };
        let limit = Duration::from_millis(if parts.is_empty() { 20 } else { 20_000 });
        let (namespace, pod) = ("web".to_owned(), "one".to_owned());
        let read = lines(connection, namespace, pod, LogParams::default(), limit);
        read.map(|line| line.text.unwrap_or_else(|error| error.message().to_owned())).collect().await
    }

    #[tokio::test]
    async fn a_line_without_an_end_is_cut_between_characters() {
        let whole = "aöö".repeat(LONGEST / 5 * 2 + 9);
        let text: &'static str = Box::leak(format!("{whole}\nb\n").into_boxed_str());
        let parts: Vec<&'static str> = vec![text];
        let lines = read(Box::leak(parts.into_boxed_slice())).await;
        assert_eq!(lines.len(), 5, "three parts, the second line, and the error");
        assert!(lines.iter().all(|line| line.len() <= LONGEST), "none is longer");
        assert_eq!(lines[..3].concat(), whole);
        assert_eq!(lines[3], "b");
    }

    #[tokio::test]
    async fn lines_read_before_an_interruption_are_shown_before_the_error() {
        assert_eq!(read(&["a\r\nb", "c\n\n"]).await, ["a", "bc", "", "the log stream of pod `one` was interrupted"]);
        assert_eq!(read(&[]).await, ["the log of pod `one` did not arrive within 0s"]);
    }
}
