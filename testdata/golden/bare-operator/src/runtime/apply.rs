// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! Server-side apply.
use kube::{
    Client, Resource, ResourceExt,
    api::{Patch, PatchParams},
    core::{Request, object::HasStatus},
};
use serde::Serialize;
use serde_json::json;

/// Applies `status`, unless `obj` has it already: an unchanged object costs no request.
pub async fn status<K>(
    client: &Client,
    field_manager: &str,
    obj: &K,
    status: K::Status,
) -> kube::Result<()>
where
    K: Resource<DynamicType = ()> + HasStatus,
    K::Status: PartialEq + Serialize,
{
    if obj.status() == Some(&status) {
        return Ok(());
    }
    let patch = Patch::Apply(json!({
        "apiVersion": K::api_version(&()),
        "kind": K::kind(&()),
        "status": status,
    }));
    // Whoever else wrote these fields, they are for the controller to say.
    let params = PatchParams::apply(field_manager).force();
    // Not through `Api`, whose type would differ for namespaced and cluster-scoped kinds.
    let url = K::url_path(&(), obj.namespace().as_deref());
    let request = Request::new(url)
        .patch_subresource("status", &obj.name_any(), &params, &patch)
        .map_err(kube::Error::BuildRequest)?;
    client.request_text(request).await?;
    tracing::info!("status applied");
    Ok(())
}
