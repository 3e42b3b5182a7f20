//! Shortens an operator's log: removes the spans of tracing, repeated lines, and the middle of long lines.

use crate::explore::server::operator::Line;
use crate::report::{clipped, cut_in_the_middle};
use std::collections::BTreeMap;

/// The maximum number of log lines that an error shows; [`WIDTH`] is the maximum number of characters of each line.
const LAST: usize = 3;
const WIDTH: usize = 400;
/// The maximum length of a line in which spans are searched.
const LONGEST: usize = 10_000;

/// Returns the last lines of the log, without repeated lines.
pub fn last_lines(log: &[Line]) -> Vec<String> {
    let (mut last, mut kinds): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (_, line) in log.iter().rev() {
        let kind = kind(line);
        if last.len() < LAST && !kinds.contains(&kind) {
            last.push(format!("operator: {}", short(line, WIDTH)));
            kinds.push(kind);
        }
    }
    last.reverse();
    last
}

/// Returns each different line with the time of its first occurrence and, if it is repeated, the number of occurrences.
pub fn distinct_lines<'l>(lines: impl Iterator<Item = &'l Line>) -> Vec<String> {
    let mut found: Vec<(&Line, usize)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines {
        let place = *places.entry(kind(&line.1)).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, count)) => *count += 1,
            None => found.push((line, 1)),
        }
    }
    let text = |((at, line), count): (&Line, usize)| match count {
        1 => format!("{:.3} {line}", at.as_secs_f64()),
        _ => format!("{:.3} {line} ({count} times)", at.as_secs_f64()),
    };
    found.into_iter().map(text).collect()
}

/// Returns the text of a log line without spans and digits. Lines with the same result count as repetitions.
fn kind(line: &str) -> String {
    without_spans(line).chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// Shortens a line to at most `width` characters: removes the spans first, and then the middle of the text.
pub fn short(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return clipped(line, width);
    }
    cut_in_the_middle(&without_spans(line), width)
}

/// Removes the spans of tracing from a line: `WARN reconciling object{name=a}: web: failed` becomes `WARN web: failed`.
fn without_spans(line: &str) -> String {
    if line.len() > LONGEST || line.trim_start().starts_with('{') {
        return line.to_owned();
    }
    let levels = ["TRACE ", "DEBUG ", "INFO ", "WARN ", "ERROR "];
    let level = levels.iter().filter_map(|level| Some(line.find(level)? + level.len())).min().unwrap_or_default();
    let (head, mut rest) = line.split_at(level);
    while let Some(after) = after_span(rest) {
        rest = after.trim_start();
    }
    format!("{head}{rest}")
}

/// Returns the text after a span such as `reconcile{name=a b={c}}:`; `None` if `text` does not begin with a span.
fn after_span(text: &str) -> Option<&str> {
    let begins = text.find('{')?;
    if text[..begins].contains([':', '"']) {
        return None;
    }
    let mut depth = 0_usize;
    for (index, letter) in text[begins..].char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text[begins + index + 1..].strip_prefix(':');
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn shortened_log_lines_keep_their_level_and_their_end() {
        let long = "x".repeat(60);
        for (line, width, expected) in [
            ("WARN run{a=1}: web: failed", 40, "WARN run{a=1}: web: failed"),
            ("2026 WARN run{a=1 b={c}}:pass{d=2}: web: failed", 40, "2026 WARN web: failed"),
            ("WARN web: a long text {a}: b", 12, "WARN… {a}: b"),
            ("WARN open{a: this is long", 12, "WARN…is long"),
            ("{\"a\": {\"b\": 1}}", 9, "{\"a…: 1}}"),
        ] {
            assert_eq!(short(line, width), expected);
        }
        assert!(short(&format!("WARN {long} the cause"), 40).ends_with("the cause"));
    }

    #[test]
    fn equal_lines_are_counted() {
        let line = |second, text: &str| (Duration::from_secs(second), text.to_owned());
        let log = [line(1, "WARN run{id=1}: no class 7"), line(2, "INFO made"), line(3, "WARN run{id=2}: no class 8")];
        assert_eq!(distinct_lines(log.iter()), ["1.000 WARN run{id=1}: no class 7 (2 times)", "2.000 INFO made"]);
        assert_eq!(last_lines(&log), ["operator: INFO made", "operator: WARN run{id=2}: no class 8"]);
    }
}
