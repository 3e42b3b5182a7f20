//! The API resource of custom resource definitions.

use kube::api::ApiResource;
use kube::core::GroupVersionKind;

/// The plural name of the kind `CustomResourceDefinition`, as in URLs and RBAC rules.
pub const RESOURCE: &str = "customresourcedefinitions";

/// Returns the API resource of custom resource definitions.
pub fn api_resource() -> ApiResource {
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    ApiResource::from_gvk_with_plural(&kind, RESOURCE)
}
