//! Escapes characters in untrusted text that control the terminal or are invisible, before opctl shows the text.

use std::borrow::Cow;

/// Returns true for a character that is invisible or that changes the display of the text around it: control
/// characters, marks that reorder text, characters without a width, and line separators other than `\n`.
pub fn is_hidden(character: char) -> bool {
    let other_default_ignorable = matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}');
    character.is_control()
        || is_directional(character)
        || other_default_ignorable
        || matches!(character, '\u{200b}'..='\u{200d}' | '\u{2028}'..='\u{2029}' | '\u{2060}'..='\u{206f}')
}

/// Returns true for a mark that changes the direction of the text around it.
fn is_directional(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes hidden characters, as in `\u{1b}`. Line ends and tabs stay unchanged.
pub fn visible(text: &str) -> Cow<'_, str> {
    written_out(text, |character| is_hidden(character) && !matches!(character, '\n' | '\t'))
}

/// Escapes hidden characters, as in `\u{1b}`, and line ends, so that the text is a single line.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    written_out(text, |character| is_hidden(character) && character != '\t')
}

/// Escapes hidden characters for an HTML page, except for the zero-width joiners, which many languages need.
pub fn visible_in_page(text: &str) -> Cow<'_, str> {
    written_out(text, |character| is_hidden(character) && !matches!(character, '\n' | '\t' | '\u{200c}' | '\u{200d}'))
}

/// Escapes hidden characters like [`visible`], but keeps colour and style sequences: `ESC [`, digits and `;`, then `m`.
pub fn visible_with_colors(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        shown.push_str(&visible(&rest[..at]));
        let length = style_at_start(&rest[at..]);
        match length {
            Some(length) => shown.push_str(&rest[at..at + length]),
            None => shown.push_str(&visible("\u{1b}")),
        }
        rest = &rest[at + length.unwrap_or(1)..];
    }
    shown.push_str(&visible(rest));
    shown
}

/// Returns the length of the escape sequence at the start of the text, if the sequence only sets a colour or a style.
fn style_at_start(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|character: char| !character.is_ascii_digit() && character != ';')?;
    parameters[end..].starts_with('m').then_some("\u{1b}[".len() + end + 1)
}

/// Escapes the hidden characters in a JSON document, as in `\u202e`, without changing its data: hidden characters other
/// than line ends can only occur in strings.
pub fn visible_in_json(json: &str) -> Cow<'_, str> {
    let hides = |character: char| is_hidden(character) && character != '\n';
    if !json.contains(hides) {
        return Cow::Borrowed(json);
    }
    let mut shown = String::with_capacity(json.len());
    for character in json.chars() {
        if hides(character) {
            let mut units = [0; 2];
            character.encode_utf16(&mut units).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

fn written_out(text: &str, hides: impl Fn(char) -> bool) -> Cow<'_, str> {
    // The line end of some systems has two characters.
    let text = if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) };
    if !text.contains(&hides) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' if hides('\n') => shown.push_str("\\n"),
            other if hides(other) => shown.extend(other.escape_unicode()),
            other => shown.push(other),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_invisible_characters_are_escaped() {
        for (text, expected) in [
            ("größe ✓ 名前 e\u{301} ❤\u{fe0f}", "größe ✓ 名前 e\u{301} ❤\u{fe0f}"),
            ("exa\u{1b}[31mmple.com", "exa\\u{1b}[31mmple.com"),
            ("\u{1b}]0;EVIL\u{7}", "\\u{1b}]0;EVIL\\u{7}"),
            ("a\u{9b}31mb\u{7f}\0", "a\\u{9b}31mb\\u{7f}\\u{0}"),
            ("\u{202e}a\u{2069}\u{200f}\u{61c}", "\\u{202e}a\\u{2069}\\u{200f}\\u{61c}"),
            ("a\u{200b}b\u{feff}\u{2028}\u{e0041}", "a\\u{200b}b\\u{feff}\\u{2028}\\u{e0041}"),
            ("a\n\tb\r\nc\rd", "a\n\tb\nc\\u{d}d"),
        ] {
            assert_eq!(visible(text), expected);
        }
        assert_eq!(visible_line("a\nb\tc"), "a\\nb\tc");
        assert_eq!(visible_in_page("می\u{200c}خواهم\u{202e}"), "می\u{200c}خواهم\\u{202e}");
    }

    #[test]
    fn only_colours_of_other_programs_are_left() {
        for (text, expected) in [
            (
                "\u{1b}[1m\u{1b}[38;5;9merror\u{1b}[0m: a\n\u{1b}[m",
                "\u{1b}[1m\u{1b}[38;5;9merror\u{1b}[0m: a\n\u{1b}[m",
            ),
            ("\u{1b}[2Ja\u{1b}[31", "\\u{1b}[2Ja\\u{1b}[31"),
            ("\u{1b}\u{1b}[31m\u{1b}]0;x\u{7}", "\\u{1b}\u{1b}[31m\\u{1b}]0;x\\u{7}"),
            ("\u{1b}[?31m\u{9b}31m", "\\u{1b}[?31m\\u{9b}31m"),
        ] {
            assert_eq!(visible_with_colors(text), expected);
        }
    }

    #[test]
    fn json_stays_the_same_data() {
        let data = serde_json::json!({"a\u{7f}": "\u{9b}\u{202e}\u{1b}\n\u{e0041}ö", "b": ["\u{2028}"]});
        for text in [data.to_string(), serde_json::to_string_pretty(&data).unwrap()] {
            let shown = visible_in_json(&text);
            assert!(!shown.chars().any(|character| is_hidden(character) && character != '\n'), "{shown}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), data);
        }
    }
}
