use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

use k8s_openapi::api::core::v1::Event as CoreEvent;
use k8s_openapi::api::events::v1::Event;
async fn f(a: Api<CoreEvent>, b: Api<Event>) { a.list(&params).await; b.list(&params).await; }
