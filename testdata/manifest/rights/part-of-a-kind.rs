use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use kube::Resource;
use kube::api::ObjectMeta;
use runtime::Context;

#[derive(Deserialize, Resource, Serialize)]
#[resource(crates(kube_core = "kube::core"), inherit = Deployment)]
struct Size {
    metadata: ObjectMeta,
    spec: SizeSpec,
}

async fn resize(pod: &Pod, ctx: &Context, metadata: ObjectMeta, spec: SizeSpec) -> anyhow::Result<()> {
    ctx.apply(pod, Size { metadata, spec }).await?;
    Ok(())
}

async fn again(pod: &Pod, ctx: &Context, size: Size) -> anyhow::Result<()> {
    ctx.apply(pod, size).await?;
    Ok(())
}
