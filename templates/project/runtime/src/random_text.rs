//! Random texts, for passwords.

use ring::rand::{SecureRandom, SystemRandom};

const CHARACTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Returns a text of random letters and digits, for a password or a token. Each character is one of
/// 62, so that a text of 32 characters has 190 bits of entropy.
///
/// # Panics
/// Panics if the operating system has no random numbers.
///
/// ```
/// assert_eq!(runtime::random_text(32).len(), 32);
/// ```
#[must_use]
pub fn random_text(length: usize) -> String {
    let (random, mut text) = (SystemRandom::new(), String::with_capacity(length));
    while text.len() < length {
        let mut byte = [0];
        let filled = random.fill(&mut byte);
        filled.expect("the operating system should provide random numbers");
        // 248 is the largest multiple of 62: with more, some characters would be more likely.
        if byte[0] < 248 {
            text.push(CHARACTERS[usize::from(byte[0]) % CHARACTERS.len()].into());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_character_is_as_likely_and_no_text_comes_twice() {
        let text = random_text(62 * 200);
        for character in CHARACTERS {
            let count = text.bytes().filter(|byte| byte == character).count();
            assert!(
                (100..300).contains(&count),
                "{count} of {}",
                char::from(*character)
            );
        }
        assert_ne!(random_text(32), random_text(32));
        assert_eq!(random_text(0), "");
    }
}
