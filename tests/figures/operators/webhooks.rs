//! Compares the webhooks that `create webhook` makes with equivalent webhooks for controller-runtime: in writes by
//! many clients, which are defaulted and validated, and in lists of many objects, which are converted.

use super::plane::Plane;
use super::process::{Operator, Running};
use super::{OURS, built, compared, edit, new_project, program_of_go};
use crate::{opctl, row, run};
use kube::api::{Api, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const WRITERS: usize = 50;
const ROUNDS: usize = 3;
const TIME: Duration = Duration::from_secs(60);
const LISTED: usize = 10_000;
const LISTERS: usize = 4;
/// The time in which the API server may refuse lists, because it is filling its watch cache of a version.
const WARM_UP: Duration = Duration::from_secs(60);
const NAME: &str = "webservers.web.example.com";

/// The outcome of one minute of writes.
struct Written {
    per_second: f64,
    median: f64,
    slowest_hundredth: f64,
    peak_megabytes: f64,
    processor_per_write: f64,
}

/// The outcome of two minutes of lists.
struct Listed {
    objects_per_second: f64,
    refused: usize,
    refused_later: usize,
}

/// Prints rows for the webhooks of both operators, and their ratios. Measures nothing without Go.
pub(crate) fn beside_go_webhooks() {
    if !super::has_go() {
        return;
    }
    let folder = super::folder();
    let operators = [ours(&folder), theirs(&folder)];
    let mut written: [Vec<Written>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (operator, written) in operators.iter().zip(&mut written) {
            let served = Served::start(operator, &folder);
            written.push(served.written());
            served.stop();
        }
    }
    let of = |which| super::of(&written, which);
    compared(&format!("writes per second of {WRITERS} writers"), of(|one| one.per_second), "1.0");
    compared("median of their times, in ms", of(|one| one.median), "1.0");
    compared("99th percentile, in ms", of(|one| one.slowest_hundredth), "1.0");
    compared("peak memory, in MB", of(|one| one.peak_megabytes), "0.4");
    compared("processor time of a write, in ms", of(|one| one.processor_per_write), "0.6");
    let [listed, listed_by_go] = operators.each_ref().map(|operator| {
        let served = Served::start(operator, &folder);
        let listed = served.listed();
        served.stop();
        listed
    });
    let speed = [listed.objects_per_second, listed_by_go.objects_per_second];
    compared(&format!("objects per second in lists of {LISTED}"), speed, "");
    for (figure, one) in [("lists refused with 429", &listed), ("  with the webhooks in Go", &listed_by_go)] {
        row(figure, &one.refused.to_string(), "");
    }
    let later = listed_by_go.refused_later;
    row("  after a minute", &listed.refused_later.to_string(), &later.to_string());
    row("  with the webhooks in Go", &later.to_string(), "");
}

/// Webhooks that are served to an API server.
struct Served {
    plane: Plane,
    running: Running,
}

impl Served {
    fn start(operator: &Operator, folder: &Path) -> Self {
        let certificates = folder.join("certificates");
        let pair = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        fs::create_dir_all(&certificates).unwrap();
        fs::write(certificates.join("tls.crt"), pair.cert.pem()).unwrap();
        fs::write(certificates.join("ca.crt"), pair.cert.pem()).unwrap();
        fs::write(certificates.join("tls.key"), pair.signing_key.serialize_pem()).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut flags = vec![format!("--webhook-cert-path={}", certificates.display())];
        let convert = if operator.name == OURS {
            flags.extend(["--webhooks-only".to_owned(), format!("--webhook-bind-address=127.0.0.1:{port}")]);
            "/convert-web-example-com-webserver"
        } else {
            flags.push(format!("--webhook-port={port}"));
            "/convert"
        };
        let plane = Plane::start(&[]);
        let client = |path: &str| {
            let bundle = k8s_openapi::ByteString(pair.cert.pem().into_bytes());
            json!({ "url": format!("https://127.0.0.1:{port}{path}"), "caBundle": bundle })
        };
        let mut crd: Value = serde_yaml::from_str(&fs::read_to_string(&operator.crd).unwrap()).unwrap();
        let webhook = json!({ "conversionReviewVersions": ["v1"], "clientConfig": client(convert) });
        crd["spec"]["conversion"] = json!({ "strategy": "Webhook", "webhook": webhook });
        plane.apply(&crd);
        for (kind, verb) in [("MutatingWebhookConfiguration", "mutate"), ("ValidatingWebhookConfiguration", "validate")]
        {
            let rule = json!({
                "apiGroups": ["web.example.com"], "apiVersions": ["v1"], "resources": ["webservers"],
                "operations": ["CREATE", "UPDATE"],
            });
            plane.apply(&json!({
                "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": { "name": verb },
                "webhooks": [{
                    "name": NAME, "admissionReviewVersions": ["v1"], "sideEffects": "None", "rules": [rule],
                    "clientConfig": client(&format!("/{verb}-web-example-com-v1-webserver")),
                }],
            }));
        }
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let running = operator.start(&plane, &flags);
        running.ready();
        let served = Self { plane, running };
        served.until_asked();
        served
    }

    /// Waits until the API server calls the webhooks.
    fn until_asked(&self) {
        let (objects, params) = (self.plane.objects_in("v1"), PostParams { dry_run: true, ..PostParams::default() });
        let (object, start) = (object("first"), Instant::now());
        while !self
            .plane
            .runtime()
            .block_on(objects.create(&params, &object))
            .is_ok_and(|created| created.metadata.annotations.is_some())
        {
            assert!(start.elapsed() < Duration::from_secs(60), "the API server does not ask the webhooks");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Lets [`WRITERS`] clients each change one object repeatedly for [`TIME`].
    fn written(&self) -> Written {
        let (before, _) = self.running.cost();
        let mut writers = JoinSet::new();
        let until = Instant::now() + TIME;
        for writer in 0..WRITERS {
            let objects = self.plane.objects_in("v1");
            writers.spawn_on(write(objects, format!("object-{writer}"), until), self.plane.runtime().handle());
        }
        let mut times: Vec<f64> = self.plane.runtime().block_on(writers.join_all()).into_iter().flatten().collect();
        times.sort_by(f64::total_cmp);
        let (after, peak_megabytes) = self.running.cost();
        let count = f64::from(u32::try_from(times.len()).unwrap());
        Written {
            per_second: count / TIME.as_secs_f64(),
            median: times[times.len() / 2],
            slowest_hundredth: times[times.len() * 99 / 100],
            peak_megabytes,
            processor_per_write: after.saturating_sub(before).as_secs_f64() * 1000.0 / count,
        }
    }

    /// Lists many objects for twice [`WARM_UP`], in a version in which they are not stored. Each object is converted
    /// for the API server's watch cache of this version, and again for each list that the cache cannot answer.
    fn listed(&self) -> Listed {
        let objects = self.plane.objects_in("v1");
        let mut creators = JoinSet::new();
        for creator in 0..WRITERS {
            let objects = objects.clone();
            creators.spawn_on(
                async move {
                    for index in (creator..LISTED).step_by(WRITERS) {
                        objects.create(&PostParams::default(), &object(&format!("object-{index}"))).await.unwrap();
                    }
                },
                self.plane.runtime().handle(),
            );
        }
        self.plane.runtime().block_on(creators.join_all());
        let start = Instant::now();
        let mut listers = JoinSet::new();
        for _ in 0..LISTERS {
            listers.spawn_on(list(self.plane.objects_in("v2"), start), self.plane.runtime().handle());
        }
        let outcomes = self.plane.runtime().block_on(listers.join_all());
        let listed: u32 = outcomes.iter().map(|(listed, _)| listed).sum();
        let refused: Vec<Duration> = outcomes.into_iter().flat_map(|(_, refused)| refused).collect();
        Listed {
            objects_per_second: f64::from(listed) / start.elapsed().as_secs_f64(),
            refused: refused.len(),
            refused_later: refused.iter().filter(|refused| **refused > WARM_UP).count(),
        }
    }

    fn stop(self) {
        self.running.stop();
    }
}

/// Creates an object, and changes it until the time `until`. Returns how long each change took, in milliseconds.
async fn write(objects: Api<DynamicObject>, name: String, until: Instant) -> Vec<f64> {
    objects.create(&PostParams::default(), &object(&name)).await.unwrap();
    let mut times = Vec::new();
    while Instant::now() < until {
        let start = Instant::now();
        let patch = Patch::Merge(json!({ "spec": { "replicas": times.len() } }));
        objects.patch(&name, &PatchParams::default(), &patch).await.unwrap();
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    times
}

/// Lists objects. Returns the number of listed objects, and the times since `start` at which lists were refused.
async fn list(objects: Api<DynamicObject>, start: Instant) -> (u32, Vec<Duration>) {
    let (mut listed, mut refused) = (0, Vec::new());
    let mut page = ListParams::default().limit(500);
    while start.elapsed() < 2 * WARM_UP {
        match objects.list(&page).await {
            Ok(list) => {
                assert!(list.items.iter().all(|object| object.data["spec"]["containerPort"] == 80));
                listed += u32::try_from(list.items.len()).unwrap();
                page.continue_token = list.metadata.continue_.filter(|token| !token.is_empty());
            }
            Err(kube::Error::Api(status)) if status.code == 429 => refused.push(start.elapsed()),
            Err(error) => panic!("{error}"),
        }
    }
    (listed, refused)
}

fn object(name: &str) -> DynamicObject {
    let metadata = json!({ "name": name, "annotations": { "web.example.com/created-by": "" } });
    let object = json!({
        "apiVersion": "web.example.com/v1", "kind": "WebServer", "metadata": metadata,
        "spec": { "image": "nginx:1.27", "replicas": 2, "port": 80 },
    });
    serde_json::from_value(object).unwrap()
}

fn ours(folder: &Path) -> Operator {
    let root = new_project(folder, "measured-webhooks");
    let web = ["--group", "web", "--kind", "WebServer", "--version"];
    let fields = ["--field", "image:string", "--field", "replicas:int32?", "--field", "port:int32"];
    let opctl = |arguments: &[&[&str]]| run(&mut opctl(&root, &arguments.concat()));
    opctl(&[&["create", "api"], &web, &["v1"], &fields]);
    opctl(&[&["create", "api"], &web, &["v2"]]);
    edit(
        &root.join("api/src/web/v2/web_server.rs"),
        &[("pub port", "pub container_port"), ("\"port\"", "\"containerPort\"")],
    );
    opctl(&[&["create", "webhook"], &web, &["v1", "--defaulting", "--validation", "--conversion", "--spoke", "v2"]]);
    edit(
        &root.join("api/src/web/v2/web_server_conversion.rs"),
        &[
            ("// WebServerSpec.port is only in v1: write its value.", "port: value.container_port,"),
            ("// WebServerSpec.container_port is only in v2: write its value.", "container_port: value.port,"),
        ],
    );
    opctl(&[&["manifests"]]);
    built(folder, &root)
}

fn theirs(folder: &Path) -> Operator {
    let crd = folder.join("measured-webhooks/config/crd/bases/web.example.com_webservers.yaml");
    let program = program_of_go(folder, "webhooks");
    Operator { name: "the webhooks in Go", program, crd, resync: &[] }
}
