use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

#[cfg(test)]
mod tests {
    async fn f(api: Api<Pod>) { api.delete("a", &params).await; }
}
#[tokio::test]
async fn works() { Api::<Pod>::all(client).list(&params).await; }
