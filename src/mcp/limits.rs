//! The limits of an MCP tool call: sizes and times.

use std::time::Duration;

/// The default time limit for commands that run an operator or follow logs.
const WATCHED: Duration = Duration::from_secs(20);
/// The default time limit for all other commands. It is long, because a first compilation takes minutes.
const LONGEST: Duration = Duration::from_secs(60 * 60);
/// The maximum number of bytes to keep of a command's output: enough for a report about hundreds of kinds.
pub(super) const OUTPUT: usize = 8 << 20;
/// The maximum number of bytes of a text that an agent receives.
pub(super) const TEXT: usize = 64 << 10;
/// The maximum number of bytes of an argument's value. Linux accepts 128 KiB for one word of a command line.
pub(super) const VALUE: usize = 64 << 10;
/// The time that a command has to end after an interrupt.
pub(super) const GRACE: Duration = Duration::from_secs(30);

/// The maximum value of the argument `seconds`.
pub(super) const MAXIMUM_SECONDS: u64 = LONGEST.as_secs();

/// Returns the time limit for `command`: `seconds` if the call sets it, otherwise the default for the command.
pub(super) fn time(command: &str, seconds: Option<u64>) -> Duration {
    match seconds {
        Some(seconds) => Duration::from_secs(seconds),
        None if ["logs", "run"].contains(&command) => WATCHED,
        None => LONGEST,
    }
}

/// Returns the text, with its middle omitted if the text is longer than [`TEXT`].
pub(super) fn clip_text(text: &str) -> String {
    if text.len() <= TEXT {
        return text.to_owned();
    }
    let is_between = |at: &usize| text.is_char_boundary(*at);
    let head = (0..=TEXT / 2).rev().find(is_between).unwrap_or(0);
    let tail = (text.len() - TEXT / 2..text.len()).find(is_between).unwrap_or(text.len());
    format!("{}\n[… {} bytes are left out …]\n{}", &text[..head], tail - head, &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_its_ends() {
        assert_eq!(clip_text("a"), "a");
        let long = format!("begin{}end", "ä".repeat(TEXT));
        let short = clip_text(&long);
        assert!(short.starts_with("beginä") && short.ends_with("äend"), "{}", short.len());
        assert!(short.contains(" bytes are left out …]") && short.len() < TEXT + 100);
    }
}
