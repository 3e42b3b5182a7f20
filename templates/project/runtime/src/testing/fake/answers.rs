//! The objects of a cluster in memory, and the answers to requests about them.

use super::patches::{edit, merge};
use axum::http::{Method, Request, Response, StatusCode, Uri, header};
use kube::client::Body;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The objects, by the path of their collection and their name.
#[derive(Default)]
pub struct Store {
    objects: BTreeMap<(String, String), Value>,
    version: u64,
    pub writes: Vec<String>,
}

type Answer = Result<Value, (StatusCode, &'static str)>;

const NOT_FOUND: (StatusCode, &str) = (StatusCode::NOT_FOUND, "NotFound");

impl Store {
    pub fn get(&self, collection: &str, name: &str) -> Option<Value> {
        let key = (collection.to_owned(), name.to_owned());
        self.objects.get(&key).cloned()
    }

    /// Returns the objects of a kind in all namespaces.
    pub fn all(&self, kind: &str) -> Vec<Value> {
        let there = self.objects.iter();
        let of_kind = there.filter(|((place, _), _)| without_namespace(place) == kind);
        of_kind.map(|(_, object)| object.clone()).collect()
    }

    /// Stores an object like an API server: sets a uid if the object is new, a new resource
    /// version, and a new generation if the spec has changed.
    pub fn insert(&mut self, collection: &str, mut object: Value) -> Value {
        self.version += 1;
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let key = (collection.to_owned(), name.to_owned());
        let before = self.objects.get(&key);
        let metadata = &mut object["metadata"];
        metadata["resourceVersion"] = self.version.to_string().into();
        let kept = |field: &str| before.map(|before| before["metadata"][field].clone());
        let uid = || format!("uid-{}", self.version).into();
        metadata["uid"] = kept("uid").unwrap_or_else(uid);
        let created = || "2000-01-01T00:00:00Z".into();
        metadata["creationTimestamp"] = kept("creationTimestamp").unwrap_or_else(created);
        if let Some(before) = before {
            let last = before["metadata"]["generation"].as_i64().unwrap_or(1);
            let changed = before["spec"] != object["spec"];
            object["metadata"]["generation"] = (last + i64::from(changed)).into();
        } else if object["metadata"]["generation"].is_null() {
            object["metadata"]["generation"] = 1.into();
        }
        self.objects.insert(key, object.clone());
        object
    }

    fn answer(&mut self, method: &Method, uri: &Uri, patch: &str, sent: Value) -> Answer {
        let place = Place::of(uri.path());
        let (collection, name) = (place.collection.as_str(), place.name.as_str());
        if method != Method::GET {
            self.writes.push(format!("{method} {}", uri.path()));
        }
        let known = self.get(collection, name);
        match *method {
            Method::GET if name.is_empty() => Ok(self.list(collection, uri)),
            Method::GET => known.ok_or(NOT_FOUND),
            Method::POST => {
                let name = sent["metadata"]["name"].as_str().unwrap_or_default();
                match self.get(collection, name) {
                    Some(_) => Err((StatusCode::CONFLICT, "AlreadyExists")),
                    None => Ok(self.insert(collection, sent)),
                }
            }
            Method::DELETE => {
                let object = known.ok_or(NOT_FOUND)?;
                let differs = |field: &str| {
                    let wanted = &sent["preconditions"][field];
                    !wanted.is_null() && *wanted != object["metadata"][field]
                };
                if differs("uid") || differs("resourceVersion") {
                    return Err((StatusCode::CONFLICT, "Conflict"));
                }
                Ok(self.delete(collection, object))
            }
            Method::PATCH | Method::PUT => {
                let applied = patch == "application/apply-patch+yaml";
                let mut object = match known {
                    Some(object) => object,
                    None if applied && place.subresource.is_empty() => json!({}),
                    None => return Err(NOT_FOUND),
                };
                let is_version = |one: &&Value| one["path"] == "/metadata/resourceVersion";
                let version = match sent.as_array() {
                    Some(operations) => operations.iter().find(is_version).map(|one| &one["value"]),
                    None => Some(&sent["metadata"]["resourceVersion"]),
                };
                let version = version.unwrap_or(&Value::Null);
                if !version.is_null() && *version != object["metadata"]["resourceVersion"] {
                    return Err((StatusCode::CONFLICT, "Conflict"));
                }
                if patch == "application/json-patch+json" {
                    let part = place.subresource.as_str();
                    let edited = edit(&mut object, &sent).filter(|()| part.is_empty());
                    edited.ok_or((StatusCode::UNPROCESSABLE_ENTITY, "Invalid"))?;
                    return Ok(self.insert(collection, object));
                }
                match (*method == Method::PUT, place.subresource.as_str()) {
                    (true, "") => object = sent,
                    (true, part) => object[part] = sent[part].clone(),
                    (false, "") => merge(&mut object, sent),
                    (false, part) => merge(&mut object[part], sent[part].clone()),
                }
                let gone = !object["metadata"]["deletionTimestamp"].is_null();
                match gone && finalizers(&object) == 0 {
                    true => Ok(self.delete(collection, object)),
                    false => Ok(self.insert(collection, object)),
                }
            }
            _ => Err((StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed")),
        }
    }

    fn list(&self, collection: &str, uri: &Uri) -> Value {
        let mut items = match without_namespace(collection) == collection {
            true => self.all(collection),
            false => {
                let there = self.objects.iter();
                let inside = there.filter(|((place, _), _)| place == collection);
                inside.map(|(_, object)| object.clone()).collect()
            }
        };
        let query = uri.query().unwrap_or_default();
        if let Some((_, rest)) = query.split_once("fieldSelector=metadata.name%3D") {
            let name = rest.split('&').next();
            items.retain(|item| item["metadata"]["name"].as_str() == name);
        }
        let metadata = json!({ "resourceVersion": self.version.to_string() });
        json!({ "kind": "List", "apiVersion": "v1", "metadata": metadata, "items": items })
    }

    fn delete(&mut self, collection: &str, mut object: Value) -> Value {
        if finalizers(&object) > 0 {
            object["metadata"]["deletionTimestamp"] = "2000-01-02T00:00:00Z".into();
            return self.insert(collection, object);
        }
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        self.objects
            .remove(&(collection.to_owned(), name.to_owned()));
        object
    }
}

fn finalizers(object: &Value) -> usize {
    object["metadata"]["finalizers"]
        .as_array()
        .map_or(0, Vec::len)
}

/// The parts of the path of a request.
struct Place {
    collection: String,
    name: String,
    subresource: String,
}

impl Place {
    fn of(path: &str) -> Self {
        let segments: Vec<_> = path.trim_matches('/').split('/').collect();
        let group = if segments[0] == "api" { 2 } else { 3 };
        let own = matches!(segments[group..], ["namespaces", _, part, ..] if part != "status");
        let collection = group + if own { 3 } else { 1 };
        let segment = |index: usize| segments.get(index).copied().unwrap_or_default().to_owned();
        Self {
            collection: format!("/{}", segments[..collection.min(segments.len())].join("/")),
            name: segment(collection),
            subresource: segment(collection + 1),
        }
    }
}

/// Returns the path of the same collection in all namespaces.
fn without_namespace(collection: &str) -> String {
    let segments: Vec<_> = collection.split('/').collect();
    match segments.as_slice() {
        [group @ .., "namespaces", _, plural] => format!("{}/{plural}", group.join("/")),
        _ => collection.to_owned(),
    }
}

pub async fn answer(store: &Mutex<Store>, request: Request<Body>) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let patch = parts.headers.get(header::CONTENT_TYPE);
    let patch = patch
        .and_then(|patch| patch.to_str().ok())
        .unwrap_or_default();
    let body = body.collect_bytes().await.unwrap_or_default();
    let sent = serde_json::from_slice(&body).unwrap_or_default();
    let answer = store.lock().answer(&parts.method, &parts.uri, patch, sent);
    let (code, object) = match answer {
        Ok(object) => (StatusCode::OK, object),
        Err((code, reason)) => {
            let message = format!("{} {}: {reason}", parts.method, parts.uri.path());
            let (kind, number) = ("Status", code.as_u16());
            let named = parts.uri.path().trim_end_matches("/status").rsplit('/');
            let details = json!({ "name": named.take(1).collect::<String>() });
            let status = json!({
                "kind": kind, "apiVersion": "v1", "status": "Failure", "details": details,
                "message": message, "reason": reason, "code": number,
            });
            (code, status)
        }
    };
    let mut response = Response::new(Body::from(object.to_string().into_bytes()));
    *response.status_mut() = code;
    response
}
