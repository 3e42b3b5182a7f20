//! Writes, and the reasons for which they are refused.

use super::managers::{self, Writer};
use super::{Answered, Refusal, Request, Server, Stored, is_empty, patch};
use serde_json::{Value, json};

const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";
/// The metadata of a stored object that no request changes.
const FIXED: [&str; 7] =
    ["name", "namespace", "uid", "creationTimestamp", "generation", "deletionTimestamp", "deletionGracePeriodSeconds"];

impl Request {
    fn writer(&self, applies: bool) -> Writer {
        let name = self.asks("fieldManager").unwrap_or("unknown").to_owned();
        Writer { name, applies, subresource: self.subresource.clone() }
    }
}

impl Server {
    pub(super) fn create(&mut self, request: &Request) -> Answered {
        let id = request.id();
        if self.stored.contains_key(&id) {
            let (name, plural) = (&id.2, id.0);
            return Err(Refusal::new(409, "AlreadyExists", &format!("{plural} \"{name}\" already exists")));
        }
        let mut object = self.born(request, &request.body)?;
        clean(&mut object);
        let mut managers = Vec::new();
        managers::updated(&mut managers, &request.writer(false), &Value::Null, &object, self.version + 1);
        Ok((201, (*self.commit(request.kind, id, Stored { object, managers, null: false })).clone()))
    }

    /// Returns a new object in the form in which it is stored, with its metadata. Fails if the object is invalid.
    fn born(&mut self, request: &Request, body: &Value) -> Result<Value, Refusal> {
        let mut object = body.clone();
        object["apiVersion"] = request.kind.api_version().into();
        object["kind"] = request.kind.kind.into();
        if request.kind.status {
            object.as_object_mut().unwrap().remove("status");
        }
        self.uids += 1;
        let metadata = object["metadata"].as_object_mut().unwrap();
        metadata.retain(|name, _| name == "name" || !FIXED.contains(&name.as_str()));
        for field in ["managedFields", "resourceVersion"] {
            metadata.remove(field);
        }
        metadata.insert("namespace".into(), request.namespace.clone().into());
        metadata.insert("uid".into(), format!("uid-{}", self.uids).into());
        metadata.insert("creationTimestamp".into(), "2026-01-01T00:00:00Z".into());
        check(&Value::Null, &object)?;
        Ok(object)
    }

    pub(super) fn replace(&mut self, request: &Request) -> Answered {
        let Some(known) = self.stored.get(&request.id()).cloned() else {
            return match &request.body["metadata"]["resourceVersion"] {
                _ if !request.kind.upserts => Err(Refusal::not_found(request)),
                Value::Null => self.create(request),
                _ => Err(Refusal::conflict("it is gone")),
            };
        };
        if request.kind.versioned && request.body["metadata"]["resourceVersion"].is_null() {
            return Err(Refusal::invalid("metadata.resourceVersion: must be specified for an update"));
        }
        let body = request.body.clone();
        self.update(request, &known, body)
    }

    pub(super) fn patch(&mut self, request: &Request) -> Answered {
        let known = self.stored.get(&request.id()).cloned();
        if request.content == "apply-patch+yaml" {
            return self.apply(request, known);
        }
        let known = known.ok_or_else(|| Refusal::not_found(request))?;
        let mut object = (*known.shown()).clone();
        match &request.content[..] {
            "merge-patch+json" => patch::merge(&mut object, &request.body),
            "json-patch+json" => patch::json(&mut object, &request.body)
                .ok_or_else(|| Refusal::invalid("the server rejected our request due to an error in our request"))?,
            other => panic!("the model has no {other}"),
        }
        self.update(request, &known, object)
    }

    /// Replaces the stored object `known` with `object`.
    fn update(&mut self, request: &Request, known: &Stored, mut object: Value) -> Answered {
        let shown = managers::read(&object["metadata"]["managedFields"]);
        expects(&known.object, &object)?;
        let mut managers = shown.unwrap_or_else(|| known.managers.clone());
        object["metadata"].as_object_mut().unwrap().remove("managedFields");
        keep(request, &known.object, &mut object);
        clean(&mut object);
        check(&known.object, &object)?;
        // An object whose managers were never recorded gets none here.
        if !managers.is_empty() {
            managers::updated(&mut managers, &request.writer(false), &known.object, &object, self.version + 1);
        }
        Ok((200, (*self.commit(request.kind, request.id(), Stored { object, managers, null: false })).clone()))
    }

    fn apply(&mut self, request: &Request, known: Option<Stored>) -> Answered {
        let mut desired = request.body.clone();
        let code = if known.is_some() { 200 } else { 201 };
        let known = match known {
            Some(known) => {
                expects(&known.object, &desired)?;
                known
            }
            None if !request.subresource.is_empty() => return Err(Refusal::not_found(request)),
            None if !desired["metadata"]["uid"].is_null() => return Err(Refusal::conflict("no object of this uid")),
            None => {
                let named = json!({ "metadata": { "name": request.name } });
                Stored { object: self.born(request, &named)?, managers: Vec::new(), null: false }
            }
        };
        leave_part(request, &mut desired);
        let (mut managers, version) = (known.managers.clone(), self.version + 1);
        if managers.is_empty() {
            // The fields that the object already has, for which no manager is recorded.
            let mut there = known.object.clone();
            leave_part(request, &mut there);
            let first = Writer { name: "before-first-apply".to_owned(), ..request.writer(false) };
            managers::updated(&mut managers, &first, &Value::Null, &there, version);
        }
        let (writer, force) = (request.writer(true), request.asks("force") == Some("true"));
        let applied = managers::applied(&mut managers, &writer, &known.object, &desired, force, version);
        let mut object = applied.map_err(|other| Refusal::conflict(&format!("conflict with \"{other}\"")))?;
        // Objects of built-in kinds pass through a Go type before they are stored, which has no nulls.
        let null = request.kind.custom && managers::leaves_null(&managers, &known.object, &object);
        keep(request, &known.object, &mut object);
        clean(&mut object);
        check(&known.object, &object)?;
        Ok((code, (*self.commit(request.kind, request.id(), Stored { object, managers, null })).clone()))
    }

    pub(super) fn delete(&mut self, request: &Request) -> Answered {
        let mut known = self.stored.get(&request.id()).cloned().ok_or_else(|| Refusal::not_found(request))?;
        expects(&known.object, &json!({ "metadata": request.body["preconditions"] }))?;
        let metadata = &mut known.object["metadata"];
        let mut names: Vec<Value> = metadata["finalizers"].as_array().cloned().unwrap_or_default();
        let policy = request.body["propagationPolicy"].as_str();
        if let Some(policy) = policy {
            names.retain(|name| name != ORPHAN && name != FOREGROUND);
            names.extend((policy == "Orphan").then(|| ORPHAN.into()));
            names.extend((policy == "Foreground").then(|| FOREGROUND.into()));
        }
        if metadata["deletionTimestamp"].is_null() {
            metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
            metadata["deletionGracePeriodSeconds"] = 0.into();
        }
        metadata["finalizers"] = names.into();
        clean(&mut known.object);
        known.null = false;
        Ok((200, (*self.commit(request.kind, request.id(), known)).clone()))
    }
}

/// Fails if the request expects another uid or another resource version than the stored object has.
fn expects(known: &Value, told: &Value) -> Result<(), Refusal> {
    for field in ["uid", "resourceVersion"] {
        let told = &told["metadata"][field];
        if !told.is_null() && *told != known["metadata"][field] {
            return Err(Refusal::conflict(&format!("the object has been modified: {field}")));
        }
    }
    Ok(())
}

/// Removes the fields that the request cannot write: the status, or everything but the status.
fn leave_part(request: &Request, object: &mut Value) {
    if let Some(fields) = object.as_object_mut() {
        match (request.subresource.as_str(), request.kind.status) {
            ("status", _) => fields.retain(|name, _| name == "status"),
            (_, true) => drop(fields.remove("status")),
            _ => {}
        }
    }
}

/// Copies everything that this request cannot change from the stored object `known` to `object`.
fn keep(request: &Request, known: &Value, object: &mut Value) {
    if request.subresource == "status" {
        let status = object["status"].take();
        object.clone_from(known);
        object["status"] = status;
    } else if request.kind.status {
        object["status"] = known["status"].clone();
    }
    for field in FIXED.iter().chain(&["resourceVersion"]) {
        object["metadata"][*field] = known["metadata"][*field].clone();
    }
    object["apiVersion"] = known["apiVersion"].clone();
    object["kind"] = known["kind"].clone();
}

/// Removes nulls and, in the metadata and for the data of a ConfigMap, empty values.
fn clean(object: &mut Value) {
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|name, value| !value.is_null() && (name != "data" || !is_empty(value)));
    }
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.retain(|_, value| !is_empty(value));
    }
}

fn check(known: &Value, object: &Value) -> Result<(), Refusal> {
    let owners = object["metadata"]["ownerReferences"].as_array();
    let controllers = owners.into_iter().flatten().filter(|owner| owner["controller"] == true);
    if controllers.count() > 1 {
        return Err(Refusal::invalid("Only one reference can have Controller set to true"));
    }
    let before = known["metadata"]["finalizers"].as_array().cloned().unwrap_or_default();
    let mut after = object["metadata"]["finalizers"].as_array().into_iter().flatten();
    if !known["metadata"]["deletionTimestamp"].is_null() && after.any(|name| !before.contains(name)) {
        return Err(Refusal::invalid("no new finalizers can be added if the object is being deleted"));
    }
    Ok(())
}
