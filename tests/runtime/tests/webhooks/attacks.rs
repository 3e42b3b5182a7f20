//! Attacks by a client without credentials, 127.0.0.2, on an operator in a separate process. Meanwhile the requests
//! of the API server, the kubelet and Prometheus, 127.0.0.1, are answered at once, and the operator stays below the
//! memory limit of its manifest.

use crate::client::{self, Answer, Connection, Over, ask, from, head, map, review};
use crate::served::{self, Authority, default, free_port};
use crate::{VALIDATE, conversion, server};
use axum::http::{Request, Response};
use kube::{Client, client::Body};
use runtime::{CancellationToken, webhook};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum memory in kB. The limit in `config/manager` is 128 Mi, and a part of it is for caches.
const MOST: usize = 100 << 10;
/// The time within which clients other than the attacker are answered.
const AT_ONCE: Duration = Duration::from_secs(2);
const FLAGS: &str = "ATTACKED";

/// Returns a client of a slow API server, which refuses tokens that contain `random`.
fn cluster() -> Client {
    let service = tower::service_fn(async |request: Request<Body>| {
        let text = request.into_body().collect_bytes().await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let knows = !String::from_utf8_lossy(&text).contains("random");
        let status = json!({"authenticated": knows, "user": {}, "allowed": knows});
        let answer = json!({"metadata": {}, "spec": {}, "status": status}).to_string();
        Ok::<_, Infallible>(Response::new(Body::from(answer.into_bytes())))
    });
    Client::new(service, "default")
}

#[test]
#[ignore = "the operator that the attacks start"]
fn serve() {
    let flags: Vec<String> = std::env::var(FLAGS).unwrap().split(' ').map(str::to_owned).collect();
    let stop = CancellationToken::new();
    let operator = served::operator(&flags, cluster, &stop, |manager| {
        manager.webhook(webhook::defaulting(default));
        manager.webhook(webhook::validating_async(served::validate));
        manager.webhook(conversion::sites());
    });
    // Until the attack ends, or its process.
    let _ = std::io::stdin().read(&mut [0]);
    stop.cancel();
    let _ = operator.join();
}

struct Attacked {
    /// A lock for one attack at a time, so that the attacks overload the operator and not the machine.
    _turn: MutexGuard<'static, ()>,
    operator: Child,
    webhooks: u16,
    probes: u16,
    metrics: u16,
    authority: Authority,
    _directory: tempfile::TempDir,
}

impl Attacked {
    fn start() -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let (directory, authority) = (tempfile::tempdir().unwrap(), Authority::new());
        authority.issue(directory.path());
        let [webhooks, probes, metrics] = [(); 3].map(|()| free_port());
        let path = directory.path().display();
        let flags = format!(
            "--webhooks-only --webhook-bind-address=127.0.0.1:{webhooks} --webhook-cert-path={path} \
             --health-probe-bind-address=127.0.0.1:{probes} --metrics-bind-address=127.0.0.1:{metrics} \
             --metrics-cert-path={path}"
        );
        let mut command = Command::new("sh");
        // The number of files that many container engines give.
        command.args(["-c", "ulimit -n 1024; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
        command.args(["--exact", "attacks::serve", "--ignored", "--nocapture"]).env(FLAGS, flags);
        // As the Dockerfile of projects has it.
        command.env("MALLOC_ARENA_MAX", "1");
        let operator = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let attacked = Self { _turn: turn, operator, webhooks, probes, metrics, authority, _directory: directory };
        let begun = Instant::now();
        while server::probe(probes) != "200 ok" {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not get ready");
            thread::sleep(Duration::from_millis(20));
        }
        attacked
    }

    fn secured(&self, socket: TcpStream) -> std::io::Result<Connection> {
        let trusted = [self.authority.certificate.der().clone()];
        client::over(socket, "localhost", trusted, |config| config.with_no_client_auth())
    }

    /// Calls a webhook as the API server does.
    fn call(&self) -> Answer {
        let asked = review("CREATE", &map(&json!({"size": "1"})), &Value::Null).to_string();
        ask(&mut self.secured(from(1, self.webhooks)).unwrap(), VALIDATE, asked.as_bytes()).unwrap()
    }

    fn scrape(&self, client: u8, token: &str) -> u16 {
        let mut connection = self.secured(from(client, self.metrics)).unwrap();
        let head = format!("GET /metrics HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\n\r\n");
        connection.write_all(head.as_bytes()).unwrap();
        let mut line = String::new();
        BufReader::new(connection).read_line(&mut line).unwrap();
        line.split(' ').nth(1).unwrap().parse().unwrap()
    }

    /// Checks that the kubelet, the API server and Prometheus are answered at once.
    fn serves(&self) {
        let at_once = |what: &str, done: &dyn Fn() -> bool| {
            let begun = Instant::now();
            let is_done = done();
            assert!(is_done && begun.elapsed() < AT_ONCE, "{what}: {is_done} after {:?}", begun.elapsed());
        };
        at_once("the kubelet", &|| server::probe(self.probes) == "200 ok");
        at_once("the API server", &|| self.call().0 == 200);
        at_once("Prometheus", &|| self.scrape(1, "good") == 200);
    }

    /// Attacks from several threads, and checks meanwhile and afterwards that the other clients are served.
    fn attack(&self, threads: usize, attack: impl Fn() + Sync) {
        let (over, attack) = (AtomicBool::new(false), &attack);
        thread::scope(|scope| {
            let _over = Over(&over);
            let all: Vec<_> = (0..threads).map(|_| scope.spawn(attack)).collect();
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    self.serves();
                    thread::sleep(Duration::from_millis(100));
                }
            });
            all.into_iter().for_each(|one| one.join().unwrap());
        });
        self.serves();
    }

    /// Ends the operator, and checks that its peak memory was below [`MOST`].
    fn end(mut self) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.operator.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
        println!("at most {peak} kB");
        assert!(peak < MOST, "it has taken {peak} kB");
        drop(self.operator.stdin.take());
        self.operator.wait().unwrap();
    }
}

impl Drop for Attacked {
    fn drop(&mut self) {
        let _ = self.operator.kill();
    }
}

#[test]
fn idle_connections_and_heads_without_an_end_leave_the_probes_alone() {
    let attacked = Attacked::start();
    let idle: Vec<_> = (0..1100).map(|_| from(2, attacked.probes)).collect();
    attacked.serves();
    let half = |mut socket: TcpStream| {
        let _ = socket.write_all(b"GET /healthz HTTP/1.1\r\n");
        socket
    };
    let halves: Vec<_> = (0..1100).map(|_| half(from(2, attacked.probes))).collect();
    attacked.serves();
    let long = format!("GET /healthz HTTP/1.1\r\na: {}", "x".repeat(390_000));
    attacked.attack(4, || {
        let send = |_| {
            let mut socket = from(2, attacked.probes);
            let _ = socket.set_write_timeout(Some(Duration::from_secs(1)));
            let _ = socket.write_all(long.as_bytes());
            socket
        };
        drop((0..100).map(send).collect::<Vec<_>>());
    });
    drop((idle, halves));
    attacked.end();
}

#[test]
fn idle_connections_and_heads_without_an_end_leave_webhooks_and_metrics_alone() {
    let attacked = Attacked::start();
    let long = format!("GET /metrics HTTP/1.1\r\na: {}", "x".repeat(390_000));
    attacked.attack(2, || {
        let open = |port| {
            let begin = |_| attacked.secured(from(2, port)).ok();
            (0..200).filter_map(begin).collect::<Vec<_>>()
        };
        let silent: Vec<_> = (0..300).map(|_| from(2, attacked.webhooks)).collect();
        let (idle, mut heads) = (open(attacked.webhooks), open(attacked.metrics));
        for connection in &mut heads {
            let _ = connection.write_all(long.as_bytes());
        }
        drop((silent, idle));
    });
    attacked.end();
}

#[test]
fn large_and_slow_bodies_take_no_memory() {
    let attacked = Attacked::start();
    let zeros = format!("[0{}]", ",0".repeat(3_600_000));
    let review = format!("{{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{zeros}}}");
    attacked.attack(6, || {
        let is_refused = |what: &str, answer: std::io::Result<Answer>| {
            // The operator closes connections of whoever has too many, or sends too slowly.
            assert!(answer.as_ref().map_or(true, |answer| [413, 503].contains(&answer.0)), "{what}: {answer:?}");
        };
        let connect = || attacked.secured(from(2, attacked.webhooks));
        for (path, body) in [(VALIDATE, &zeros), (conversion::CONVERT, &review), (VALIDATE, &review)] {
            is_refused(path, connect().and_then(|mut to| ask(&mut to, path, body.as_bytes())));
        }
        let announced = head(conversion::CONVERT, 60 << 20);
        let mut connection = connect().unwrap();
        connection.write_all(announced.as_bytes()).unwrap();
        assert_eq!(client::answer(&mut connection).unwrap().0, 413);
        // Bodies that are announced and never sent, or only almost.
        let begin = |_| {
            let mut connection = connect().ok()?;
            let _ = write!(connection, "{}{}", head(VALIDATE, 5_000_000), " ".repeat(100_000));
            Some(connection)
        };
        let slow: Vec<_> = (0..30).filter_map(begin).collect();
        thread::sleep(Duration::from_secs(2));
        drop(slow);
    });
    attacked.end();
}

/// Answers of some megabytes that the client does not read keep the operator below its memory limit.
#[test]
fn answers_that_nobody_reads_take_no_memory() {
    let attacked = Attacked::start();
    let site = json!({"tls": "x".repeat(3_500_000), "replicas": 1});
    let site = conversion::site("v1", "a", &site);
    let body = conversion::review("example.com/v1alpha1", &[site]).to_string();
    attacked.attack(4, || {
        let send = |_| {
            let mut connection = attacked.secured(from(2, attacked.webhooks)).ok()?;
            let _ = connection.sock.set_write_timeout(Some(Duration::from_secs(5)));
            let _ = write!(connection, "{}{body}", head(conversion::CONVERT, body.len()));
            Some(connection)
        };
        drop((0..6).filter_map(send).collect::<Vec<_>>());
    });
    attacked.end();
}

#[test]
fn a_client_that_guesses_tokens_does_not_keep_prometheus_waiting() {
    let attacked = Attacked::start();
    let codes = std::sync::Mutex::new(Vec::new());
    attacked.attack(8, || {
        for number in 0..20 {
            let code = attacked.scrape(2, &format!("random-{number}-{:?}", thread::current().id()));
            codes.lock().unwrap().push(code);
        }
    });
    let codes = codes.into_inner().unwrap();
    assert!(codes.iter().all(|code| [401, 429].contains(code)), "{codes:?}");
    assert!(codes.contains(&401) && codes.contains(&429), "{codes:?}");
    attacked.end();
}

/// Frames of HTTP/2.
mod frames {
    pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    pub const END_HEADERS: u8 = 4;

    pub fn frame(type_: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        [&length[1..], &[type_, flags], &stream.to_be_bytes(), payload].concat()
    }

    fn text(length: usize) -> Vec<u8> {
        // A length of HPACK: 7 bits, then the rest.
        let (mut rest, mut coded) = (length - 127, vec![127]);
        while rest >= 128 {
            coded.push(u8::try_from(rest % 128).unwrap() | 128);
            rest /= 128;
        }
        coded.push(u8::try_from(rest).unwrap());
        [coded, vec![b'x'; length]].concat()
    }

    /// Returns the head of a POST to a webhook, with a header field of `length` bytes.
    pub fn head(length: usize) -> Vec<u8> {
        let path = crate::VALIDATE.as_bytes();
        let parts: [&[u8]; 8] = [
            &[0x83, 0x87, 0x04, u8::try_from(path.len()).unwrap()],
            path,
            b"\x01\x09localhost",
            b"\x0f\x10\x10application/json",
            b"\x0f\x0d\x0560000",
            b"\0\x01a",
            &text(length),
            b"",
        ];
        parts.concat()
    }
}

#[test]
fn streams_and_continuations_without_an_end_take_no_memory() {
    use frames::{END_HEADERS, PREFACE, frame, head};
    let attacked = Attacked::start();
    let begin = || {
        let trusted = [attacked.authority.certificate.der().clone()];
        let mut connection = client::over(from(2, attacked.webhooks), "localhost", trusted, |config| {
            let mut config = config.with_no_client_auth();
            config.alpn_protocols = vec![b"h2".to_vec()];
            config
        })?;
        connection.sock.set_write_timeout(Some(Duration::from_secs(1)))?;
        connection.write_all(PREFACE)?;
        Ok::<_, std::io::Error>(connection)
    };
    let streams = || (1..=200).step_by(2);
    let opened: Vec<u8> = streams()
        .flat_map(|stream| {
            let body = [b' '; 16_000];
            [frame(1, END_HEADERS, stream, &head(14_000)), frame(0, 0, stream, &body)].concat()
        })
        .collect();
    let reset: Vec<u8> = streams()
        .flat_map(|stream| [frame(1, END_HEADERS, stream, &head(200)), frame(3, 0, stream, &[0; 4])].concat())
        .collect();
    let continued = [frame(1, 0, 1, &head(8_000)), frame(9, 0, 1, &head(16_000)).repeat(60)].concat();
    attacked.attack(4, || {
        let held: Vec<_> = (0..30)
            .filter_map(|number| {
                let mut connection = begin().ok()?;
                let _ = connection.write_all([&opened, &reset, &continued][number % 3]);
                Some(connection)
            })
            .collect();
        thread::sleep(Duration::from_secs(1));
        drop(held);
    });
    attacked.end();
}
