use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::{Api, Client};

async fn f(client: Client) {
    let (pods, maps) = (Api::<Pod>::all(client.clone()), Api::<ConfigMap>::all(client));
    let (maps, pods) = (pods, maps);
    maps.delete("a", &parameters).await;
    pods.entry("a").await;
}
