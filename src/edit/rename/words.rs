//! Replaces words in a line of text.

pub(super) fn is_identifier(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Returns true if `character` may be part of a DNS label, or of a file name without extension.
pub(super) fn is_label(character: char) -> bool {
    is_identifier(character) || character == '-'
}

/// Returns true if `after`, the text that follows a word, shows that the word is a YAML key: `after` is a colon, or
/// begins
/// with a colon and white space. Keys such as `image` and `operator` are ordinary words, and not names of the project.
fn is_value_of_key(after: &str) -> bool {
    after.strip_prefix(':').is_some_and(|value| value.is_empty() || value.starts_with(char::is_whitespace))
}

/// Replaces each whole word of `line` that is an old name in `names` with its new name. A word consists of characters
/// for which `is_part` returns true. YAML keys stay unchanged unless they begin with a capital letter.
pub(super) fn with_words(line: &str, names: &[(String, String)], is_part: fn(char) -> bool) -> String {
    let (mut text, mut rest) = (String::with_capacity(line.len()), line);
    while !rest.is_empty() {
        let end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let is_key = is_value_of_key(after) && !word.starts_with(char::is_uppercase);
        let new = names.iter().find(|(old, _)| old == word && !is_key);
        text.push_str(new.map_or(word, |(_, new)| new));
        let next = after.find(is_part).unwrap_or(after.len());
        text.push_str(&after[..next]);
        rest = &after[next..];
    }
    text
}

/// Replaces the name `old` with `new` where `old` is a whole word, or the start of a longer name that continues with
/// `-`, `.` or `/`. If `old` contains neither `.` nor `-`, it stays unchanged where it is a YAML key.
pub(super) fn with_token(line: &str, old: &str, new: &str) -> String {
    let (mut text, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(at) = rest.find(old) {
        let after = &rest[at + old.len()..];
        let before = rest[..at].chars().next_back().or(text.chars().next_back());
        let is_key = !old.contains(['.', '-']) && is_value_of_key(after);
        let is_within = before.is_some_and(is_label) || after.starts_with(is_identifier) || is_key;
        text.push_str(&rest[..at]);
        text.push_str(if is_within { old } else { new });
        rest = after;
    }
    text + rest
}
