//! The warnings and errors that an operator logs although there is no fault. They are shown and not judged: an operator
//! that never works also never differs from itself.

use super::operator::Line;
use crate::report::clipped;
use std::collections::BTreeMap;

/// The maximum number of lines that are shown.
const MOST: usize = 3;
const WIDTH: usize = 300;

/// Returns the first line of each kind of warning and error that both logs have; numbers and times do not count.
pub(super) fn complaints(first: &[Line], second: &[Line]) -> Vec<String> {
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

/// Returns true for a line of the levels of warnings and errors, as tracing, log, logr and slog write them.
fn is_loud(line: &str) -> bool {
    let mut words = line.split(|letter: char| !letter.is_ascii_alphabetic());
    words.by_ref().take(12).any(|word| ["ERROR", "WARN", "error", "warn", "Error"].contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_both_runs_log_is_shown_once() {
        let log =
            |lines: &[&str]| -> Vec<Line> { lines.iter().map(|line| (Duration::ZERO, (*line).to_owned())).collect() };
        let first = log(&[
            "12:00:01 INFO started, an error is possible in a long sentence that goes on and on and on until here",
            "12:00:02 WARN explore-1: no such bucket",
            "12:00:09 WARN explore-1: no such bucket",
            "{\"level\":\"error\",\"msg\":\"slow\"}",
        ]);
        let second = log(&["12:00:05 WARN explore-2: no such bucket"]);
        assert_eq!(complaints(&first, &second), ["12:00:02 WARN explore-1: no such bucket"]);
        assert_eq!(complaints(&first, &first).len(), 2);
        assert_eq!(complaints(&first, &[]), [""; 0]);
    }
}
