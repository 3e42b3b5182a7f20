//! The mutating policy of `WebServer` on a real API server, which `opctl test` has told of it.
use api::v1alpha1::WebServer;
use kube::ResourceExt;
use kube::api::{Api, PostParams};
use runtime::testing::{namespace, until};
use serde_json::json;

type Objects = Api<WebServer>;

const CREATED_BY: &str = "example.com/created-by";

#[tokio::test]
#[ignore = "opctl test"]
async fn the_creator_is_noted() {
    let (client, namespace) = namespace().await;
    let objects: Objects = Api::namespaced(client, &namespace);
    let name = "sample";
    let mut object = json!({
        "spec": { "message": "Hello" },
    });
    object["metadata"]["name"] = name.to_string().into();
    object["metadata"]["annotations"] = json!({ CREATED_BY: "" });
    let object = serde_json::from_value(object).unwrap();
    // The API server enforces a policy only some moments after it was created.
    let params = PostParams {
        dry_run: true,
        ..PostParams::default()
    };
    until("a creator", async || {
        let created = objects.create(&params, &object).await.ok()?;
        let creator = &created.annotations()[CREATED_BY];
        (!creator.is_empty()).then_some(())
    })
    .await;
}
