// Copyright Example Authors
// SPDX-License-Identifier: MIT

//! The mutating policy of `DNSZone` on a real API server, which `opctl test` has told of it.
use api::dns::v1beta1::DNSZone;
use kube::ResourceExt;
use kube::api::{Api, PostParams};
use runtime::testing::{namespace, until};
use serde_json::json;

type Objects = Api<DNSZone>;

const CREATED_BY: &str = "dns.example.org/created-by";

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
