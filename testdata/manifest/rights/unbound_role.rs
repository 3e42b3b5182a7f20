use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Api, Client};

// +opctl:rbac:groups=core,resources=configmaps,verbs=get,roleName=reader
async fn read(client: Client) -> kube::Result<ConfigMap> {
    Api::<ConfigMap>::namespaced(client, "default").get("settings").await
}
