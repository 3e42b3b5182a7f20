//! Durations as Go writes them (`ParseDuration` in its package `time`).

use std::time::Duration;

/// The longest duration in Go: 2⁶³ nanoseconds, which are 292 years.
const LONGEST: Duration = Duration::from_nanos(i64::MAX as u64);

/// Parses a duration in Go's format: numbers with units, such as `1m30s` or `1.5h`, or `0`. Unlike
/// `kube::core::Duration`, returns `None` for a duration that is too long.
pub fn parse(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let unit = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let number: f64 = rest[..unit].parse().ok()?;
        rest = &rest[unit..];
        let end = rest.find(|letter: char| letter.is_ascii_digit() || letter == '.').unwrap_or(rest.len());
        let factor = match &rest[..end] {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "us" | "µs" | "μs" => 1e-6,
            "ns" => 1e-9,
            _ => return None,
        };
        seconds += number * factor;
        rest = &rest[end..];
    }
    if text.is_empty() {
        None
    } else {
        Duration::try_from_secs_f64(seconds).ok().filter(|duration| *duration <= LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_reads_them() {
        for (text, milliseconds) in [("20s", 20_000), ("1m30s", 90_000), ("1.5s", 1500), ("250ms", 250), ("0", 0)] {
            assert_eq!(parse(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "20", "s", "1x", "-1s", "1m30", "2562048h", "99999999999999999999h", "1e400s"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
