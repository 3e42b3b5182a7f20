//! Functions that create, change and delete an object in a test, and wait for the operator.
//!
//! They work on JSON, so that they are compiled once and not for each kind.

use super::until;
use crate::object::Object;
use kube::api::{Api, DeleteParams, GetParams, Patch, PatchParams, PostParams};
use kube::core::Request;
use kube::{Client, Error};
use serde_json::Value;

/// Creates an object from JSON, in which `apiVersion` and `kind` are filled in.
///
/// ```no_run
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kube::api::Api;
/// use runtime::testing::{create, goes_away, merge, namespace};
/// use serde_json::json;
///
/// # async fn test() {
/// let (client, namespace) = namespace().await;
/// let maps: Api<ConfigMap> = Api::namespaced(client, &namespace);
/// create(&maps, json!({ "metadata": { "name": "sample" } })).await;
/// merge(&maps, "sample", json!({ "data": { "key": "value" } })).await;
/// goes_away(&maps, "sample").await;
/// # }
/// ```
///
/// # Panics
/// Panics if the API server refuses the object.
pub fn create<K: Object>(api: &Api<K>, mut object: Value) -> impl Future<Output = ()> {
    object["apiVersion"] = K::api_version(&()).into();
    object["kind"] = K::kind(&()).into();
    At::of(api).create(object.to_string())
}

/// Changes an object by a JSON merge patch: see [`create`].
///
/// # Panics
/// Panics if the API server refuses the patch.
pub fn merge<K: Object>(api: &Api<K>, name: &str, patch: Value) -> impl Future<Output = ()> {
    At::of(api).merge(name, patch)
}

/// Waits until the condition `Ready` of an object is `True` for the latest generation of
/// the object. Returns the message of the condition.
///
/// ```no_run
/// use kube::api::Api;
/// use runtime::{Object, testing::gets_ready};
///
/// async fn becomes_one<K: Object>(objects: &Api<K>) {
///     assert_eq!(gets_ready(objects, "sample").await, "One");
/// }
/// ```
///
/// # Panics
/// Panics if the condition is not `True` in time, or if the object does not exist.
pub fn gets_ready<K: Object>(api: &Api<K>, name: &str) -> impl Future<Output = String> {
    At::of(api).gets(name, "status", "True")
}

/// Waits until the condition `Ready` of an object has this reason for the object's latest
/// generation, regardless of the condition's status. Returns the message of the condition.
///
/// ```no_run
/// use kube::api::Api;
/// use runtime::{Object, testing::gets_reason};
///
/// async fn waits<K: Object>(objects: &Api<K>) {
///     assert_eq!(gets_reason(objects, "sample", "Waiting").await, "no database yet");
/// }
/// ```
///
/// # Panics
/// Panics if the condition does not get the reason in time, or if the object does not exist.
pub fn gets_reason<K: Object>(
    api: &Api<K>,
    name: &str,
    reason: &str,
) -> impl Future<Output = String> {
    At::of(api).gets(name, "reason", reason)
}

/// Deletes an object, and waits until it is gone: see [`create`].
///
/// # Panics
/// Panics if the object is not gone in time, or if the API server refuses a request.
pub fn goes_away<K: Object>(api: &Api<K>, name: &str) -> impl Future<Output = ()> {
    At::of(api).goes_away(name)
}

/// The client and the URL for requests about objects of one kind.
struct At {
    client: Client,
    url: String,
}

impl At {
    fn of<K: Object>(api: &Api<K>) -> Self {
        let (client, url) = (api.clone().into_client(), api.resource_url().to_owned());
        Self { client, url }
    }

    fn request(&self) -> Request {
        Request::new(self.url.as_str())
    }

    async fn create(self, object: String) {
        let request = self.request().create(&PostParams::default(), object.into());
        self.client.request_text(request.unwrap()).await.unwrap();
    }

    async fn merge(self, name: &str, patch: Value) {
        let (params, patch) = (PatchParams::default(), Patch::Merge(patch));
        let request = self.request().patch(name, &params, &patch);
        self.client.request_text(request.unwrap()).await.unwrap();
    }

    async fn gets(self, name: &str, field: &str, value: &str) -> String {
        until(&format!("Ready of {field} {value}"), async || {
            let object = self.get(name).await.expect("the object exists");
            ready(&object, field, value).map(str::to_owned)
        })
        .await
    }

    async fn goes_away(self, name: &str) {
        let request = self.request().delete(name, &DeleteParams::background());
        self.client.request_text(request.unwrap()).await.unwrap();
        until("gone", async || {
            self.get(name).await.is_none().then_some(())
        })
        .await;
    }

    async fn get(&self, name: &str) -> Option<Value> {
        let request = self.request().get(name, &GetParams::default()).unwrap();
        match self.client.request(request).await {
            Err(Error::Api(status)) if status.is_not_found() => None,
            object => Some(object.unwrap()),
        }
    }
}

/// Returns the message of the condition `Ready` if its `field` equals `value`, and if the
/// `observedGeneration` of the condition and of the status is either current or missing.
fn ready<'a>(object: &'a Value, field: &str, value: &str) -> Option<&'a str> {
    let status = &object["status"];
    let current = |of: &Value| {
        let observed = &of["observedGeneration"];
        observed.is_null() || *observed == object["metadata"]["generation"]
    };
    let conditions = status["conditions"].as_array()?;
    let ready = conditions.iter().find(|one| one["type"] == "Ready")?;
    let is_so = ready[field] == value && current(ready) && current(status);
    is_so.then(|| ready["message"].as_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_is_ready_if_its_status_is_about_its_last_change() {
        let object = |observed: Value, of_condition: Value, ready: &str| {
            let condition = json!({
                "type": "Ready",
                "status": ready,
                "message": "One",
                "observedGeneration": of_condition,
            });
            json!({
                "metadata": { "generation": 2 },
                "status": { "observedGeneration": observed, "conditions": [condition] },
            })
        };
        for (observed, of_condition, status, expected) in [
            (json!(2), json!(2), "True", Some("One")),
            (json!(null), json!(null), "True", Some("One")),
            (json!(1), json!(null), "True", None),
            (json!(2), json!(1), "True", None),
            (json!(2), json!(2), "False", None),
        ] {
            let object = object(observed, of_condition, status);
            assert_eq!(ready(&object, "status", "True"), expected, "{object}");
        }
        let waits = object(json!(2), json!(2), "False");
        assert_eq!(ready(&waits, "status", "False"), Some("One"));
        let unknown = json!({ "metadata": { "generation": 1 } });
        assert_eq!(ready(&unknown, "status", "True"), None);
    }
}
