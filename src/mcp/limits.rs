//! The sizes and times of a call.

use std::time::Duration;

/// The time for which an operator runs, and logs are followed, if a call does not say another.
const WATCHED: Duration = Duration::from_secs(20);
/// The time of any other command: a first compilation takes minutes.
const LONGEST: Duration = Duration::from_secs(60 * 60);
/// The maximum number of bytes of a command's output: a report of a project with hundreds of kinds fits.
pub(super) const OUTPUT: usize = 8 << 20;
/// The maximum number of bytes of a text that is shown to an agent.
pub(super) const TEXT: usize = 64 << 10;
/// The maximum number of bytes of an argument's value: Linux takes 128 KiB as a word of a command line.
pub(super) const VALUE: usize = 64 << 10;
/// The time for a command to end after it was asked to.
pub(super) const GRACE: Duration = Duration::from_secs(30);

/// The maximum of the argument `seconds`.
pub(super) const MAXIMUM_SECONDS: u64 = LONGEST.as_secs();

/// Returns the time for a command.
pub(super) fn time(command: &str, seconds: Option<u64>) -> Duration {
    match seconds {
        Some(seconds) => Duration::from_secs(seconds),
        None if ["logs", "run"].contains(&command) => WATCHED,
        None => LONGEST,
    }
}

/// Returns the text with its middle left out where it is longer than [`TEXT`].
pub(super) fn clipped(text: &str) -> String {
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
        assert_eq!(clipped("a"), "a");
        let long = format!("begin{}end", "ä".repeat(TEXT));
        let short = clipped(&long);
        assert!(short.starts_with("beginä") && short.ends_with("äend"), "{}", short.len());
        assert!(short.contains(" bytes are left out …]") && short.len() < TEXT + 100);
    }
}
