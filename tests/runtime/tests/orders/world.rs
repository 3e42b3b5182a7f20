//! The model API server and its clients: a request waits until the schedule lets the server answer it, and an event of
//! a watch waits until the schedule sends it.

use crate::across;
use crate::knowledge::Knowledge;
use crate::model::{Answer, Request, Server, Watch};
use crate::rules::Rules;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Response, header::CONTENT_TYPE};
use futures::StreamExt;
use kube::Client;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout};
use tower::{BoxError, service_fn};

/// The time for which a client waits for an answer: the read timeout that `Manager::new` sets.
const SILENCE: Duration = Duration::from_secs(90);

type Reply = Result<Response<Body>, BoxError>;

/// A request that the server has not answered yet.
pub(crate) struct Pending {
    /// The number that identifies the operator's process that sent the request.
    pub sender: usize,
    pub request: Request,
    pub sent: Instant,
    /// The number of answers that were sent before this request.
    after: usize,
    reply: oneshot::Sender<Reply>,
}

impl Pending {
    /// Returns true if nobody waits for the answer any more.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }
}

/// An open stream of events.
pub(crate) struct Open {
    pub sender: usize,
    pub watch: Watch,
    pub since: Instant,
    /// True while the events of the watch are held back. They are sent when the schedule has ended.
    pub held: bool,
    stream: mpsc::UnboundedSender<io::Result<Bytes>>,
}

/// The way in which a request ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fate {
    Answered,
    /// The server carries out the request, and the answer is lost.
    Lost,
    /// The server carries out the request, and answers with a timeout.
    TimedOut,
    Refused(u16),
    /// The connection ends before the server sees the request.
    Cut,
}

pub(crate) struct World {
    pub server: Server,
    /// The namespace of the roles.
    pub roles: &'static str,
    /// The requests that arrived since the runtime was last idle.
    arrived: Vec<Pending>,
    pub pending: Vec<Pending>,
    pub open: Vec<Open>,
    pub trace: Vec<String>,
    /// The operators' writes that were accepted.
    pub written: Vec<Request>,
    pub rules: Rules,
    pub knowledge: Knowledge,
    /// The number of answers so far.
    answers: usize,
    /// The number of steps that cause further work, such as changes, events that are sent, and new watches.
    pub moves: usize,
}

impl Default for World {
    fn default() -> Self {
        Self {
            server: Server::default(),
            roles: "ns",
            arrived: Vec::new(),
            pending: Vec::new(),
            open: Vec::new(),
            trace: Vec::new(),
            written: Vec::new(),
            rules: Rules::default(),
            knowledge: Knowledge::default(),
            answers: 0,
            moves: 0,
        }
    }
}

impl World {
    /// Makes a client whose requests come from `sender`.
    pub(crate) fn client(world: &Arc<Mutex<Self>>, sender: usize) -> Client {
        let world = world.clone();
        let service = service_fn(move |request: axum::http::Request<kube::client::Body>| {
            let world = world.clone();
            async move {
                let (head, body) = request.into_parts();
                let body = to_bytes(Body::new(body), usize::MAX).await?;
                let content = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
                let request =
                    Request::read(head.method.as_str(), &head.uri.to_string(), content.unwrap_or_default(), &body);
                let (reply, replied) = oneshot::channel();
                {
                    let world = &mut *world.lock();
                    let after = world.answers;
                    world.arrived.push(Pending { sender, request, sent: Instant::now(), after, reply });
                }
                match timeout(SILENCE, replied).await {
                    Ok(Ok(reply)) => reply,
                    Ok(Err(_)) => Err("connection reset".into()),
                    Err(_) => Err("read timeout".into()),
                }
            }
        });
        Client::new(service, "default")
    }

    /// Sorts new requests by sender and content, independent of their arrival, and drops requests and watches that
    /// no client waits for any more.
    pub(crate) fn settle(&mut self) {
        self.arrived.sort_by_key(|pending| (pending.sender, pending.request.line()));
        for pending in &self.arrived {
            self.knowledge.sent(pending.sender, &pending.request);
        }
        self.pending.append(&mut self.arrived);
        self.open.retain(|open| !open.stream.is_closed());
        let given_up = |pending: &Pending| pending.is_abandoned() && pending.sent.elapsed() >= SILENCE;
        self.pending.retain(|pending| !given_up(pending));
        for plural in ["webs", "pages"] {
            self.server.all(plural).iter().for_each(|object| self.knowledge.exists(plural, object));
        }
        let timed_out = |open: &Open| {
            let seconds = open.watch.request.asks("timeoutSeconds").and_then(|seconds| seconds.parse().ok());
            open.since.elapsed() >= Duration::from_secs(seconds.unwrap_or(u64::MAX / 1000))
        };
        self.open.retain(|open| !timed_out(open));
    }

    /// Ends the pending request at `index` as `fate` says.
    pub(crate) fn end(&mut self, index: usize, fate: Fate) {
        let Pending { sender, request, sent, after, reply } = self.pending.remove(index);
        self.trace.push(format!("{sender} {} {fate:?}", request.line()));
        let refused = |code: u16| {
            let reason = match code {
                409 => "Conflict",
                504 => "Timeout",
                _ => "TooManyRequests",
            };
            json!({ "apiVersion": "v1", "kind": "Status", "metadata": {}, "status": "Failure",
                "code": code, "reason": reason, "message": "faults" })
        };
        let response = match fate {
            Fate::Cut => Err("connection refused".into()),
            Fate::Refused(code) => Ok(response(code, &refused(code))),
            _ if request.is_watch() => {
                self.watch(sender, request, reply, fate);
                return;
            }
            fate => {
                let answer = self.carry_out(sender, (sent, after), &request);
                match fate {
                    Fate::Lost => Err("connection reset".into()),
                    Fate::TimedOut => Ok(response(504, &refused(504))),
                    _ => {
                        let (code, body) = (answer.code, &answer.body);
                        if !reply.is_closed() {
                            self.answers += 1;
                            self.knowledge.answered(sender, &request, code, body, self.answers);
                        }
                        Ok(response(code, body))
                    }
                }
            }
        };
        let _ = reply.send(response); // nobody may wait any more
    }

    /// Ends a process. With `carried_out`, the server still carries out the pending requests of the process.
    pub(crate) fn crash(&mut self, sender: usize, carried_out: bool) {
        self.trace.push(format!("{sender} crashes carried_out={carried_out}"));
        let (sent, rest) = self.pending.drain(..).partition(|pending| pending.sender == sender);
        self.pending = rest;
        let sent: Vec<Pending> = sent;
        for Pending { request, sent, after, .. } in
            sent.into_iter().filter(|pending| carried_out && !pending.request.is_watch())
        {
            self.carry_out(sender, (sent, after), &request);
        }
        self.open.retain(|open| open.sender != sender);
    }

    /// Lets the server carry out a request of the process `sender`, and records the effect. `sent` and `after` are
    /// those of the request's [`Pending`].
    fn carry_out(&mut self, sender: usize, (sent, after): (Instant, usize), request: &Request) -> Answer {
        let (version, before) = (self.server.version(), self.server.get(&request.id()));
        let answer = self.server.answer(request);
        if request.writes() {
            let changed = self.server.version() > version;
            self.moves += usize::from(changed && request.is_work());
            self.trace.push(format!("  {} {}", answer.code, if changed { "changed" } else { "same" }));
            if answer.code < 300 {
                self.rules.written(sender, sent, request, before.as_deref());
                self.rules.wrong.extend(self.knowledge.wrong(sender, request, after));
                self.rules.wrong.extend(across::wrong(request, before.as_deref(), &self.server));
                if changed {
                    self.knowledge.written(request, self.server.version());
                }
                self.written.push(request.clone());
            }
        }
        answer
    }

    fn watch(&mut self, sender: usize, request: Request, reply: oneshot::Sender<Reply>, fate: Fate) {
        self.moves += 1;
        let (stream, events) = mpsc::unbounded_channel();
        let events = futures::stream::unfold(events, async |mut events| Some((events.recv().await?, events)));
        let body = Body::from_stream(events.boxed());
        if fate != Fate::Answered {
            let _ = reply.send(Err("connection reset".into()));
        } else if reply.send(Ok(Response::new(body))).is_ok() {
            match Watch::start(&self.server, request) {
                Err(event) => drop(stream.send(Ok(line(&event)))),
                Ok(watch) => {
                    let since = Instant::now();
                    self.open.push(Open { sender, watch, since, held: false, stream });
                }
            }
        }
    }

    /// Sends the next event of a watch.
    pub(crate) fn tell(&mut self, index: usize) {
        let open = &mut self.open[index];
        let Some((object, type_, version)) = open.watch.next(&self.server) else { return };
        open.watch.told = version;
        self.moves += 1;
        let (name, plural) = (object["metadata"]["name"].as_str().unwrap_or_default(), open.watch.request.kind.plural);
        self.trace.push(format!("{} {type_} {plural} {name} {version}", open.sender));
        self.knowledge.told(open.sender, plural, type_, &object);
        let _ = open.stream.send(Ok(line(&json!({ "type": type_, "object": object }))));
    }

    pub(crate) fn bookmark(&mut self, index: usize) {
        let open = &mut self.open[index];
        let version = open.watch.bookmark(&self.server);
        open.watch.told = version;
        let kind = open.watch.request.kind;
        let object = json!({
            "apiVersion": kind.api_version(), "kind": kind.kind,
            "metadata": { "resourceVersion": version.to_string(), "creationTimestamp": null },
        });
        self.trace.push(format!("{} BOOKMARK {} {version}", open.sender, kind.plural));
        let _ = open.stream.send(Ok(line(&json!({ "type": "BOOKMARK", "object": object }))));
    }

    /// Ends a watch. With a `gap`, the server forgets the watch's version before the watch is started again.
    pub(crate) fn cut(&mut self, index: usize, gap: bool) {
        let open = self.open.remove(index);
        self.trace.push(format!("{} ends {} gap={gap}", open.sender, open.watch.request.kind.plural));
        if gap {
            self.server.compact();
        }
    }
}

fn response(code: u16, body: &Value) -> Response<Body> {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = code.try_into().unwrap();
    if matches!(code, 429 | 503 | 504) {
        // Without this header, a retry would come after a random time.
        response.headers_mut().insert("Retry-After", "1".parse().unwrap());
    }
    response
}

fn line(event: &Value) -> Bytes {
    format!("{event}\n").into()
}
