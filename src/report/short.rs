//! Shortens texts from outside of opctl for tables.

use crate::visible::visible_line;

/// Returns a text as one line of at most `width` characters, with escaped hidden characters.
pub fn shortened(text: &str, width: usize) -> String {
    clipped(&text.split_whitespace().collect::<Vec<_>>().join(" "), width)
}

/// Returns the start of a line, at most `width` characters, with escaped hidden characters.
pub fn clipped(line: &str, width: usize) -> String {
    let line = visible_line(line).into_owned();
    if line.chars().count() <= width {
        return line;
    }
    line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Shortens a line to `width` characters by removing its middle, because a chain of errors ends with the root cause.
pub fn cut_in_the_middle(line: &str, width: usize) -> String {
    let line = visible_line(line).into_owned();
    let letters: Vec<char> = line.chars().collect();
    if letters.len() <= width {
        return line;
    }
    let head = width / 3;
    let tail = width.saturating_sub(head + 1);
    letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_short_line_without_commands_for_the_terminal() {
        assert_eq!(shortened("a\nb\t c", 9), "a b c");
        assert_eq!(shortened("\u{1b}[2Jgröße", 9), "\\u{1b}[2…");
        assert_eq!(shortened("größer", 4), "grö…");
        assert_eq!(clipped("  a   b\u{7}c", 7), "  a   …");
        assert_eq!(clipped("  a   b", 7), "  a   b");
        assert_eq!(cut_in_the_middle("0123456789", 6), "01…789");
    }
}
