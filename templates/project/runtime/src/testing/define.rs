//! CRDs for kinds that other projects define.

use k8s_openapi::ClusterResourceScope;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, ListParams, Patch, PatchParams};
use kube::{Client, Resource};
use serde::de::DeserializeOwned;
use serde_json::json;
use std::any::TypeId;
use std::fmt::Debug;

/// Installs a CRD for a kind whose real CRD belongs to another project. The schema of the CRD
/// accepts every object. An existing CRD stays unchanged.
///
/// ```no_run
/// use k8s_openapi::api::core::v1::Pod as Certificate; // any kind of another crate
/// use runtime::testing;
///
/// # async fn test() {
/// let (client, namespace) = testing::namespace().await;
/// testing::define::<Certificate>(&client).await;
/// # }
/// ```
///
/// # Panics
/// Panics if the API server refuses the CRD, or does not serve the kind in time.
pub async fn define<K>(client: &Client)
where
    K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned,
    K::Scope: 'static,
{
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let (group, kind, plural) = (K::group(&()), K::kind(&()), K::plural(&()));
    let name = format!("{plural}.{group}");
    if definitions.get_opt(&name).await.unwrap().is_none() {
        let is_cluster = TypeId::of::<K::Scope>() == TypeId::of::<ClusterResourceScope>();
        let schema = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
        let definition = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": { "name": name },
            "spec": {
                "group": group,
                "names": { "kind": kind, "plural": plural },
                "scope": if is_cluster { "Cluster" } else { "Namespaced" },
                "versions": [{
                    "name": K::version(&()),
                    "served": true,
                    "storage": true,
                    "subresources": { "status": {} },
                    "schema": { "openAPIV3Schema": schema },
                }],
            },
        });
        let (params, patch) = (PatchParams::apply("test"), Patch::Apply(definition));
        definitions.patch(&name, &params, &patch).await.unwrap();
    }
    let objects: Api<K> = Api::all(client.clone());
    let first = ListParams::default().limit(1);
    super::until("served", async || objects.list_metadata(&first).await.ok()).await;
}
