//! A fake API server that stores a Secret and webhook configurations, and grants rights.

use axum::http::{Method, Request, Response};
use kube::{Client, client::Body};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Default)]
struct State {
    /// The objects by their paths.
    objects: BTreeMap<String, Value>,
    version: u64,
    /// The refused requests, each as its method and a part of its path.
    refused: BTreeSet<(String, String)>,
    writes: usize,
}

#[derive(Clone, Default)]
pub struct Cluster(Arc<Mutex<State>>);

pub const SECRETS: &str = "/api/v1/namespaces/shop/secrets";
const CONFIGURATIONS: &str = "/apis/admissionregistration.k8s.io/v1";

pub fn secret(name: &str) -> String {
    format!("{SECRETS}/{name}")
}

pub fn configuration(kind: &str, name: &str) -> String {
    format!("{CONFIGURATIONS}/{kind}webhookconfigurations/{name}")
}

impl Cluster {
    pub fn put(&self, path: &str, mut object: Value) {
        let mut state = self.0.lock().unwrap();
        state.version += 1;
        object["metadata"]["resourceVersion"] = state.version.to_string().into();
        state.objects.insert(path.to_owned(), object);
    }

    pub fn get(&self, path: &str) -> Value {
        self.0.lock().unwrap().objects.get(path).cloned().unwrap_or_default()
    }

    pub fn writes(&self) -> usize {
        self.0.lock().unwrap().writes
    }

    pub fn refuse(&self, method: &Method, part: &str) {
        self.0.lock().unwrap().refused.insert((method.to_string(), part.to_owned()));
    }

    pub fn grant_all(&self) {
        self.0.lock().unwrap().refused.clear();
    }

    pub fn client(&self) -> Client {
        let cluster = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let cluster = cluster.clone();
            async move {
                // A random delay, so that requests of replicas overtake each other.
                tokio::time::sleep(Duration::from_micros(fastrand::u64(..3000))).await;
                let (parts, body) = request.into_parts();
                let body = body.collect_bytes().await.unwrap();
                let body = serde_json::from_slice(&body).unwrap_or_default();
                let (code, answer) = cluster.answer(&parts.method, parts.uri.path(), body);
                let answer = Body::from(answer.to_string().into_bytes());
                Ok::<_, Infallible>(Response::builder().status(code).body(answer).unwrap())
            }
        });
        Client::new(service, "shop")
    }

    fn answer(&self, method: &Method, path: &str, body: Value) -> (u16, Value) {
        let status = |code: u16, message: &str| {
            let reason = match code {
                403 => "Forbidden",
                404 => "NotFound",
                409 => "Conflict",
                _ => "Invalid",
            };
            (code, json!({"kind": "Status", "status": "Failure", "code": code, "reason": reason, "message": message}))
        };
        let mut state = self.0.lock().unwrap();
        if state.refused.iter().any(|(refused, part)| refused == method.as_str() && path.contains(part)) {
            return status(403, &format!("{path} is forbidden: User cannot {method}"));
        }
        let path = match body["metadata"]["name"].as_str() {
            Some(name) if *method == Method::POST => format!("{path}/{name}"),
            _ => path.to_owned(),
        };
        let found = state.objects.get(&path).cloned();
        let mut new = match (method, found) {
            (&Method::POST, Some(_)) => return status(409, "it already exists"),
            (&Method::POST, None) => body,
            (_, None) => return status(404, &format!("{path} not found")),
            (&Method::GET, Some(found)) => return (200, found),
            (&Method::PUT, Some(found)) => {
                let expected = &body["metadata"]["resourceVersion"];
                assert!(expected.is_string(), "a write that looks at nothing");
                if *expected != found["metadata"]["resourceVersion"] {
                    return status(409, "it has been modified");
                }
                body
            }
            (&Method::PATCH, Some(mut found)) => {
                let patch: json_patch::Patch = serde_json::from_value(body).unwrap();
                if json_patch::patch(&mut found, &patch).is_err() {
                    return status(422, "the patch does not apply");
                }
                found
            }
            _ => return status(405, "method not allowed"),
        };
        state.version += 1;
        state.writes += 1;
        new["metadata"]["resourceVersion"] = state.version.to_string().into();
        state.objects.insert(path, new.clone());
        (if *method == Method::POST { 201 } else { 200 }, new)
    }
}
