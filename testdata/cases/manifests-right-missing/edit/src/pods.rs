use k8s_openapi::api::core::v1::Pod;
use kube::Api;

pub async fn names(pods: Api<Pod>) -> kube::Result<Vec<String>> {
    let pods = pods.list(&Default::default()).await?;
    Ok(pods.items.into_iter().filter_map(|pod| pod.metadata.name).collect())
}
