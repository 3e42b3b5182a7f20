//! `apps-deployment` on a real API server, with the rights of the operator's role.
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::Api;
use runtime::testing::{Operator, comes_back, create};
use serde_json::json;

use kinds_operator::controller::apps::deployment::controller;

type Objects = Api<Deployment>;

#[tokio::test]
#[ignore = "opctl test"]
async fn an_object_is_reconciled() {
    let operator = Operator::start(env!("CARGO_PKG_NAME"), controller()).await;
    let objects: Objects = Api::namespaced(operator.client.clone(), &operator.namespace);
    let name = "sample";
    let mut object = json!({
        "spec": {
            "selector": {
                "matchLabels": {
                    "app": "sample"
                }
            },
            "template": {
                "metadata": {
                    "labels": {
                        "app": "sample"
                    }
                },
                "spec": {
                    "containers": [
                        {
                            "image": "nginxinc/nginx-unprivileged:1.27",
                            "name": "main"
                        }
                    ]
                }
            }
        }
    });
    object["metadata"]["name"] = name.to_string().into();
    create(&objects, object).await;
    let owner = name;
    let name = &format!("{owner}-apps-deployment");
    let client = operator.client.clone();
    let api: Api<ConfigMap> = Api::namespaced(client.clone(), &operator.namespace);
    comes_back(&api, name).await;
    operator.stop().await;
}
