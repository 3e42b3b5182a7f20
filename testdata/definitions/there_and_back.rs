//! Objects that other programs may write, on a real API server: with fields at their root, and without a spec.
use api::data::v1::{Priority, Session, Tape, Token};
use api::run::v1alpha1::Runner;
use kube::Resource;
use kube::api::{Api, ApiResource, DynamicObject, PostParams};
use runtime::testing;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;

#[tokio::test]
#[ignore = "opctl test"]
async fn fields_at_the_root_come_back() {
    let (client, namespace) = testing::namespace().await;
    let priorities: Api<Priority> = Api::all(client.clone());
    let priority = json!({ "value": 7, "description": "High.", "fields": { "a": "b" } });
    come_back(&priorities, priority.clone()).await;
    status_comes_back(&priorities, priority).await;
    let tapes: Api<Tape> = Api::namespaced(client.clone(), &namespace);
    let spec = json!({ "length": 60, "title": "First" });
    let operation = json!({ "name": "wind", "steps": [{ "seconds": 5_000_000_000_i64 }] });
    come_back(&tapes, json!({ "spec": spec, "operation": operation, "status": "Full" })).await;
    come_back(&tapes, json!({ "drive": "a" })).await;
    let tokens: Api<Token> = Api::namespaced(client.clone(), &namespace);
    come_back(&tokens, json!({ "email": "a@example.org", "status": { "used": true } })).await;
    let sessions: Api<Session> = Api::namespaced(client, &namespace);
    let session = json!({ "email": "a@example.org", "hash": [1, -2, 0.5, null], "spec": { "a": {} } });
    come_back(&sessions, session).await;
}

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_without_a_spec_has_an_empty_one() {
    let (client, namespace) = testing::namespace().await;
    let resource = ApiResource::erase::<Runner>(&());
    let objects: Api<DynamicObject> = Api::namespaced_with(client.clone(), &namespace, &resource);
    objects.create(&PostParams::default(), &DynamicObject::new("bare", &resource)).await.unwrap();
    let runners: Api<Runner> = Api::namespaced(client, &namespace);
    assert_eq!(runners.get("bare").await.unwrap().spec.replicas, 1, "defaults of its fields are filled in");
}

/// Reports a status that is a map, and reads it.
async fn status_comes_back(priorities: &Api<Priority>, mut fields: Value) {
    fields["metadata"]["name"] = "reported".into();
    let params = PostParams::default();
    let mut object = priorities.create(&params, &serde_json::from_value(fields).unwrap()).await.unwrap();
    let status = json!({ "default": "3", "kube-system": "1" });
    object.status = Some(serde_json::from_value(status.clone()).unwrap());
    priorities.replace_status("reported", &params, &object).await.unwrap();
    assert_eq!(json!(priorities.get("reported").await.unwrap())["status"], status);
}

/// Creates an object with these fields, reads it, writes it again, and deletes it.
async fn come_back<K>(objects: &Api<K>, fields: Value)
where
    K: Resource<DynamicType = ()> + Clone + Debug + Serialize + DeserializeOwned,
{
    let (name, params) = ("there-and-back", PostParams::default());
    let mut object = fields.clone();
    object["metadata"]["name"] = name.into();
    let object = serde_json::from_value(object).unwrap();
    objects.create(&params, &object).await.unwrap();
    let mut read = objects.get(name).await.unwrap();
    let text = serde_json::to_string(&read).unwrap();
    assert_eq!(text.matches("\"kind\"").count(), 1, "{text}");
    read.meta_mut().labels = Some([("written".to_owned(), "again".to_owned())].into());
    let written = objects.replace(name, &params, &read).await.unwrap();
    let mut written = json!(written);
    for part in ["apiVersion", "kind", "metadata"] {
        assert!(written.as_object_mut().unwrap().remove(part).is_some());
    }
    assert_eq!(written, fields);
    objects.delete(name, &Default::default()).await.unwrap();
}
