//! The garbage collector: a client of the API server whose steps may come at any time.

use super::{Id, KINDS, Request, Server};
use serde_json::{Value, json};

/// A request that the garbage collector might make next.
#[derive(Debug)]
pub(crate) struct Step {
    pub request: Request,
    /// True if the step deletes an object because its owners are gone or being deleted.
    pub collects: bool,
}

/// Returns all steps that the garbage collector has to take.
pub(crate) fn steps(server: &Server) -> Vec<Step> {
    let mut steps = Vec::new();
    let objects = &server.shown;
    let owners = |object: &Value| object["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
    for (id, object) in objects {
        let metadata = &object["metadata"];
        let of_this = |owner: &Value| owner["uid"] == metadata["uid"];
        let mut dependents = objects.iter().filter(|(_, other)| owners(other).iter().any(of_this));
        let has = |name: &str| metadata["finalizers"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
        let deleting = !metadata["deletionTimestamp"].is_null();
        if deleting && has("orphan") {
            steps.push(match dependents.next() {
                Some((child, object)) => {
                    let rest: Vec<_> = owners(object).into_iter().filter(|owner| !of_this(owner)).collect();
                    edit(child, json!({ "ownerReferences": rest, "uid": object["metadata"]["uid"] }))
                }
                None => drop_finalizer(id, metadata, "orphan"),
            });
        } else if deleting && has("foregroundDeletion") {
            let blocks = |owner: &Value| of_this(owner) && owner["blockOwnerDeletion"] == true;
            let dependents: Vec<_> = dependents.collect();
            let alive = dependents.iter().find(|(_, other)| other["metadata"]["deletionTimestamp"].is_null());
            if let Some((child, object)) = alive {
                steps.push(deletion(child, object));
            } else if !dependents.iter().any(|(_, other)| owners(other).iter().any(blocks)) {
                steps.push(drop_finalizer(id, metadata, "foregroundDeletion"));
            }
        }
        let absent = |owner: &Value| !objects.iter().any(|(_, other)| other["metadata"]["uid"] == owner["uid"]);
        let owners = owners(object);
        if !deleting && !owners.is_empty() && owners.iter().all(absent) {
            steps.push(deletion(id, object));
        }
    }
    steps
}

fn request(method: &str, id: &Id, body: Value) -> Request {
    let kind = KINDS.iter().find(|kind| kind.plural == id.0).unwrap();
    let mut request = Request::new(method, kind.plural, &id.2, body);
    request.namespace = Some(id.1.clone());
    request.query.insert("fieldManager".into(), "kube-controller-manager".into());
    request
}

fn edit(id: &Id, metadata: Value) -> Step {
    Step { request: request("PATCH", id, json!({ "metadata": metadata })), collects: false }
}

fn drop_finalizer(id: &Id, metadata: &Value, name: &str) -> Step {
    let rest = metadata["finalizers"].as_array().into_iter().flatten().filter(|one| *one != name);
    let rest: Vec<_> = rest.cloned().collect();
    edit(id, json!({ "finalizers": rest, "uid": metadata["uid"] }))
}

fn deletion(id: &Id, object: &Value) -> Step {
    let body = json!({ "preconditions": { "uid": object["metadata"]["uid"] }, "propagationPolicy": "Background" });
    Step { request: request("DELETE", id, body), collects: true }
}
