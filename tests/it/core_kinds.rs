//! Checks that a real API server accepts the sample objects of built-in kinds. The controller tests that opctl
//! scaffolds for these kinds create these samples.

use crate::support::Plane;
use kube::api::{Api, ApiResource, DynamicObject, PostParams};
use kube::core::GroupVersionKind;
use opctl::test_api::model::BuiltIn;
use opctl::test_api::scaffold::core_sample;
use serde_json::json;

#[tokio::test]
async fn samples_are_accepted() {
    let plane = Plane::start();
    let client = plane.client().await;
    let params = PostParams { dry_run: true, ..PostParams::default() };
    let (mut accepted, mut refused) = (0, Vec::new());
    for built_in in BuiltIn::all() {
        let resource = ApiResource {
            plural: built_in.plural.to_owned(),
            ..ApiResource::from_gvk(&GroupVersionKind::gvk(built_in.group, built_in.version, built_in.kind))
        };
        let api: Api<DynamicObject> = if built_in.namespaced {
            Api::namespaced_with(client.clone(), "default", &resource)
        } else {
            Api::all_with(client.clone(), &resource)
        };
        let mut sample = core_sample(built_in);
        sample["metadata"]["name"] = json!(if built_in.kind == "IPAddress" { "10.98.0.7" } else { "sample" });
        if built_in.kind == "Event" {
            sample[if built_in.group.is_empty() { "involvedObject" } else { "regarding" }]["namespace"] =
                json!("default");
        }
        let object = serde_json::from_value(sample).unwrap();
        match api.create(&params, &object).await {
            Ok(_) => accepted += 1,
            Err(error) => refused.push(format!("{} {}: {error}", built_in.api_version(), built_in.kind)),
        }
    }
    assert!(refused.is_empty() && accepted > 50, "{accepted} accepted\n{}", refused.join("\n"));
}
