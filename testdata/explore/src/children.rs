//! What a Shop consists of.

use crate::types::Shop;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::{Resource, ResourceExt};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn read<K: DeserializeOwned>(child: Value) -> K {
    serde_json::from_value(child).expect("a child is written as its type is")
}

fn metadata(shop: &Shop) -> Value {
    let owner =
        shop.controller_owner_ref(&()).map(|owner| OwnerReference { block_owner_deletion: Some(true), ..owner });
    json!({ "name": shop.name_any(), "labels": { "app": shop.name_any() }, "ownerReferences": [owner] })
}

pub fn deployment(shop: &Shop) -> Deployment {
    let labels = json!({ "app": shop.name_any() });
    let container = json!({ "name": "main", "image": shop.spec.image, "ports": [{ "containerPort": shop.spec.port }] });
    read(json!({
        "metadata": metadata(shop),
        "spec": {
            "replicas": shop.spec.replicas,
            "selector": { "matchLabels": labels },
            "template": { "metadata": { "labels": labels }, "spec": { "containers": [container] } },
        },
    }))
}

pub fn service(shop: &Shop) -> Service {
    let port = json!({ "port": shop.spec.port });
    read(json!({ "metadata": metadata(shop), "spec": { "selector": { "app": shop.name_any() }, "ports": [port] } }))
}

pub fn config_map(shop: &Shop) -> ConfigMap {
    read(json!({ "metadata": metadata(shop), "data": { "greeting": shop.spec.greeting } }))
}

/// Has no owner: nothing but the operator removes it.
pub fn record(shop: &Shop) -> ConfigMap {
    let name = format!("{}-record", shop.name_any());
    read(
        json!({ "metadata": { "name": name, "labels": { "app": shop.name_any() } }, "data": { "shop": shop.name_any() } }),
    )
}
