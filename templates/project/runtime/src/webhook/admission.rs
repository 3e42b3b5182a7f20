//! The changes of a defaulting function, as a JSON patch.

use super::reply::{Failure, Reply};
use super::review::Asked;
use super::transfer::transfer;
use axum::http::StatusCode;
use kube::core::admission::Operation;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// The fields that identify an object. No function may change these fields: the API server would
/// store the object under the new name.
const IDENTITY: [&str; 4] = [
    "/apiVersion",
    "/kind",
    "/metadata/name",
    "/metadata/namespace",
];

/// Reads the object to be stored; returns `None` if there is no such object, or if it does not fit
/// the Rust type. The API server checks the object against its schema later, with better errors.
pub fn defaultable<K: DeserializeOwned>(asked: &Asked) -> Result<Option<K>, Failure> {
    let stored = [Operation::Create, Operation::Update].contains(&asked.request.operation);
    let object = stored.then(|| K::deserialize(&asked.object));
    Ok(object.and_then(Result::ok))
}

pub fn json(object: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(object).map_err(|error| Failure::of_function(&error.into()))
}

/// Returns the reply with the JSON patch for the changes of the function. `before` and `object` are
/// the object before and after the function was called.
pub fn defaulted(asked: &Asked, before: &Value, object: &impl Serialize) -> Result<Reply, Failure> {
    let after = json(object)?;
    let changed = |at: &&str| before.pointer(at) != after.pointer(at);
    if let Some(at) = IDENTITY.into_iter().find(changed) {
        let field = at[1..].replace('/', ".");
        let why = format!("the defaulting function changes {field}, which it must not");
        return Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, why));
    }
    let mut new = asked.object.clone();
    transfer(&mut new, before, &after);
    let patch = json_patch::diff(&asked.object, &new);
    Reply::patched(&asked.request, patch)
}
