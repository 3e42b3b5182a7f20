//! A server in memory that answers the requests of a migration.

use crate::cluster::{Connection, Definition, Target};
use http::{Method, Request, Response};
use kube::Client;
use kube::client::Body;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

/// The state of the fake server, and the requests that it received.
#[derive(Default)]
pub(super) struct State {
    /// The simulated kill of opctl: the server answers this number of requests, and never answers the next request. The
    /// boolean is true if the server carries out the next request nevertheless.
    pub(super) kill: Option<(usize, bool)>,
    /// The storage version of the CRD.
    pub(super) storage: String,
    /// The storage version that another client sets as soon as an object is written; `None` to keep `storage`.
    pub(super) moves_to: Option<&'static str>,
    /// The number of writes after which the CRD loses its conversion webhook; 0 for a CRD without a webhook.
    pub(super) converts: usize,
    /// The CRD's `status.storedVersions`.
    pub(super) stored: Vec<String>,
    /// The sequence number of each object's last write. The object at position 0 has the name `d0`, the next one `d1`,
    /// and so on.
    pub(super) objects: Vec<u64>,
    /// The number of objects in a page of a list.
    pub(super) page: usize,
    /// Prepared error responses. Each response has a prefix of the request to answer (method, path and query), the
    /// status code and the body.
    pub(super) faults: VecDeque<(&'static str, u16, Value)>,
    /// The API version in which `StorageVersionMigration` is served; `None` if it is not served.
    pub(super) migrations: Option<&'static str>,
    /// The condition that a controller sets at once in each `StorageVersionMigration`; `None` if no controller sets
    /// one.
    pub(super) condition: Option<&'static str>,
    /// The existing `StorageVersionMigration` object, if any.
    pub(super) migration: Option<Value>,
    /// The method and the path of each request, except requests for the CRD.
    pub(super) asked: Vec<String>,
}

/// A server that shares its state with the test.
#[derive(Clone)]
pub(super) struct Server(pub(super) Arc<Mutex<State>>);

impl Server {
    /// Returns a server with `number` objects that were written before `v1` became the storage version.
    pub(super) fn new(number: usize) -> Self {
        Server(Arc::new(Mutex::new(State {
            storage: "v1".to_owned(),
            stored: vec!["v1alpha1".to_owned(), "v1".to_owned()],
            objects: vec![1; number],
            page: 500,
            ..State::default()
        })))
    }

    pub(super) fn connection(&self) -> Connection {
        let state = self.0.clone();
        let server = tower::service_fn(move |request: Request<Body>| {
            let state = state.clone();
            async move {
                let (parts, body) = request.into_parts();
                let body = body.collect_bytes().await.unwrap();
                let body = serde_json::from_slice(&body).unwrap_or_default();
                let (path, query) = (parts.uri.path().to_owned(), parts.uri.query().unwrap_or_default().to_owned());
                let kill = state.lock().unwrap().kill;
                if let Some((left, takes_effect)) = kill {
                    if left == 0 && takes_effect {
                        state.lock().unwrap().answer(&parts.method, &path, &query, &body);
                    }
                    state.lock().unwrap().kill = left.checked_sub(1).map(|left| (left, takes_effect));
                    if left == 0 {
                        std::future::pending::<()>().await;
                    }
                }
                let (code, answer) = state.lock().unwrap().answer(&parts.method, &path, &query, &body);
                let answer = Response::builder().status(code).body(Body::from(answer.to_string().into_bytes()));
                Ok::<_, Infallible>(answer.unwrap())
            }
        });
        let client = Client::new(server, "default");
        let (context, server) = ("here".to_owned(), "https://here".to_owned());
        Connection { client, context, server, target: Target::default() }
    }

    pub(super) fn definition(&self) -> Definition {
        Definition::of(self.0.lock().unwrap().definition()).unwrap()
    }

    /// Prepares one response, with the status code `code` and `body`, for the next request that begins with `request`.
    pub(super) fn fails(&self, request: &'static str, code: u16, body: Value) {
        self.0.lock().unwrap().faults.push_back((request, code, body));
    }
}

impl State {
    pub(super) fn definition(&self) -> Value {
        let version = |name: &str| json!({"name": name, "served": true, "storage": name == self.storage});
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "disks.example.com", "resourceVersion": "7"},
            "spec": {
                "group": "example.com", "scope": "Namespaced", "names": {"kind": "Disk", "plural": "disks"},
                "versions": [version("v1alpha1"), version("v1")],
                "conversion": {"strategy": if self.converts > 0 { "Webhook" } else { "None" }},
            },
            "status": {"storedVersions": self.stored},
        })
    }

    pub(super) fn object(&self, number: usize) -> Value {
        let metadata = json!({
            "name": format!("d{number}"), "namespace": "default", "uid": number.to_string(),
            "resourceVersion": self.objects[number].to_string(),
        });
        json!({"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": metadata})
    }

    pub(super) fn answer(&mut self, method: &Method, path: &str, query: &str, body: &Value) -> (u16, Value) {
        let request = format!("{method} {path}?{query}");
        if let Some(position) = self.faults.iter().position(|(start, ..)| request.starts_with(start)) {
            let (_, code, mut status) = self.faults.remove(position).unwrap();
            status["code"] = code.into();
            self.asked.push(request);
            return (code, status);
        }
        let unknown = || (404, json!({"code": 404, "reason": "NotFound", "details": {"name": "it"}}));
        let last = path.rsplit('/').next().unwrap_or_default();
        if path.contains("/customresourcedefinitions/") {
            if *method == Method::PATCH && !query.contains("dryRun") {
                let stored = body["status"]["storedVersions"].as_array().unwrap();
                self.stored = stored.iter().map(|version| version.as_str().unwrap().to_owned()).collect();
            }
            return (200, self.definition());
        }
        self.asked.push(request);
        if path.starts_with("/apis/storagemigration.k8s.io") {
            return self.migrate(method, path, body).unwrap_or_else(unknown);
        }
        if last == "disks" {
            let first = query.split('&').find_map(|part| part.strip_prefix("continue=from"));
            let limit = if query.contains("limit=1&") || query.ends_with("limit=1") { 1 } else { self.page };
            return (200, self.list(first.map_or(0, |first| first.parse().unwrap()), limit));
        }
        let number: usize = last[1..].parse().unwrap();
        if *method == Method::PATCH {
            assert_eq!(body["metadata"]["uid"], number.to_string());
            self.objects[number] = 2;
            self.converts = self.converts.saturating_sub(1);
            self.storage = self.moves_to.map_or_else(|| self.storage.clone(), str::to_owned);
        }
        (200, self.object(number))
    }

    pub(super) fn list(&self, first: usize, limit: usize) -> Value {
        let end = self.objects.len().min(first + limit);
        let mut metadata = json!({});
        if end < self.objects.len() {
            metadata = json!({"continue": format!("from{end}"), "remainingItemCount": self.objects.len() - end});
        }
        let items: Vec<Value> = (first..end).map(|number| self.object(number)).collect();
        json!({"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadataList", "metadata": metadata, "items": items})
    }

    pub(super) fn migrate(&mut self, method: &Method, path: &str, body: &Value) -> Option<(u16, Value)> {
        let version = self.migrations?;
        if path.ends_with("k8s.io") {
            return Some((200, json!({"preferredVersion": {"version": version}})));
        }
        match *method {
            Method::POST => {
                let conditions = self.condition.map(|name| json!([{"type": name, "status": "True", "message": "why"}]));
                let mut migration = body.clone();
                migration["status"] = json!({"conditions": conditions.unwrap_or_default()});
                self.migration = Some(migration);
            }
            Method::DELETE => return self.migration.take().map(|migration| (200, migration)),
            _ => {}
        }
        self.migration.clone().map(|migration| (200, migration))
    }
}
