//! Quotes words for a shell, in hints and next steps.

use crate::visible::is_hidden;

/// Returns the text as one word of a shell's command line, quoted if necessary.
///
/// If the text contains hidden characters or a backtick, writes it as `$'..'` with octal escapes. bash, zsh and POSIX
/// 2024 understand this form. A literal backtick would end a command that a message shows in backticks.
pub fn shell_word(text: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "@%_+=:,./-".contains(character);
    if text.contains(|character| is_hidden(character) || character == '`') {
        let escaped = text.chars().map(|character| match character {
            '\\' | '\'' => format!("\\{character}"),
            '`' => octal(character),
            hidden if is_hidden(hidden) => octal(hidden),
            other => other.to_string(),
        });
        format!("$'{}'", escaped.collect::<String>())
    } else if !text.is_empty() && text.chars().all(plain) && !text.starts_with('=') {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

fn octal(character: char) -> String {
    let mut bytes = [0; 4];
    let octals: Vec<String> = character.encode_utf8(&mut bytes).bytes().map(|byte| format!("\\{byte:03o}")).collect();
    octals.concat()
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn a_word_of_more_than_plain_characters_is_quoted() {
        for (text, expected) in [
            ("a/b-c", "a/b-c"),
            ("", "''"),
            ("my folder", "'my folder'"),
            ("it's", r"'it'\''s'"),
            ("=ls", "'=ls'"),
            ("$(touch x)", "'$(touch x)'"),
            ("größe", "'größe'"),
            ("a\nb", r"$'a\012b'"),
            ("it's\u{1b}\\", r"$'it\'s\033\\'"),
            ("`id`", r"$'\140id\140'"),
            ("\u{202e}", r"$'\342\200\256'"),
        ] {
            assert_eq!(shell_word(text), expected);
        }
    }
}
