//! Base images, read from an OCI layout
//! (<https://github.com/opencontainers/image-spec/blob/main/image-layout.md>).

use super::blob::{Blob, INDEX, LAYER, MANIFEST, digest};
use super::platform::Platform;
use crate::error::{file_error, hint};
use crate::reading::{self, Limit};
use crate::{Error, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The Docker media type of a manifest. The next two constants are the Docker media types of an index and a layer. All
/// three have the same contents as the OCI media types.
const DOCKER_MANIFEST: &str = "application/vnd.docker.distribution.manifest.v2+json";
const DOCKER_INDEX: &str = "application/vnd.docker.distribution.manifest.list.v2+json";
const DOCKER_LAYER: &str = "application/vnd.docker.image.rootfs.diff.tar.gzip";
/// The maximum depth of nested indexes: an index may name another index.
const DEPTH: u32 = 3;
/// The maximum number of layers, as in container engines. Common images have about ten layers.
const LAYERS: usize = 127;

/// A base image, on which other images are built.
#[derive(Clone, Debug)]
pub struct Base {
    pub(super) config: Value,
    pub(super) layers: Vec<Blob>,
}

impl Base {
    /// Reads the image for a platform from the OCI layout in `folder`, and checks the digest of each blob.
    ///
    /// # Errors
    /// Fails if the folder is not an OCI layout, if it has no image for the platform, or if the content of a blob does
    /// not
    /// match its digest.
    pub fn read(folder: &Path, platform: Platform) -> Result<Self> {
        let layout = Layout(folder);
        let index = layout.file("index.json")?;
        let manifest = layout.manifest(&layout.json(&index)?, platform, DEPTH)?;
        let config = layout.blob(&manifest["config"])?;
        let config = layout.json(&config.bytes)?;
        let architecture = config["architecture"].as_str();
        if architecture.is_some_and(|architecture| architecture != platform.architecture()) {
            return Err(layout.has_no(platform));
        }
        let layers = manifest["layers"].as_array().map_or(&[][..], Vec::as_slice);
        if layers.len() > LAYERS {
            return Err(layout.layout_error(format!("the image has too many layers: {}", layers.len())));
        }
        let layers = layers.iter().map(|layer| layout.blob(layer)).collect::<Result<_>>()?;
        Ok(Base { config, layers })
    }
}

struct Layout<'a>(&'a Path);

impl Layout<'_> {
    fn manifest(&self, index: &Value, platform: Platform, depth: u32) -> Result<Value> {
        let manifests = index["manifests"].as_array().map_or(&[][..], Vec::as_slice);
        let suits = |descriptor: &&Value| match descriptor["platform"]["architecture"].as_str() {
            Some(architecture) => {
                architecture == platform.architecture() && descriptor["platform"]["os"].as_str() == Some("linux")
            }
            None => true,
        };
        let mut suitable = manifests.iter().filter(suits);
        let (Some(descriptor), None) = (suitable.next(), suitable.next()) else { return Err(self.has_no(platform)) };
        let blob = self.blob(descriptor)?;
        let value = self.json(&blob.bytes)?;
        match blob.media_type.as_str() {
            MANIFEST | DOCKER_MANIFEST => Ok(value),
            INDEX | DOCKER_INDEX if depth > 0 => self.manifest(&value, platform, depth - 1),
            other => Err(self.layout_error(format!("`{other}` is not the media type of an image"))),
        }
    }

    fn blob(&self, descriptor: &Value) -> Result<Blob> {
        let (name, media_type) = (descriptor["digest"].as_str(), descriptor["mediaType"].as_str());
        let is_digit = |digit: char| matches!(digit, '0'..='9' | 'a'..='f');
        let hex = name.and_then(|name| name.strip_prefix("sha256:"));
        let hex = hex.filter(|hex| hex.len() == 64 && hex.chars().all(is_digit));
        let (Some(hex), Some(media_type)) = (hex, media_type) else {
            return Err(self.layout_error("a descriptor has no media type or no SHA-256 digest"));
        };
        let bytes = self.file(&format!("blobs/sha256/{hex}"))?;
        if Some(digest(&bytes).as_str()) != name {
            return Err(self.layout_error(format!("the digest of `blobs/sha256/{hex}` does not match its name")));
        }
        let media_type = if media_type == DOCKER_LAYER { LAYER } else { media_type };
        Ok(Blob::new(media_type, bytes))
    }

    fn file(&self, path: &str) -> Result<Vec<u8>> {
        let path: PathBuf = self.0.join(path);
        reading::bytes(&path, Limit::Bundle).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => self.layout_error(format!("`{}` does not exist", path.display())),
            _ => file_error("read", &path, &error),
        })
    }

    fn json(&self, bytes: &[u8]) -> Result<Value> {
        serde_json::from_slice(bytes).map_err(|error| self.layout_error(error.to_string()))
    }

    fn has_no(&self, platform: Platform) -> Error {
        self.layout_error(format!("the layout does not contain exactly one image for `{platform}`"))
    }

    fn layout_error(&self, reason: impl std::fmt::Display) -> Error {
        Error::user(format!("`{}` is not the OCI layout of a base image", self.0.display())).caused_by(reason).hint(
            hint!("skopeo copy docker://gcr.io/distroless/cc-debian13:nonroot oci:{}", self.0.display().to_string()),
        )
    }
}
