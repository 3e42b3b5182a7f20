//! Checks texts that opctl writes into comments of generated files.

/// Returns true if `text` can be written in a comment of a file: one nonempty line of at most 200 bytes.
pub fn is_one_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= 200 && !text.chars().any(char::is_control)
}
