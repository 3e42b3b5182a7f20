//! Counts the objects of a kind by their condition `Ready`.

use crate::Result;
use crate::cluster::request::condition::condition;
use crate::cluster::request::list_metadata::{PAGE, count, each_page, total};
use crate::cluster::{Attempt, Connection, Definition, request_error};
use kube::Api;
use kube::api::{ApiResource, DynamicObject, ListParams};
use kube::core::GroupVersionKind;
use serde::Serialize;
use serde_json::Value;

/// The maximum number of objects of a kind whose conditions are read; further objects are only counted.
const MOST: u64 = 10_000;

/// The maximum number of unready objects that are named.
const NAMED: usize = 5;

/// The numbers of objects of a kind, by their condition `Ready`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Objects {
    /// The number of all objects; `None` if the server does not report it.
    pub(super) total: Option<u64>,
    /// The number of objects whose conditions were read: 0 for a kind without conditions.
    pub(super) looked_at: u64,
    /// The number of objects whose condition `Ready` is `True` for their current generation.
    pub(super) ready: u64,
    pub(super) not_ready: u64,
    pub(super) unknown: u64,
    /// The number of objects whose condition `Ready` is for an older generation than the object's current generation.
    pub(super) stale: u64,
    /// The number of objects without the condition `Ready`, because the operator has not reported on them.
    pub(super) without: u64,
    pub(super) deleting: u64,
    /// The first objects that are not ready or are being deleted, at most `NAMED`.
    pub(super) first: Vec<Unready>,
}

/// An object that is not ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::cluster) struct Unready {
    pub(super) namespace: Option<String>,
    pub(super) name: String,
    /// The state: `False` or `Unknown` (the status of `Ready`), `Stale`, `None` (no condition `Ready`) or `Deleting`.
    pub(in crate::cluster) ready: &'static str,
    pub(in crate::cluster) reason: String,
    pub(in crate::cluster) message: String,
}

impl Objects {
    /// Returns the number of objects that are not ready and are not being deleted.
    pub(super) fn unready_count(&self) -> u64 {
        self.not_ready + self.unknown + self.stale + self.without
    }

    fn add(&mut self, object: &DynamicObject) {
        self.looked_at += 1;
        let judged = unready_reason(object);
        let counter = match &judged {
            None => &mut self.ready,
            Some(unready) => match unready.ready {
                "False" => &mut self.not_ready,
                "Unknown" => &mut self.unknown,
                "Stale" => &mut self.stale,
                "Deleting" => &mut self.deleting,
                _ => &mut self.without,
            },
        };
        *counter += 1;
        if self.first.len() < NAMED {
            self.first.extend(judged);
        }
    }
}

/// Returns the reason why an object is not ready; `None` if it is ready.
pub(in crate::cluster) fn unready_reason(object: &DynamicObject) -> Option<Unready> {
    let condition = condition(&object.data, "Ready");
    let text = |key: &str| condition.and_then(|one| one[key].as_str()).unwrap_or_default().to_owned();
    let of_status = || object.data.pointer("/status/observedGeneration").and_then(Value::as_i64);
    let seen = condition.and_then(|one| one["observedGeneration"].as_i64()).or_else(of_status);
    let is_stale = seen.zip(object.metadata.generation).is_some_and(|(seen, newest)| seen < newest);
    let ready = match condition {
        _ if object.metadata.deletion_timestamp.is_some() => "Deleting",
        None => "None",
        Some(_) if is_stale => "Stale",
        Some(one) if one["status"] == "True" => return None,
        Some(one) if one["status"] == "False" => "False",
        Some(_) => "Unknown",
    };
    let (reason, message) = match ready {
        "Deleting" => {
            let finalizers = object.metadata.finalizers.clone().unwrap_or_default();
            (String::new(), format!("it waits for {}", finalizers.join(", ")))
        }
        "None" => (String::new(), "the operator has not set the Ready condition".to_owned()),
        "Stale" => (text("reason"), "the operator has not observed the newest change to the object".to_owned()),
        _ => (text("reason"), text("message")),
    };
    let (namespace, name) = (object.metadata.namespace.clone(), object.metadata.name.clone().unwrap_or_default());
    Some(Unready { namespace, name, ready, reason, message })
}

/// Lists the objects of `definition` in the API version `version`, page by page, and counts them by their condition
/// `Ready`. For a kind without conditions, requests only the total number.
pub(super) async fn objects(
    connection: &Connection,
    definition: &Definition,
    version: &str,
    has_conditions: bool,
) -> Result<Objects> {
    let kind = GroupVersionKind::gvk(&definition.group, version, &definition.kind);
    let resource = ApiResource::from_gvk_with_plural(&kind, &definition.plural);
    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &resource);
    let plural = format!("{}.{}", definition.plural, definition.group);
    let attempt = Attempt { verb: "list", resource: &plural, name: &plural, namespace: None };
    let mut objects = Objects::default();
    let failure = |error: kube::Error| request_error(&error, connection, attempt);
    if !has_conditions {
        objects.total = count(&api).await.map_err(failure)?;
        return Ok(objects);
    }
    let read = each_page(&api, Api::list, ListParams::default().limit(PAGE), |page| {
        page.items.iter().for_each(|object| objects.add(object));
        objects.total = total(&page.metadata, objects.looked_at);
        objects.looked_at < MOST
    });
    read.await.map_err(failure)?;
    Ok(objects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> DynamicObject {
        let mut object: DynamicObject = serde_json::from_value(value).unwrap();
        object.metadata.name = Some("a".to_owned());
        object
    }

    fn ready(status: &str, seen: i64) -> Value {
        let condition =
            json!({"type": "Ready", "status": status, "reason": "Why", "message": "m", "observedGeneration": seen});
        json!({"metadata": {"generation": 2}, "status": {"conditions": [condition]}})
    }

    #[test]
    fn each_object_is_counted_once() {
        let mut objects = Objects::default();
        let mut going = ready("False", 2);
        going["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        going["metadata"]["finalizers"] = json!(["example.com/x"]);
        let older = json!({"metadata": {"generation": 3}, "status": {"observedGeneration": 2, "conditions": [{"type": "Ready", "status": "True"}]}});
        for value in
            [ready("True", 2), ready("False", 2), ready("Unknown", 2), ready("True", 1), older, going, json!({})]
        {
            objects.add(&object(value));
        }
        let counts =
            [objects.ready, objects.not_ready, objects.unknown, objects.stale, objects.without, objects.deleting];
        assert_eq!(counts, [1, 1, 1, 2, 1, 1]);
        assert_eq!((objects.looked_at, objects.unready_count()), (7, 5));
        let first: Vec<&str> = objects.first.iter().map(|unready| unready.ready).collect();
        assert_eq!(first, ["False", "Unknown", "Stale", "Stale", "Deleting"], "the first are named");
        assert_eq!((objects.first[0].reason.as_str(), objects.first[0].message.as_str()), ("Why", "m"));
        assert_eq!(objects.first[4].message, "it waits for example.com/x");
    }
}
