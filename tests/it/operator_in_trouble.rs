//! An operator of `testdata/golden` in trouble: a reconciler that panics, an object that does not fit its type, a
//! leader that was frozen, an unreachable API server, a replaced certificate. Also counts the operator's writes in
//! normal operation.

use crate::deployment_operator::{FLAGS, led_by_another};
use crate::support::{
    Operator, Plane, cargo_in, keep, lay, must, project, target_folder, temporary, until, web_servers,
};
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::events::v1::Event;
use kube::Client;
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams};
use kube::config::Kubeconfig;
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

const NAME: &str = "shop-operator";

fn children(client: &Client, group: &str, kind: &str) -> Api<DynamicObject> {
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, "v1", kind));
    Api::default_namespaced_with(client.clone(), &resource)
}

async fn create(client: &Client, name: &str, spec: Value) {
    let metadata = json!({"name": name});
    let object = json!({"apiVersion": "example.com/v1alpha1", "kind": "WebServer", "metadata": metadata, "spec": spec});
    web_servers(client).patch(name, &PatchParams::apply("test"), &Patch::Apply(object)).await.unwrap();
}

async fn edit(api: &Api<DynamicObject>, name: &str, patch: Value) {
    api.patch(name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
}

fn replicas(object: &DynamicObject) -> i64 {
    object.data["spec"]["replicas"].as_i64().unwrap_or(-1)
}

fn read(log: &Path) -> String {
    std::fs::read_to_string(log).unwrap_or_default()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Builds `shop-operator` from `testdata/golden` with a reconciler that panics for objects with the image `panic`.
fn panicking() -> PathBuf {
    let name = "panicking-operator";
    let fresh = temporary();
    lay(&project(NAME), fresh.path());
    let rewrite = |file: &str, change: &dyn Fn(String) -> String| {
        let path = fresh.path().join(file);
        std::fs::write(&path, change(std::fs::read_to_string(&path).unwrap())).unwrap();
    };
    for file in ["Cargo.toml", "Cargo.lock", "api/Cargo.toml", "src/main.rs"] {
        rewrite(file, &|text| text.replace(NAME, name).replace("shop_operator", "panicking_operator"));
    }
    rewrite("src/controller/web_server.rs", &|text| {
        let (head, rest) = text.split_once("-> anyhow::Result<Action> {\n").unwrap();
        format!("{head}-> anyhow::Result<Action> {{\n    assert!(obj.spec.image != \"panic\", \"as asked\");\n{rest}")
    });
    must(&mut cargo_in(&keep(name, fresh.path()), &["build", "--offline"]));
    target_folder().join("debug").join(name)
}

async fn warned(client: &Client, about: &str, reason: &str, log: &Path) -> String {
    let events: Api<Event> = Api::default_namespaced(client.clone());
    let start = Instant::now();
    loop {
        let found = events.list(&ListParams::default()).await.unwrap().into_iter().find(|event| {
            let regarding = event.regarding.as_ref().and_then(|object| object.name.as_deref());
            regarding == Some(about) && event.reason.as_deref() == Some(reason)
        });
        if let Some(event) = found {
            return event.note.unwrap_or_default();
        }
        assert!(start.elapsed() < Duration::from_secs(30), "no {reason} about {about}\n{}", read(log));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_panic_and_an_object_that_does_not_fit_touch_only_themselves() {
    let program = panicking();
    let plane = Plane::start();
    plane.must(&project(NAME), &["install"]);
    let client = plane.client().await;
    // As after a change of the type: the stored object does not fit the type any more.
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let definitions: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::from_gvk(&kind));
    let any = json!([{
        "op": "replace",
        "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/port",
        "value": {"x-kubernetes-preserve-unknown-fields": true},
    }]);
    let any = Patch::Json::<()>(serde_json::from_value(any).unwrap());
    definitions.patch("webservers.example.com", &PatchParams::default(), &any).await.unwrap();
    let temporary = temporary();
    let log = temporary.path().join("log");
    let start = Instant::now();
    loop {
        let object = json!({
            "apiVersion": "example.com/v1alpha1", "kind": "WebServer", "metadata": {"name": "unfit"},
            "spec": {"replicas": 1, "image": "a", "port": "eighty"},
        });
        let (api, object) = (web_servers(&client), Patch::Apply(object));
        match api.patch("unfit", &PatchParams::apply("test"), &object).await {
            Ok(_) => break,
            Err(error) => assert!(start.elapsed() < Duration::from_secs(20), "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    create(&client, "panics", json!({"image": "panic", "replicas": 1, "port": 80})).await;
    create(&client, "good", json!({"image": "a", "replicas": 1, "port": 80})).await;

    let operator = Operator::launch(&program, &plane.kubeconfig, &log, &[]);
    let deployments = children(&client, "apps", "Deployment");
    until(&deployments, "good", &log, |_| true).await;
    let note = warned(&client, "unfit", "Invalid", &log).await;
    assert!(note.contains("does not fit its Rust type") && note.contains("eighty"), "{note}");
    let note = warned(&client, "panics", "ReconcileFailed", &log).await;
    assert!(note.contains("panicked"), "{note}");
    // Objects that are created later are reconciled too.
    create(&client, "later", json!({"image": "a", "replicas": 1, "port": 80})).await;
    until(&deployments, "later", &log, |_| true).await;
    for bad in ["unfit", "panics"] {
        assert!(deployments.get_opt(bad).await.unwrap().is_none(), "{bad}");
    }
    edit(&web_servers(&client), "unfit", json!({"spec": {"port": 80}})).await;
    edit(&web_servers(&client), "panics", json!({"spec": {"image": "a"}})).await;
    until(&deployments, "unfit", &log, |_| true).await;
    until(&deployments, "panics", &log, |_| true).await;
    assert_eq!(operator.stop(), Some(0), "{}", read(&log));
}

#[tokio::test]
async fn a_leader_that_was_frozen_writes_nothing_more_and_ends() {
    let plane = Plane::start();
    plane.must(&project(NAME), &["install"]);
    let client = plane.client().await;
    let temporary = temporary();
    let log = temporary.path().join("log");
    let operator = Operator::start_with(&plane, NAME, &log, &FLAGS);
    led_by_another(&Api::<Lease>::default_namespaced(client.clone()), "").await;
    create(&client, "sample", json!({"replicas": 1})).await;
    let (objects, deployments) = (web_servers(&client), children(&client, "apps", "Deployment"));
    until(&deployments, "sample", &log, |_| true).await;
    until(&objects, "sample", &log, |object| object.data["status"]["observedGeneration"] == 1).await;

    operator.signal("STOP");
    edit(&objects, "sample", json!({"spec": {"replicas": 5}})).await;
    // Longer than a leader continues without renewing its lease.
    tokio::time::sleep(Duration::from_secs(12)).await;
    let versions = async || {
        let (object, deployment) = (objects.get("sample").await.unwrap(), deployments.get("sample").await.unwrap());
        (object.metadata.resource_version, deployment.metadata.resource_version)
    };
    let before = versions().await;
    operator.signal("CONT");
    assert_eq!(operator.ended(), Some(1), "{}", read(&log));
    assert_eq!(versions().await, before, "{}", read(&log));
    assert!(read(&log).contains("was not renewed"), "{}", read(&log));

    let other = temporary.path().join("other");
    let operator = Operator::start_with(&plane, NAME, &other, &FLAGS);
    until(&deployments, "sample", &other, |deployment| replicas(deployment) == 5).await;
    assert_eq!(operator.stop(), Some(0), "{}", read(&other));
}

/// A TCP proxy to a server. A test can cut it: its connections end, and it closes new connections at once.
struct Way {
    /// The open connections. `None` while the proxy is cut.
    open: Mutex<Option<Vec<TcpStream>>>,
}

impl Way {
    fn to(server: String) -> (Arc<Self>, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (way, address) = (Arc::new(Way { open: Mutex::new(Some(Vec::new())) }), listener.local_addr().unwrap());
        let accepting = way.clone();
        std::thread::spawn(move || {
            for from in listener.incoming().flatten() {
                let Some(open) = &mut *accepting.open.lock().unwrap() else { continue };
                let to = TcpStream::connect(&server).unwrap();
                for (from, to) in [(&from, &to), (&to, &from)] {
                    let (mut from, mut to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    std::thread::spawn(move || std::io::copy(&mut from, &mut to));
                }
                open.extend([from, to]);
            }
        });
        (way, address)
    }

    fn cut(&self) {
        for stream in self.open.lock().unwrap().take().into_iter().flatten() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn hint(&self) {
        *self.open.lock().unwrap() = Some(Vec::new());
    }
}

#[tokio::test]
async fn children_changed_while_the_api_server_is_unreachable_are_restored() {
    let plane = Plane::start();
    plane.must(&project(NAME), &["install"]);
    let client = plane.client().await;
    let text = std::fs::read_to_string(&plane.kubeconfig).unwrap();
    let kubeconfig = Kubeconfig::from_yaml(&text).unwrap();
    let server = kubeconfig.clusters[0].cluster.as_ref().unwrap().server.clone().unwrap();
    let (way, address) = Way::to(server.trim_start_matches("https://").to_owned());
    let temporary = temporary();
    let (log, by_that_way) = (temporary.path().join("log"), temporary.path().join("kubeconfig"));
    std::fs::write(&by_that_way, text.replace(&server, &format!("https://{address}"))).unwrap();

    must(&mut crate::support::cargo(NAME, &["build", "--locked"]));
    let operator = Operator::launch(&target_folder().join("debug").join(NAME), &by_that_way, &log, &[]);
    create(&client, "sample", json!({"replicas": 1})).await;
    let (deployments, services) = (children(&client, "apps", "Deployment"), children(&client, "", "Service"));
    until(&deployments, "sample", &log, |_| true).await;
    let service = until(&services, "sample", &log, |_| true).await;

    way.cut();
    services.delete("sample", &DeleteParams::default()).await.unwrap();
    edit(&deployments, "sample", json!({"spec": {"replicas": 7}})).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(services.get_opt("sample").await.unwrap().is_none(), "the operator is not cut off");
    way.hint();
    until(&services, "sample", &log, |again| again.metadata.uid != service.metadata.uid).await;
    until(&deployments, "sample", &log, |deployment| replicas(deployment) == 1).await;
    assert_eq!(operator.stop(), Some(0), "{}", read(&log));
}

/// Writes a new self-signed certificate for `localhost` into `folder`, and returns it.
fn certificate(folder: &Path) -> String {
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("tls.key"), own.signing_key.serialize_pem()).unwrap();
    std::fs::write(folder.join("tls.crt"), own.cert.pem()).unwrap();
    own.cert.pem()
}

/// Requests the metrics with `root` as the only trusted certificate. Returns the status code, if there is an answer.
fn answered(port: u16, root: &str) -> Option<u16> {
    let roots = RootCerts::from(vec![Certificate::from_pem(root.as_bytes()).unwrap()]);
    let tls = TlsConfig::builder().root_certs(roots).build();
    let agent = ureq::Agent::config_builder().tls_config(tls).http_status_as_error(false).build().new_agent();
    let answer = agent.get(format!("https://localhost:{port}/metrics")).call().ok()?;
    Some(answer.status().as_u16())
}

#[tokio::test]
async fn a_certificate_that_is_replaced_is_served_without_a_restart() {
    let plane = Plane::start();
    plane.must(&project(NAME), &["install"]);
    let temporary = temporary();
    let (log, folder, port) = (temporary.path().join("log"), temporary.path().to_str().unwrap(), free_port());
    let old = certificate(temporary.path());
    let address = format!("127.0.0.1:{port}");
    let flags = ["--metrics-bind-address", &address, "--metrics-cert-path", folder];
    let operator = Operator::start_with(&plane, NAME, &log, &flags);
    let answers = |root: &str| {
        let start = Instant::now();
        loop {
            match answered(port, root) {
                Some(code) => return code,
                None => assert!(start.elapsed() < Duration::from_secs(30), "{}", read(&log)),
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    assert_eq!(answers(&old), 401, "without a token");
    let new = certificate(temporary.path());
    assert_eq!(answers(&new), 401, "without a token");
    assert_eq!(answered(port, &old), None);
    assert_eq!(operator.stop(), Some(0), "{}", read(&log));
}

/// Returns the number of write requests that the operator's metrics count. This number includes no events: the operator
/// writes none, because no pods start on this control plane.
fn writes(port: u16) -> u64 {
    let mut answer = ureq::get(format!("http://127.0.0.1:{port}/metrics")).call().unwrap();
    let text = answer.body_mut().read_to_string().unwrap();
    let writes =
        text.lines().filter(|line| line.starts_with("rest_client_requests_total{") && !line.contains("\"GET\""));
    writes.map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum()
}

#[tokio::test]
async fn an_object_costs_three_writes_and_none_after_a_restart() {
    const OBJECTS: u64 = 40;
    let plane = Plane::start();
    plane.must(&project(NAME), &["install"]);
    let client = plane.client().await;
    for number in 0..OBJECTS {
        create(&client, &format!("object-{number}"), json!({"replicas": 1})).await;
    }
    let temporary = temporary();
    let (log, port, objects) = (temporary.path().join("log"), free_port(), web_servers(&client));
    let address = format!("127.0.0.1:{port}");
    let flags = ["--metrics-bind-address", &address, "--metrics-secure=false", "--resync=2s"];
    let operator = Operator::start_with(&plane, NAME, &log, &flags);
    for number in 0..OBJECTS {
        let observed = |object: &DynamicObject| object.data["status"]["observedGeneration"] == 1;
        until(&objects, &format!("object-{number}"), &log, observed).await;
    }
    // Wait until a resync has reconciled all objects again.
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(writes(port), 3 * OBJECTS, "{}", read(&log));
    assert_eq!(operator.stop(), Some(0), "{}", read(&log));

    let operator = Operator::start_with(&plane, NAME, &log, &flags);
    let start = Instant::now();
    while !read(&log).contains("started") {
        assert!(start.elapsed() < Duration::from_secs(20), "{}", read(&log));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(writes(port), 0, "{}", read(&log));
    assert_eq!(operator.stop(), Some(0), "{}", read(&log));
}
