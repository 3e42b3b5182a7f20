//! Webhooks of `WebServer`: the API server asks them before it stores an object.
use api::v1::WebServer;
use kube::ResourceExt;
use runtime::{Manager, webhook};

/// The annotation that names who created an object, if it is there without a value.
const CREATED_BY: &str = "example.com/created-by";

/// Adds the webhooks to the manager, which serves them.
pub fn setup(manager: &mut Manager) {
    manager.webhook(webhook::defaulting(default));
}

// +opctl:webhook:path=/mutate-example-com-v1-webserver,mutating=true,failurePolicy=fail,sideEffects=None,groups=example.com,resources=webservers,verbs=create;update,versions=v1,name=mwebserver-v1.example.com,admissionReviewVersions=v1
/// Fills in fields that the defaults of the schema cannot. It may be called again with its own
/// result.
fn default(obj: &mut WebServer, request: &webhook::Request) {
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

    fn object(name: &str) -> WebServer {
        let spec = json!({
            "hosts": ["example"],
        });
        serde_json::from_value(json!({ "metadata": { "name": name }, "spec": spec })).unwrap()
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
        let objects: Api<_> = Api::namespaced(client, &namespace);
        let params = PostParams::default();
        let mut object = object(&namespace);
        let annotations = object.annotations_mut();
        annotations.insert(CREATED_BY.into(), "".into());
        let created = objects.create(&params, &object).await.unwrap();
        assert_ne!(created.annotations()[CREATED_BY], "");
    }
}
