//! Reads the image, the version, the package and the channels that a bundle was written with.

use crate::olm::Bundle;

/// The values of the flags with which `opctl bundle` wrote a bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Recorded {
    pub(super) image: Option<String>,
    pub(super) version: Option<String>,
    pub(super) package: Option<String>,
    pub(super) channels: Vec<String>,
    pub(super) default_channel: Option<String>,
}

impl Recorded {
    /// Reads the flag values of a bundle from its annotations and its `ClusterServiceVersion`.
    pub(super) fn of(bundle: &Bundle) -> Self {
        let annotation = |name: &str| {
            let name = format!("operators.operatorframework.io.bundle.{name}");
            bundle.annotation(&name).filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let version = bundle.service_version();
        let text = |pointer: &str| Some(version?.pointer(pointer)?.as_str()?.to_owned());
        let channels = annotation("channels.v1").unwrap_or_default();
        Recorded {
            image: text("/metadata/annotations/containerImage"),
            version: text("/spec/version"),
            package: annotation("package.v1"),
            channels: channels.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            default_channel: annotation("channel.default.v1"),
        }
    }
}
