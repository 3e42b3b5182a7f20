//! The templates, compressed by `src/build.rs`: uncompressed, they would be a twentieth of the opctl program.

use std::sync::OnceLock;

/// The templates below one folder of `templates`.
pub(super) struct Folder {
    pub(super) name: &'static str,
    packed: &'static [u8],
    /// The path and the text of each template, each followed by a NUL.
    texts: OnceLock<String>,
}

include!(concat!(env!("OUT_DIR"), "/templates.rs"));

impl Folder {
    const fn new(name: &'static str, packed: &'static [u8]) -> Self {
        Self { name, packed, texts: OnceLock::new() }
    }

    /// Returns the path of each template below the folder, and its text.
    pub(super) fn templates(&'static self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let texts = self.texts.get_or_init(|| {
            let texts =
                lz4_flex::decompress_size_prepended(self.packed).expect("the build script has packed the templates");
            String::from_utf8(texts).expect("the build script has read the templates as UTF-8")
        });
        let mut parts = texts.split('\0');
        std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
    }
}
