//! The parts of an image, which are named by the digests of their bytes.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub(super) const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
pub(super) const INDEX: &str = "application/vnd.oci.image.index.v1+json";
pub(super) const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
pub(super) const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// A part of an image: a layer, a configuration, a manifest or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    pub(super) media_type: String,
    pub(super) digest: String,
    pub(super) bytes: Vec<u8>,
}

impl Blob {
    pub(super) fn new(media_type: impl Into<String>, bytes: Vec<u8>) -> Self {
        Blob { media_type: media_type.into(), digest: digest(&bytes), bytes }
    }

    pub(super) fn json(media_type: &str, value: &Value) -> Self {
        Blob::new(media_type, value.to_string().into_bytes())
    }

    /// Returns the descriptor with which another blob refers to this blob
    /// (<https://github.com/opencontainers/image-spec/blob/main/descriptor.md>).
    pub(super) fn descriptor(&self) -> Value {
        json!({ "mediaType": self.media_type, "digest": self.digest, "size": self.bytes.len() })
    }

    /// Returns the path of the blob in an OCI layout: `blobs/sha256/…`.
    pub(super) fn path(&self) -> String {
        format!("blobs/{}", self.digest.replace(':', "/"))
    }
}

/// Returns the SHA-256 digest of the bytes with the prefix `sha256:`.
pub(super) fn digest(bytes: &[u8]) -> String {
    format!("sha256:{:x}", Sha256::digest(bytes))
}
