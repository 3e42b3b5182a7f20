//! Quotes words for a shell, in hints and next steps.

/// Returns the text as one word of a shell's command line, quoted if it has to be.
pub fn shell_word(text: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "@%_+=:,./-".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn a_word_of_more_than_plain_characters_is_quoted() {
        for (text, expected) in [("a/b-c", "a/b-c"), ("", "''"), ("my folder", "'my folder'"), ("it's", r"'it'\''s'")] {
            assert_eq!(shell_word(text), expected);
        }
    }
}
