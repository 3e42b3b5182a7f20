use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

use kube::runtime::events::{Recorder, Reporter};
fn f(client: Client) { let recorder = Recorder::new(client, Reporter::from("me")); }
