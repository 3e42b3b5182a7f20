//! Checks the size of a bundle.

use super::bundle::{Bundle, FOLDER};
use crate::finding::{Finding, Lint};
use flate2::{Compress, Compression, FlushCompress};
use std::path::Path;

pub(super) static LINTS: &[&Lint] = &[&TOO_LARGE, &NEARLY_TOO_LARGE];

pub(super) static TOO_LARGE: Lint = Lint::error(
    "OP708",
    "a bundle that is too large for OLM v0",
    "OLM v0 unpacks a bundle into one ConfigMap, which is limited to 1 MiB. The files of the bundle, each compressed, \
     must fit into that limit.",
    "a CRD with long descriptions in each of ten versions",
    "opctl manifests --max-description-length 0",
);

pub(super) static NEARLY_TOO_LARGE: Lint = Lint::warning(
    "OP709",
    "a bundle that is almost too large for OLM v0",
    "The compressed bundle is larger than 85% of the 1 MiB that OLM v0 accepts.",
    "a CRD with long descriptions in each of nine versions",
    "opctl manifests --max-description-length 0",
);

/// The number of bytes that the gzip format adds to the compressed content.
const GZIP: usize = 18;

/// The maximum size of a `ConfigMap`, in bytes.
const LIMIT: usize = 1 << 20;

pub(super) fn check(bundle: &Bundle) -> Option<Finding> {
    let files = || bundle.files.iter().filter(|file| file.content != FOLDER);
    let whole: usize = files().map(|file| file.content.len()).sum();
    // Nothing grows much by gzip and base64: most bundles are not compressed to know that they fit.
    if whole * 3 / 2 + files().count() * 64 < LIMIT * 85 / 100 {
        return None;
    }
    let size: usize = files().map(|file| compressed_size(&file.content)).sum();
    let lint = if size > LIMIT {
        &TOO_LARGE
    } else if size > LIMIT * 85 / 100 {
        &NEARLY_TOO_LARGE
    } else {
        return None;
    };
    let largest = files().max_by_key(|file| compressed_size(&file.content))?;
    let kib = |bytes: usize| bytes >> 10;
    let reason = format!(
        "the bundle has {} KiB compressed ({} KiB uncompressed), but OLM v0 accepts at most {} KiB",
        kib(size),
        kib(whole),
        kib(LIMIT)
    );
    let hint = "opctl manifests --max-description-length 0    # then `opctl bundle`";
    Some(Finding::new(lint, Path::new(&bundle.finding_path(&largest.path)), 1, reason, hint))
}

/// Returns the size of a file in gzip and base64, the form in which OLM stores the file.
fn compressed_size(content: &[u8]) -> usize {
    // A content that cannot be compressed grows by some bytes in each block.
    let mut bytes = Vec::with_capacity(content.len() + content.len() / 100 + 1024);
    let mut deflate = Compress::new(Compression::default(), false);
    let done = deflate.compress_vec(content, &mut bytes, FlushCompress::Finish);
    let size = if done.is_ok() { bytes.len() } else { content.len() };
    (size + GZIP).div_ceil(3) * 4
}
