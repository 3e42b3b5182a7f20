//! Compressed JSON texts of cached objects.

use lz4_flex::block::{compress_prepend_size_with_dict, decompress_size_prepended_with_dict};
use std::sync::Arc;

/// The number of texts that share a dictionary. A dictionary gets outdated, because objects change
/// over time, for example when they get a status.
const SHARING: u32 = 1000;

/// A compressor for texts that are nearly equal, such as objects of one kind. One text serves as
/// the dictionary; each other text is compressed to about a sixth of its length.
#[derive(Default)]
pub struct Compressor {
    dictionary: Arc<str>,
    compressed: u32,
}

/// A text that was compressed by a [`Compressor`].
pub struct Compressed {
    dictionary: Arc<str>,
    bytes: Box<[u8]>,
}

impl Compressor {
    pub fn compress(&mut self, text: &str) -> Compressed {
        if self.compressed.is_multiple_of(SHARING) {
            self.dictionary = text.into();
        }
        self.compressed = self.compressed.wrapping_add(1);
        let dictionary = self.dictionary.clone();
        let bytes = compress_prepend_size_with_dict(text.as_bytes(), dictionary.as_bytes()).into();
        Compressed { dictionary, bytes }
    }
}

impl Compressed {
    pub fn text(&self) -> String {
        let dictionary = self.dictionary.as_bytes();
        let text = decompress_size_prepended_with_dict(&self.bytes, dictionary);
        let text = text.expect("these bytes were compressed with this dictionary");
        String::from_utf8(text).expect("these bytes were UTF-8 text")
    }

    #[cfg(test)]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_any_length_come_back() {
        let numbers = |count: u32| (0..count).map(|number| number.wrapping_mul(2_654_435_761));
        let long: String = numbers(100_000)
            .map(|number| format!("{number:x} "))
            .collect();
        let mut compressor = Compressor::default();
        for text in [
            &long,
            "",
            "{}",
            "ä",
            &long[..70_000],
            &long.to_uppercase(),
            &long[3..],
        ] {
            assert_eq!(compressor.compress(text).text(), text);
        }
        let mut compressor = Compressor::default();
        for text in ["", &long, "ä"] {
            assert_eq!(compressor.compress(text).text(), text);
        }
    }
}
