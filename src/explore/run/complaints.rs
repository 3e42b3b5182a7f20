//! The warnings and errors that an operator logs even in runs without a fault. They are shown, but are not
//! findings. They reveal an operator that never works, which a comparison of runs cannot find.

use crate::explore::server::operator::Line;
use crate::report::clipped;
use std::collections::BTreeMap;

/// The maximum number of log lines that are shown.
const MOST: usize = 3;
const WIDTH: usize = 300;
/// The names of the log levels that the libraries tracing, log, logr and slog write into a line.
const LEVELS: [&str; 7] = ["trace", "debug", "info", "warn", "warning", "error", "fatal"];
const LOUD: [&str; 4] = ["warn", "warning", "error", "fatal"];

/// Returns the warnings and errors that both logs contain, each once. Lines that differ only in digits are equal.
pub fn complaints(first: &[Line], second: &[Line]) -> Vec<String> {
    let of = |log: &[Line]| -> BTreeMap<String, (usize, String)> {
        let mut found = BTreeMap::new();
        let loud = log.iter().enumerate().filter(|(_, (_, line))| is_loud(line));
        for (index, (_, line)) in loud {
            let kind: String = line.chars().filter(|letter| !letter.is_ascii_digit()).collect();
            found.entry(kind).or_insert_with(|| (index, clipped(line, WIDTH)));
        }
        found
    };
    let others = of(second);
    let mut both: Vec<_> = of(first).into_iter().filter(|(kind, _)| others.contains_key(kind)).collect();
    both.sort_by_key(|(_, (index, _))| *index);
    both.into_iter().take(MOST).map(|(_, (_, line))| line).collect()
}

/// Returns true if the first log level in the line is a warning or an error.
fn is_loud(line: &str) -> bool {
    let words = line.split(|letter: char| !letter.is_ascii_alphabetic()).map(str::to_ascii_lowercase);
    let level = words.into_iter().find(|word| LEVELS.contains(&word.as_str()));
    level.is_some_and(|level| LOUD.contains(&level.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn warnings_and_errors_of_both_runs_are_shown_once() {
        let log =
            |lines: &[&str]| -> Vec<Line> { lines.iter().map(|line| (Duration::ZERO, (*line).to_owned())).collect() };
        let first = log(&[
            "2026-11-25T12:00:01.185446Z  INFO run: an error is possible",
            "2026-11-25T12:00:02.185446Z  WARN run: explore-1: no such bucket",
            "2026-11-25T12:00:09.185446Z  WARN run: explore-1: no such bucket",
            "{\"timestamp\":\"2026-11-25T12:00:09Z\",\"level\":\"error\",\"msg\":\"slow\"}",
        ]);
        let second = log(&["2026-11-25T12:00:05.285449Z  WARN run: explore-2: no such bucket"]);
        assert_eq!(complaints(&first, &second), ["2026-11-25T12:00:02.185446Z  WARN run: explore-1: no such bucket"]);
        assert_eq!(complaints(&first, &first).len(), 2);
        assert_eq!(complaints(&first, &[]), [""; 0]);
    }
}
