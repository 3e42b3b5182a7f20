use kube::{Api, Client};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret as CoreSecret};
use api::v1::WebServer;
use std::sync::Arc;

async fn all(api: &Api<Pod>, name: &str) -> kube::Result<()> {
    api.get(name).await?;
    api.list(&Default::default()).await?;
    api.watch(&Default::default(), "0").await?;
    api.create(&Default::default(), &pod).await?;
    api.replace(name, &Default::default(), &pod).await?;
    api.patch(name, &Default::default(), &patch).await?;
    api.delete(name, &Default::default()).await?;
    api.delete_collection(&Default::default(), &Default::default()).await?;
    api.logs(name, &Default::default()).await?;
    api.evict(name, &Default::default()).await?;
    api.patch_status(name, &Default::default(), &patch).await?;
    Ok(())
}
async fn scaled(api: Api<Deployment>) {
    api.patch_scale("a", &params, &patch).await;
    api.replace_status("a", &params, &deployment).await;
    api.get_scale("a").await;
}

async fn within(pods: Api<Pod>, client: Client, ctx: Arc<Context>) -> kube::Result<()> {
    pods.exec("a", ["ls"], &params).await?;
    pods.attach("a", &params).await?;
    pods.portforward("a", &[80]).await?;
    client.get::<ConfigMap>("a", &namespace).await?;
    ctx.client.list::<CoreSecret>(&params, &namespace).await?;
    client.send(request).await?;
    Ok(())
}
