//! The checksum that a download must have.

use sha2::{Digest, Sha256, Sha512};

/// The number of digits of a checksum that are part of a file name.
const BEGINNING: usize = 16;

/// An expected checksum, and the digest of the bytes received so far.
#[derive(Clone, Debug)]
pub(super) struct Checksum {
    expected: String,
    digest: Algorithm,
}

#[derive(Clone, Debug)]
enum Algorithm {
    Sha256(Sha256),
    Sha512(Sha512),
}

impl Checksum {
    /// Returns the SHA-256 checksum `digits`; `None` if `digits` are not 64 hexadecimal digits.
    pub(super) fn sha256(digits: &str) -> Option<Self> {
        Self::of(digits, 64, Algorithm::Sha256(Sha256::new()))
    }

    /// Returns the SHA-512 checksum `digits`; `None` if `digits` are not 128 hexadecimal digits.
    pub(super) fn sha512(digits: &str) -> Option<Self> {
        Self::of(digits, 128, Algorithm::Sha512(Sha512::new()))
    }

    fn of(digits: &str, length: usize, digest: Algorithm) -> Option<Self> {
        let is_one = digits.len() == length && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_one.then(|| Checksum { expected: digits.to_ascii_lowercase(), digest })
    }

    /// Returns the expected checksum, in lower-case hexadecimal digits.
    pub(super) fn expected(&self) -> &str {
        &self.expected
    }

    /// Returns the first digits of the expected checksum, which distinguish files with the same name.
    pub(super) fn beginning(&self) -> &str {
        &self.expected[..BEGINNING]
    }

    /// Adds received bytes to the digest.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        match &mut self.digest {
            Algorithm::Sha256(digest) => digest.update(bytes),
            Algorithm::Sha512(digest) => digest.update(bytes),
        }
    }

    /// Resets the digest, as if no bytes were received.
    pub(super) fn reset(&mut self) {
        match &mut self.digest {
            Algorithm::Sha256(digest) => digest.reset(),
            Algorithm::Sha512(digest) => digest.reset(),
        }
    }

    /// Returns the checksum of the received bytes if it differs from the expected checksum; `None` if the checksums are
    /// equal.
    pub(super) fn wrong_digest(&self) -> Option<String> {
        let computed = match self.digest.clone() {
            Algorithm::Sha256(digest) => format!("{:x}", digest.finalize()),
            Algorithm::Sha512(digest) => format!("{:x}", digest.finalize()),
        };
        (computed != self.expected).then_some(computed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_is_hexadecimal_digits_of_the_right_number() {
        let digits = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD";
        let mut checksum = Checksum::sha256(digits).unwrap();
        checksum.update(b"a");
        assert!(checksum.wrong_digest().is_some());
        checksum.reset();
        checksum.update(b"abc");
        assert_eq!(checksum.wrong_digest(), None);
        assert!(Checksum::sha512(&digits.repeat(2)).is_some());
        for wrong in ["", &digits[1..], &digits.replace('B', "/"), &digits.replace('B', "é"), &digits.repeat(2)] {
            assert!(Checksum::sha256(wrong).is_none(), "{wrong}");
        }
    }
}
