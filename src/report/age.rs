//! Formats durations: ages in their largest unit, as kubectl shows them, and estimates.

use indicatif::HumanDuration;
use std::time::Duration;

/// Formats a duration in its largest unit, such as `3d`.
pub fn age(duration: Duration) -> String {
    format!("{:#}", HumanDuration(duration))
}

/// Formats an estimated duration, rounded up, such as `40 s` or `3 min`.
pub fn format_estimate(duration: Duration) -> String {
    let seconds = duration.as_secs().max(1);
    if seconds > 90 { format!("{} min", seconds.div_ceil(60)) } else { format!("{} s", seconds.next_multiple_of(10)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_short() {
        for (seconds, expected) in [(0, "0s"), (59, "59s"), (600, "10m"), (7200, "2h"), (3 * 86_400, "3d")] {
            assert_eq!(age(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn estimates_are_round() {
        for (seconds, expected) in [(0, "10 s"), (41, "50 s"), (90, "90 s"), (91, "2 min"), (121, "3 min")] {
            assert_eq!(format_estimate(Duration::from_secs(seconds)), expected);
        }
    }
}
