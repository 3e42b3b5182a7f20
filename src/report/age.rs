//! Times as kubectl shows them: their age in the largest unit.

use indicatif::HumanDuration;
use std::time::Duration;

/// A duration in its largest unit, such as `3d`.
pub fn age(duration: Duration) -> String {
    format!("{:#}", HumanDuration(duration))
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
}
