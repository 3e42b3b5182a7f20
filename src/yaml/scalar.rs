//! Chooses the style of one string: plain, quoted, or as a block.
//!
//! The choice is go-yaml's (go.yaml.in/yaml/v2 `stringv`, `yaml_emitter_analyze_scalar`), because kubectl, kustomize
//! and controller-gen read and write with it. If some YAML 1.2 reader would not read go-yaml's output back as the same
//! string (carriage returns, Unicode line separators, blocks that start with a blank), the string is double-quoted.

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

/// Chooses the style of the string `text`. `key` is true if `text` is a key of a mapping, and false if `text` is a
/// value.
pub(super) fn style(text: &str, key: bool) -> Style {
    if text.is_empty() {
        return Style::Double;
    }
    let facts = Facts::of(text);
    if facts.special {
        return Style::Double;
    }
    if text.contains('\n') {
        let block = !key && !facts.blank_at_end_of_line && !text.starts_with([' ', '\n']) && !text.ends_with("\n\n");
        return if block { Style::Literal } else { Style::Double };
    }
    if resolves(text) {
        return Style::Double;
    }
    if facts.indicator || text.starts_with(' ') || text.ends_with(' ') { Style::Single } else { Style::Plain }
}

/// The properties of a string that determine the string's style.
#[derive(Default)]
struct Facts {
    /// True if the string contains a character that is allowed only in double quotes.
    special: bool,
    /// True if YAML would read a part of the unquoted string as syntax.
    indicator: bool,
    blank_at_end_of_line: bool,
}

impl Facts {
    fn of(text: &str) -> Self {
        let mut facts = Facts { indicator: text.starts_with("---") || text.starts_with("..."), ..Facts::default() };
        let mut before = ' ';
        let mut characters = text.chars().peekable();
        let mut first = true;
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            let blank_follows = next.is_none_or(|next| matches!(next, ' ' | '\n'));
            facts.indicator |= match character {
                '#' => matches!(before, ' ' | '\n'),
                ':' => blank_follows,
                ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => first,
                '?' | '-' => first && blank_follows,
                _ => false,
            };
            facts.special |= !printable(character);
            facts.blank_at_end_of_line |= character == ' ' && next.is_none_or(|next| next == '\n');
            before = character;
            first = false;
        }
        facts
    }
}

/// Returns true if a character is allowed outside of double quotes.
pub(super) fn printable(character: char) -> bool {
    match character {
        '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        // go-yaml escapes characters beyond the basic plane.
        '\n' | ' '..='~' | '\u{a0}'..='\u{ffff}' => true,
        _ => false,
    }
}

/// Returns true if a parser of YAML 1.1 or 1.2 would not read the unquoted text as a string.
fn resolves(text: &str) -> bool {
    const WORDS: [&str; 15] =
        ["y", "yes", "true", "on", "n", "no", "false", "off", "null", ".nan", ".inf", "+.inf", "-.inf", "~", "<<"];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)) || text == "=" || numeric(text) || timestamp(text)
}

/// Returns true if a YAML parser could read the text as a number, so that it must be quoted as a string. More quotes
/// than go-yaml writes are harmless, but a missing quote would make the string a number.
fn numeric(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let plain = unsigned.replace('_', "");
    let Some(first) = plain.chars().next() else { return false };
    if !(first.is_ascii_digit() || first == '.') {
        return false;
    }
    for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)] {
        if let Some(digits) = plain.strip_prefix(prefix) {
            return !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
        }
    }
    plain.parse::<f64>().is_ok() || base_60(&plain)
}

/// Returns true for a text such as `12:30:45`, a number with base 60 in YAML 1.1 (go-yaml `isBase60Float`).
fn base_60(text: &str) -> bool {
    text.contains(':')
        && text.split(':').all(|part| {
            !part.is_empty() && part.chars().all(|character| character.is_ascii_digit() || character == '.')
        })
}

/// Returns true for a text that begins like a date, such as `2006-01-02`.
fn timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 8
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && bytes[4] == b'-'
        && bytes[5].is_ascii_digit()
        && text[6..].contains('-')
        && text.chars().all(|character| character.is_ascii_digit() || "-:.+TtZz ".contains(character))
}

#[cfg(test)]
mod tests {
    use super::{Style, style};

    #[test]
    fn styles() {
        for (text, expected) in [
            ("web", Style::Plain),
            ("example.com/v1", Style::Plain),
            ("a: b", Style::Single),
            ("a:b", Style::Plain),
            ("- a", Style::Single),
            ("-a", Style::Plain),
            ("*", Style::Single),
            ("a #b", Style::Single),
            ("a#b", Style::Plain),
            (" a", Style::Single),
            ("it's", Style::Plain),
            ("@at", Style::Single),
            ("---", Style::Single),
            ("", Style::Double),
            ("yes", Style::Double),
            ("On", Style::Double),
            ("y", Style::Double),
            ("null", Style::Double),
            ("~", Style::Double),
            ("1", Style::Double),
            ("-0.5e3", Style::Double),
            ("0x1F", Style::Double),
            ("0777", Style::Double),
            ("1_000", Style::Double),
            ("12:30:45", Style::Double),
            ("2024-01-02", Style::Double),
            ("2024-01-02T03:04:05Z", Style::Double),
            ("1.2.3", Style::Plain),
            ("v1", Style::Plain),
            ("a\tb", Style::Double),
            ("a\r\nb", Style::Double),
            ("\u{1f600}", Style::Double),
            ("ä", Style::Plain),
            ("a\nb", Style::Literal),
            ("a\nb\n", Style::Literal),
            ("a \nb", Style::Double),
            (" a\nb", Style::Double),
            ("a\n\n", Style::Double),
        ] {
            assert_eq!(style(text, false), expected, "{text:?}");
        }
        assert_eq!(style("a\nb", true), Style::Double);
    }
}
