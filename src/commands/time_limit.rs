//! Parses time limits from the command line, in the format that kubectl accepts.

use crate::duration;
use std::time::Duration;

/// The maximum value of a time limit.
const DAY: Duration = Duration::from_secs(86_400);

/// Reads a time limit: a duration such as `20s` or `5m`, or a number of seconds.
pub(super) fn time_limit(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit())).map(Duration::from_secs);
    let limit = seconds.or_else(|| duration::parse(text));
    let limit = limit.ok_or("expected a duration such as `20s` or `5m`, or a number of seconds")?;
    if (Duration::from_secs(1)..=DAY).contains(&limit) {
        Ok(limit)
    } else {
        Err("it must be between `1s` and `24h`".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_durations_or_seconds() {
        for (text, seconds) in [("20s", 20), ("5m", 300), ("1h30m", 5400), ("60", 60), ("24h", 86_400)] {
            assert_eq!(time_limit(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in
            ["", "0", "0s", "-1", "+5", "1.5", "500ms", "25h", "86401", "5 m", "m", "1e3", "99999999999999999999"]
        {
            assert!(time_limit(text).is_err(), "{text}");
        }
    }
}
