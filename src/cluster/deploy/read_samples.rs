//! Reads the project's samples.

use super::member::{Member, defined_resource, kinds};
use crate::cluster::kustomization::render;
use crate::cluster::{Connection, deployed_namespace};
use crate::model::Project;
use crate::{Error, Result};
use kube::api::DynamicObject;
use kube::core::GroupVersionKind;
use serde_json::Value;
use std::path::Path;

const FOLDER: &str = "config/samples";

/// Reads the objects of `config/samples` of the project at `root`, in the order of the kustomization. Finds each kind
/// in the server's list of kinds or in a CRD among `objects`, because the server's list lags behind a new CRD.
pub(in crate::cluster) async fn samples(
    project: &Project,
    root: &Path,
    objects: &[Value],
    connection: &Connection,
) -> Result<Vec<Member>> {
    let folder = root.join(FOLDER);
    if !folder.join("kustomization.yaml").is_file() {
        return Ok(Vec::new());
    }
    let samples = render::objects(&folder)?;
    // A namespaced operator watches no other namespace.
    let namespace = project.namespaced.then(|| deployed_namespace(root)).transpose()?;
    let kinds = kinds(connection).await?;
    samples
        .into_iter()
        .map(|object| {
            let mut object: DynamicObject = serde_json::from_value(object).map_err(|error| {
                Error::user(format!("`{FOLDER}` contains a document that is not a Kubernetes object")).source(&error)
            })?;
            let types = object.types.clone().unwrap_or_default();
            let kind = GroupVersionKind::try_from(&types).ok();
            let resolve = |kind| kinds.resolve_gvk(&kind).or_else(|| defined_resource(&kind, objects));
            let served = kind.and_then(resolve).ok_or_else(|| {
                Error::cluster(format!(
                    "the cluster does not serve the kind {} of the API version {}",
                    types.kind, types.api_version
                ))
                .caused_by(format!("an object in `{FOLDER}` is of this kind"))
            })?;
            if object.metadata.namespace.is_none() {
                object.metadata.namespace = namespace.clone().or_else(|| Some("default".to_owned()));
            }
            let mut sample = Member::new(served, object);
            if sample.namespace().is_none() {
                sample.object.metadata.namespace = None;
            }
            Ok(sample)
        })
        .collect()
}
