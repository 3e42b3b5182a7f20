//! Layers of images: reproducible archives of files.

use super::blob::{Blob, LAYER, digest};
use flate2::{Compression, write::GzEncoder};
use std::io::{Result, Write};

/// A file in a layer.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The path relative to the root of the image, without a leading slash.
    pub path: &'a str,
    /// The permission bits, such as `0o755`.
    pub mode: u32,
    /// The content of the file.
    pub content: &'a [u8],
}

/// A layer, and the digest of its uncompressed archive. The configuration of an image contains this digest.
pub(super) struct Layer {
    pub(super) blob: Blob,
    pub(super) diff_id: String,
}

/// Creates a layer that contains these files.
pub(super) fn layer(files: &[File]) -> Result<Layer> {
    let archive = tar(files)?;
    // The header of the compressed data has no time and no name.
    let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
    compressed.write_all(&archive)?;
    Ok(Layer { blob: Blob::new(LAYER, compressed.finish()?), diff_id: digest(&archive) })
}

/// Returns an archive of these files. In the archive, the files belong to root and have no modification time, so that
/// the same files make the same archive.
///
/// # Errors
/// Fails if a path is too long for an archive.
pub fn tar(files: &[File]) -> Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for file in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(file.content.len() as u64);
        header.set_mode(file.mode);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        archive.append_data(&mut header, file.path, file.content)?;
    }
    archive.into_inner()
}
