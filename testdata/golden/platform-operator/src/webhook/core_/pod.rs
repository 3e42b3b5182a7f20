// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! Webhooks of `Pod`: the API server asks them before it stores an object.
//!
//! The markers' `patch` excludes the objects in kube-system and in the operator's own namespace,
//! which has its label: their pods must start while the operator does not run.
use k8s_openapi::api::core::v1::Pod;
use kube::ResourceExt;
use runtime::{Manager, webhook};

/// The annotation that names who created an object, if it is there without a value.
const CREATED_BY: &str = "example.org/created-by";

/// Adds the webhooks to the manager, which serves them.
pub fn setup(manager: &mut Manager) {
    manager.webhook(webhook::defaulting(default));
    manager.webhook(webhook::validating(validate));
}

// +opctl:webhook:path=/mutate--v1-pod,mutating=true,failurePolicy=fail,sideEffects=None,groups="",resources=pods,verbs=create;update,versions=v1,name=mpod-v1.platform-operator.example.org,admissionReviewVersions=v1,patch=`{"namespaceSelector":{"matchExpressions":[{"key":"app.kubernetes.io/name","operator":"NotIn","values":["platform-operator"]},{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kube-system"]}]}}`
/// Fills in fields that the defaults of the schema cannot. It may be called again with its own
/// result.
fn default(obj: &mut Pod, request: &webhook::Request) {
    // An example, for objects that have the annotation without a value: a default of the schema
    // does not know the user.
    let creator = obj.annotations().get(CREATED_BY);
    let is_asked = creator.is_some_and(String::is_empty);
    if is_asked && request.operation == webhook::Operation::Create {
        let user = request.user_info.username.clone().unwrap_or_default();
        obj.annotations_mut().insert(CREATED_BY.into(), user);
    }
}

// +opctl:webhook:path=/validate--v1-pod,mutating=false,failurePolicy=fail,sideEffects=None,groups="",resources=pods,verbs=create;update,versions=v1,name=vpod-v1.platform-operator.example.org,admissionReviewVersions=v1,patch=`{"namespaceSelector":{"matchExpressions":[{"key":"app.kubernetes.io/name","operator":"NotIn","values":["platform-operator"]},{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kube-system"]}]}}`
/// Refuses objects that the rules of the schema cannot refuse, as rules see no annotations. `old`
/// is `None` for a new object.
fn validate(obj: &Pod, old: Option<&Pod>, _: &webhook::Request) -> webhook::Findings {
    let mut found = webhook::Findings::default();
    // An example, for objects that have the annotation with a value.
    let creator = old.and_then(|old| old.annotations().get(CREATED_BY));
    let is_named = creator.is_some_and(|creator| !creator.is_empty());
    if is_named && creator != obj.annotations().get(CREATED_BY) {
        found.forbidden("metadata.annotations", "the creator stays");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube::api::{Api, Patch, PatchParams, PostParams};
    use runtime::testing;
    use serde_json::json;

    fn object(name: &str) -> Pod {
        let mut object = json!({
            "spec": {
                "containers": [
                    {
                        "image": "nginxinc/nginx-unprivileged:1.27",
                        "name": "main"
                    }
                ]
            }
        });
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

    #[test]
    fn the_creator_stays() {
        let mut old = object("sample");
        let mut new = old.clone();
        let request = testing::request(webhook::Operation::Update, "alice");
        let annotations = new.annotations_mut();
        annotations.insert(CREATED_BY.into(), "mallory".into());
        assert!(validate(&new, Some(&old), &request).is_empty());
        let annotations = old.annotations_mut();
        annotations.insert(CREATED_BY.into(), "alice".into());
        let found = validate(&new, Some(&old), &request).to_string();
        assert_eq!(found, "metadata.annotations: Forbidden: the creator stays");
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
        // The API server refuses the object until the namespace has its service account.
        let create = async || objects.create(&params, &object).await.ok();
        let created = testing::until("created", create).await;
        assert_ne!(created.annotations()[CREATED_BY], "");
        let change = json!({ "metadata": { "annotations": { CREATED_BY: "mallory" } } });
        let params = PatchParams::default();
        let change = Patch::Merge(change);
        let refused = objects.patch(&namespace, &params, &change).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("the creator stays"), "{refused}");
    }
}
