//! Words of a text, by the characters that they consist of.

pub(super) fn is_identifier(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// A part of a DNS name, or of a file's name.
pub(super) fn is_label(character: char) -> bool {
    is_identifier(character) || character == '-'
}

/// Replaces words, which consist of the characters that `is_part` tells.
pub(super) fn with_words(line: &str, names: &[(String, String)], is_part: fn(char) -> bool) -> String {
    let (mut text, mut rest) = (String::with_capacity(line.len()), line);
    while !rest.is_empty() {
        let end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        text.push_str(names.iter().find(|(old, _)| old == word).map_or(word, |(_, new)| new));
        let next = after.find(is_part).unwrap_or(after.len());
        text.push_str(&after[..next]);
        rest = &after[next..];
    }
    text
}

/// Replaces a name that begins a label, or is one: `-`, `.` and `/` may follow it.
pub(super) fn with_token(line: &str, old: &str, new: &str) -> String {
    let (mut text, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(at) = rest.find(old) {
        let after = &rest[at + old.len()..];
        let before = rest[..at].chars().next_back().or(text.chars().next_back());
        let is_within = before.is_some_and(is_label) || after.starts_with(is_identifier);
        text.push_str(&rest[..at]);
        text.push_str(if is_within { old } else { new });
        rest = after;
    }
    text + rest
}
