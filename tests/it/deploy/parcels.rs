//! An object of a user in the operator's namespace. Because of it, `opctl undeploy` must keep the namespace.

use super::{NAMESPACE, Stage};
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use serde_json::json;

/// The CRDs of two kinds in one group. The group's preferred version is `v1`, and `Parcel` has only `v1alpha1`.
const PARCELS: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: parcels.e.com}
spec:
  group: e.com
  names: {kind: Parcel, plural: parcels, singular: parcel}
  scope: Namespaced
  versions:
  - {name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: carriers.e.com}
spec:
  group: e.com
  names: {kind: Carrier, plural: carriers, singular: carrier}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
";

/// Creates a `Parcel`, a kind that is missing in its group's preferred version, in the operator's namespace.
/// Returns the path of the file with the CRDs.
pub(super) async fn leave_one(stage: &Stage, client: &Client) -> String {
    let file = stage.root().with_file_name("parcels.yaml");
    std::fs::write(&file, PARCELS).unwrap();
    let file = file.display().to_string();
    stage.kubectl(&["apply", "--filename", &file]);
    stage.kubectl(&["wait", "--for=condition=Established", "crd/parcels.e.com", "crd/carriers.e.com"]);
    let parcel = json!({"apiVersion": "e.com/v1alpha1", "kind": "Parcel", "metadata": {"name": "theirs"}});
    let parcels = ApiResource::from_gvk(&GroupVersionKind::gvk("e.com", "v1alpha1", "Parcel"));
    let parcels: Api<DynamicObject> = Api::namespaced_with(client.clone(), NAMESPACE, &parcels);
    parcels.patch("theirs", &PatchParams::apply("them"), &Patch::Apply(&parcel)).await.unwrap();
    file
}
