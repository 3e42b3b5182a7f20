//! `WhaleSay` on a real API server, with the rights of the operator's role.
// ANCHOR: imports
use api::v1alpha1::WhaleSay;
use k8s_openapi::api::batch::v1::Job;
use kube::api::{Api, Patch, PatchParams, PostParams};
use runtime::testing::{Operator, until};
use serde_json::{from_value, json};

use whalesay_operator::controller::whale_say::controller;
// ANCHOR_END: imports

// ANCHOR: test
#[tokio::test]
#[ignore = "opctl test"]
async fn another_message_is_another_job() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let (client, namespace) = (operator.client.clone(), operator.namespace.clone());
    let objects: Api<WhaleSay> = Api::namespaced(client.clone(), &namespace);
    let jobs: Api<Job> = Api::namespaced(client, &namespace);
    let says = async |message: &str| {
        until(message, async || {
            let job = jobs.get_opt("sample-job").await.unwrap()?;
            let pod = job.spec?.template.spec?;
            (pod.containers[0].args.as_deref()? == [message]).then_some(())
        })
        .await
    };
    let object = json!({ "metadata": { "name": "sample" }, "spec": { "message": "One" } });
    let object = from_value(object).unwrap();
    objects
        .create(&PostParams::default(), &object)
        .await
        .unwrap();
    says("One").await;
    let patch = Patch::Merge(json!({ "spec": { "message": "Two" } }));
    objects
        .patch("sample", &PatchParams::default(), &patch)
        .await
        .unwrap();
    says("Two").await;
    operator.stop().await;
}
// ANCHOR_END: test
