//! Wraps text into lines that fit a terminal.

/// The assumed width of a terminal, in columns.
pub const WIDTH: usize = 80;

/// Splits the text into lines of at most `width` characters, and breaks words that are longer.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let mut word = word;
        while let Some((end, _)) = word.char_indices().nth(width) {
            lines.push(word[..end].to_owned());
            word = &word[end..];
        }
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}
