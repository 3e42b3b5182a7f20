//! Archives of images that are valid in two formats: for `docker load`, and as an OCI layout. A program that reads the
//! archive uses one of the formats and ignores the other.

use super::blob::{Blob, INDEX};
use super::image::Image;
use super::layer::{File, tar};
use crate::model::{reference_parts, whole_reference};
use crate::{Error, Result};
use serde_json::json;
use std::collections::BTreeMap;

/// Returns an archive of the image, in which the image is named `reference`.
///
/// # Errors
/// Fails only if opctl has a bug, because every file name in the archive fits the tar format.
pub fn archive(image: &Image, reference: &str) -> Result<Vec<u8>> {
    let name = whole_reference(reference);
    let mut named = image.descriptor();
    // containerd reads the first, others the second
    // (https://github.com/containerd/containerd/blob/main/core/images/annotations.go).
    named["annotations"] = json!({
        "io.containerd.image.name": name,
        "org.opencontainers.image.ref.name": reference_parts(&name).1,
    });
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": [named] }).to_string();
    let saved = json!([{
        "Config": image.config.path(),
        "RepoTags": [reference],
        "Layers": image.layers.iter().map(Blob::path).collect::<Vec<_>>(),
    }]);
    let saved = saved.to_string();
    // A base may have a layer twice.
    let blobs: BTreeMap<String, &Blob> = image.blobs().map(|blob| (blob.path(), blob)).collect();
    let file = |path, content| File { path, mode: 0o644, content };
    let mut files = vec![
        file("oci-layout", br#"{"imageLayoutVersion":"1.0.0"}"#.as_slice()),
        file("index.json", index.as_bytes()),
        file("manifest.json", saved.as_bytes()),
    ];
    files.extend(blobs.iter().map(|(path, blob)| file(path.as_str(), blob.bytes.as_slice())));
    tar(&files).map_err(|error| Error::bug("cannot make the archive of the image").source(&error))
}
