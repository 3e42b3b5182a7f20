//! The annotations of a bundle, which are also the labels of the bundle's image.

use super::options::BundleOptions;
use serde::Serialize;

/// An annotation of the bundle, which is also a label of the bundle's image.
#[derive(Serialize)]
pub(super) struct Label {
    pub(super) name: &'static str,
    pub(super) value: String,
}

#[derive(Serialize)]
pub(super) struct Labels {
    pub(super) labels: Vec<Label>,
}

pub(super) fn labels(options: &BundleOptions) -> Vec<Label> {
    let default = options.default_channel.as_ref().or(options.channels.first()).cloned().unwrap_or_default();
    let values = [
        ("operators.operatorframework.io.bundle.channel.default.v1", default),
        ("operators.operatorframework.io.bundle.channels.v1", options.channels.join(",")),
        ("operators.operatorframework.io.bundle.manifests.v1", "manifests/".to_owned()),
        ("operators.operatorframework.io.bundle.mediatype.v1", "registry+v1".to_owned()),
        ("operators.operatorframework.io.bundle.metadata.v1", "metadata/".to_owned()),
        ("operators.operatorframework.io.bundle.package.v1", options.package.clone()),
    ];
    values.into_iter().map(|(name, value)| Label { name, value }).collect()
}
