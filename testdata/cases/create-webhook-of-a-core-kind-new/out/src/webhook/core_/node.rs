//! Webhooks of `Node`: the API server asks them before it stores an object.
//!
//! With `failurePolicy=ignore`, it also stores objects while the operator does not run: a cluster
//! that starts makes objects of its own first.
use k8s_openapi::api::core::v1::Node;
use kube::ResourceExt;
use runtime::{Manager, webhook};

/// The annotation that names who created an object, if it is there without a value.
const CREATED_BY: &str = "example.com/created-by";

/// Adds the webhooks to the manager, which serves them.
pub fn setup(manager: &mut Manager) {
    manager.webhook(webhook::defaulting(default));
}

// +opctl:webhook:path=/mutate--v1-node,mutating=true,failurePolicy=ignore,sideEffects=None,groups="",resources=nodes,verbs=create;update,versions=v1,name=mnode-v1.webserver-operator.example.com,admissionReviewVersions=v1
/// Fills in fields that the defaults of the schema cannot. It may be called again with its own
/// result.
fn default(obj: &mut Node, request: &webhook::Request) {
    // An example, for objects that have the annotation without a value: a default of the schema
    // does not know the user.
    let creator = obj.annotations().get(CREATED_BY);
    let is_asked = creator.is_some_and(String::is_empty);
    if is_asked && request.operation == webhook::Operation::Create {
        let user = request.user_info.username.clone().unwrap_or_default();
        obj.annotations_mut().insert(CREATED_BY.into(), user);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube::api::{Api, PostParams};
    use runtime::testing;
    use serde_json::json;

    fn object(name: &str) -> Node {
        let mut object = json!({});
        object["metadata"]["name"] = name.into();
        serde_json::from_value(object).unwrap()
    }

    #[test]
    fn the_creator_is_noted_where_it_is_asked_for() {
        let mut obj = object("sample");
        let request = testing::request(webhook::Operation::Create, "alice");
        default(&mut obj, &request);
        assert!(!obj.annotations().contains_key(CREATED_BY));
        obj.annotations_mut().insert(CREATED_BY.into(), "".into());
        default(&mut obj, &request);
        assert_eq!(obj.annotations()[CREATED_BY], "alice");
    }

    #[tokio::test]
    #[ignore = "opctl test"]
    async fn the_api_server_asks() {
        let (client, namespace) = testing::namespace().await;
        let objects: Api<_> = Api::all(client);
        let name = &format!("{namespace}-object");
        let params = PostParams::default();
        let mut object = object(name);
        let annotations = object.annotations_mut();
        annotations.insert(CREATED_BY.into(), "".into());
        let created = objects.create(&params, &object).await.unwrap();
        assert_ne!(created.annotations()[CREATED_BY], "");
    }
}
