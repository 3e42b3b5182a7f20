use api::v1::WebServer;
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use kube::Api;
use kube::api::{Patch, PatchParams};

async fn all(maps: Api<ConfigMap>, services: Api<Service>, own: Api<WebServer>) -> kube::Result<()> {
    let params = PatchParams::apply("a");
    maps.patch("a", &params, &Patch::Apply(&map)).await?;
    services.patch("a", &PatchParams::default(), &Patch::Merge(&service)).await?;
    own.patch("a", &params, &Patch::Apply(&labels)).await?;
    own.patch_status("a", &params, &Patch::Apply(&status)).await?;
    Ok(())
}
