use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

use std::collections::HashMap;
fn f(map: HashMap<String, Pod>, pod: Pod) { map.get("a"); pod.delete("a"); list.create(&pod); other.owns(1); x.apply(&pod, pod); }
