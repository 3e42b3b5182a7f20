//! Texts that stand in comments of generated files.

/// Returns true if `text` can stand in a comment of a file: one line of text, of at most 200 bytes, that is not empty.
pub fn is_one_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= 200 && !text.chars().any(char::is_control)
}
