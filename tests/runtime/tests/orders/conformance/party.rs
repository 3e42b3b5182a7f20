//! The two parties that are compared: the model, and a real kube-apiserver.

use super::operations::Operation;
use crate::model::{Kind, Request, Server, Watch};
use axum::body::{Body, to_bytes};
use kube::Client;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

enum Side {
    Model(Box<Server>),
    Real(Client),
}

pub(crate) struct Party {
    side: Side,
    kind: &'static Kind,
    namespace: String,
    /// The versions of each object that the party has returned, the oldest first.
    seen: BTreeMap<&'static str, Vec<Value>>,
    /// The resource version at which watches begin.
    start: u64,
}

impl Party {
    pub(crate) fn model(kind: &'static Kind) -> Self {
        let side = Side::Model(Box::default());
        Self { side, kind, namespace: "ns".into(), seen: BTreeMap::new(), start: 0 }
    }

    pub(crate) async fn real(kind: &'static Kind, client: Client, namespace: &str) -> Self {
        let side = Side::Real(client);
        let mut party = Self { side, kind, namespace: namespace.into(), seen: BTreeMap::new(), start: 0 };
        let body = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": namespace } });
        let (code, made) = party.send("POST", "/api/v1/namespaces", "json", &body).await;
        assert_eq!(code, 201, "{made}");
        party.start = made["metadata"]["resourceVersion"].as_str().unwrap().parse().unwrap();
        party
    }

    /// Sends a request as it is. Returns the status code and the body of the answer.
    pub(crate) async fn send(&mut self, method: &str, uri: &str, content: &str, body: &Value) -> (u16, Value) {
        let bytes = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        match &mut self.side {
            Side::Model(server) => {
                let answer = server.answer(&Request::read(method, uri, content, &bytes));
                (answer.code, answer.body)
            }
            Side::Real(client) => {
                let content = format!("application/{content}");
                let request = axum::http::Request::builder().method(method).uri(uri).header("Content-Type", content);
                let request = request.header("User-Agent", "unknown").body(kube::client::Body::from(bytes));
                let response = client.send(request.unwrap()).await.unwrap();
                let code = response.status().as_u16();
                let body = to_bytes(Body::new(response.into_body()), usize::MAX).await.unwrap();
                (code, serde_json::from_slice(&body).unwrap_or_default())
            }
        }
    }

    fn collection(&self) -> String {
        let Kind { group, version, plural, .. } = self.kind;
        let root = if group.is_empty() { "/api".to_owned() } else { format!("/apis/{group}") };
        format!("{root}/{version}/namespaces/{}/{plural}", self.namespace)
    }

    /// Carries out an operation. Returns the parts of the answer that can be compared.
    pub(crate) async fn perform(&mut self, operation: &Operation) -> Value {
        let Operation { method, name, subresource, query, content, .. } = operation;
        let at = match *method {
            "LIST" | "POST" => self.collection(),
            _ if subresource.is_empty() => format!("{}/{name}", self.collection()),
            _ => format!("{}/{name}/{subresource}", self.collection()),
        };
        let uri = format!("{at}?{query}");
        let body = self.body(operation);
        let method = if *method == "LIST" { "GET" } else { method };
        let (code, answer) = self.send(method, &uri, content, &body).await;
        if code >= 300 {
            if std::env::var_os("TELL").is_some() {
                println!("{method} {uri} {body} {answer}");
            }
            return json!({ "code": code, "reason": answer["reason"] });
        }
        match operation.method {
            "LIST" => {
                let items: Vec<_> = answer["items"].as_array().unwrap().iter().map(masked).collect();
                return json!({ "code": code, "items": items, "more": answer["metadata"]["continue"].as_str().is_some_and(|token| !token.is_empty()) });
            }
            "DELETE" => return json!({ "code": code }),
            _ => {}
        }
        let seen = self.seen.entry(name).or_default();
        let version = |object: &Value| object["metadata"]["resourceVersion"].clone();
        let changed = seen.last().map(version) != Some(version(&answer));
        if changed {
            seen.push(answer.clone());
        }
        json!({ "code": code, "changed": changed, "object": masked(&answer) })
    }

    fn body(&self, operation: &Operation) -> Value {
        let mut body = operation.body.clone();
        let empty = Vec::new();
        let seen = self.seen.get(operation.name).unwrap_or(&empty);
        let back = |count: usize| seen.iter().rev().nth(count).or(seen.last());
        if operation.takes_over {
            let manager = operation.query.trim_start_matches("fieldManager=");
            let entries = back(0).and_then(|last| last["metadata"]["managedFields"].as_array());
            let entries = entries.map_or(&[][..], Vec::as_slice);
            let is = |entry: &Value, operation: &str| {
                entry["manager"] == manager && entry["operation"] == operation && entry["subresource"].is_null()
            };
            let applied = entries.iter().any(|entry| is(entry, "Apply"));
            let index = entries.iter().position(|entry| !applied && is(entry, "Update") && !fields(entry).is_empty());
            let path = format!("/metadata/managedFields/{}", index.unwrap_or(99));
            return json!([
                { "op": "test", "path": format!("{path}/manager"), "value": manager },
                { "op": "replace", "path": format!("{path}/operation"), "value": "Apply" },
            ]);
        }
        if let Some(mut base) = operation.onto.and_then(back).cloned() {
            for (name, value) in body.as_object_mut().into_iter().flatten().filter(|(name, _)| *name != "metadata") {
                base[name] = value.clone();
            }
            let labels = body["metadata"]["labels"].take();
            base["metadata"]["labels"] = labels;
            return base;
        }
        if body.is_object() && operation.method != "DELETE" {
            body["apiVersion"] = self.kind.api_version().into();
            body["kind"] = self.kind.kind.into();
        }
        let known = |count: usize, field: &str| {
            let value = back(count).and_then(|object| object["metadata"][field].as_str());
            value.unwrap_or("1").to_owned()
        };
        let text = body.to_string();
        let text = text.replace("$version", &known(0, "resourceVersion"));
        let text = text.replace("$old", &known(1, "resourceVersion")).replace("$uid", &known(0, "uid"));
        serde_json::from_str(&text).unwrap()
    }

    /// Returns the events of a watch since the start. From a real server, `count` events are read.
    pub(crate) async fn watched(&mut self, labels: &str, count: usize) -> Vec<Value> {
        let uri = format!("{}?watch=true&resourceVersion={}&labelSelector={labels}", self.collection(), self.start);
        match &self.side {
            Side::Model(server) => {
                let mut watch = Watch::start(server, Request::read("GET", &uri, "json", &[])).unwrap();
                let mut events = Vec::new();
                while let Some((object, type_, version)) = watch.next(server) {
                    watch.told = version;
                    events.push(json!({ "type": type_, "object": masked(&object) }));
                }
                events
            }
            Side::Real(client) => {
                let request = axum::http::Request::get(format!("{uri}&timeoutSeconds=5")).body(Vec::new()).unwrap();
                let stream = client.request_stream(request).await.unwrap();
                let lines = futures::AsyncBufReadExt::lines(Box::pin(stream));
                let lines: Vec<_> = futures::StreamExt::collect(futures::StreamExt::take(lines, count)).await;
                let event = |line: String| {
                    let event: Value = serde_json::from_str(&line).unwrap();
                    json!({ "type": event["type"], "object": masked(&event["object"]) })
                };
                lines.into_iter().map(|line| event(line.unwrap())).collect()
            }
        }
    }
}

/// The maps and lists whose ownership is not compared, because they exist only as long as their items. The
/// ownership of the items is compared.
const WHOLE: [&str; 9] = [
    "f:data",
    "f:metadata/f:annotations",
    "f:metadata/f:finalizers",
    "f:metadata/f:labels",
    "f:metadata/f:ownerReferences",
    "f:spec",
    "f:spec/f:ports",
    "f:status",
    "f:status/f:conditions",
];

/// Returns the object without the values that differ on any two servers.
fn masked(object: &Value) -> Value {
    let mut object = object.clone();
    let Some(metadata) = object["metadata"].as_object_mut() else { return object };
    for field in ["uid", "resourceVersion", "creationTimestamp", "namespace", "selfLink"] {
        metadata.remove(field);
    }
    if metadata.contains_key("deletionTimestamp") {
        metadata.insert("deletionTimestamp".into(), true.into());
    }
    let managers = metadata.remove("managedFields").unwrap_or_default();
    let managers = managers.as_array().into_iter().flatten().filter_map(|entry| {
        let fields = fields(entry);
        let text = format!("{} {} {} {fields:?}", entry["manager"], entry["operation"], entry["subresource"]);
        (!fields.is_empty()).then_some(text)
    });
    let managers: BTreeSet<String> = managers.collect();
    metadata.insert("managers".into(), json!(managers));
    for field in ["apiVersion", "kind"] {
        object.as_object_mut().unwrap().remove(field); // items of a list may lack them
    }
    sorted(&mut object);
    object
}

/// Returns the fields of an entry of managedFields.
fn fields(entry: &Value) -> BTreeSet<String> {
    let mut fields = BTreeSet::new();
    match entry["fieldsV1"]["paths"].as_array() {
        Some(paths) => fields.extend(paths.iter().map(|path| {
            let steps = path.as_array().unwrap().iter();
            steps.map(|step| step.as_str().unwrap()).collect::<Vec<_>>().join("/")
        })),
        None => collect(&entry["fieldsV1"], "", &mut fields),
    }
    fields.retain(|path| !WHOLE.contains(&path.as_str()));
    fields
}

fn collect(fields: &Value, path: &str, all: &mut BTreeSet<String>) {
    for (name, below) in fields.as_object().into_iter().flatten() {
        let name = match name.strip_prefix("k:") {
            Some(key) => {
                let key: Value = serde_json::from_str(key).unwrap();
                format!("k:{}", key.as_object().unwrap().values().next().unwrap())
            }
            None => name.clone(),
        };
        let path = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
        if name == "." {
            continue; // a map itself, or an item, which is there without it
        }
        let whole = name.starts_with("k:") && !below["."].is_null();
        if whole || below.as_object().is_some_and(serde_json::Map::is_empty) {
            all.insert(path.clone());
        }
        collect(below, &path, all);
    }
}

/// Sorts the items of lists with keys, and removes empty values.
fn sorted(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.values_mut().for_each(sorted);
            map.retain(|_, value| !crate::model::is_empty(value));
        }
        Value::Array(items) => {
            items.iter_mut().for_each(sorted);
            items.sort_by_key(ToString::to_string);
        }
        _ => {}
    }
}
