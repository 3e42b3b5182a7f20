//! Finds an example text for a pattern.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Returns a short text that matches the pattern and has at least `least` characters; `None` if none was found.
pub(super) fn example(pattern: &str, least: usize) -> Option<String> {
    let parsed = regex_syntax::parse(pattern).ok()?;
    let matcher = regex::Regex::new(pattern).ok()?;
    (0..=least.max(2)).find_map(|more| {
        let mut text = String::new();
        write(&parsed, more, &mut text);
        (text.chars().count() >= least && matcher.is_match(&text)).then_some(text)
    })
}

/// Writes a text that matches `part`, with each repetition `more` times beyond its minimum.
fn write(part: &Hir, more: usize, text: &mut String) {
    match part.kind() {
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.extend(character(class)),
        HirKind::Repetition(repetition) => {
            let (min, max) = (repetition.min as usize, repetition.max.map_or(usize::MAX, |max| max as usize));
            for _ in 0..min.saturating_add(more).min(max) {
                write(&repetition.sub, more, text);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, more, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, more, text)),
        HirKind::Alternation(parts) => parts.iter().take(1).for_each(|part| write(part, more, text)),
        HirKind::Empty | HirKind::Look(_) => {}
    }
}

/// Returns a character of the class, if possible one that is easy to read.
fn character(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let has = |wanted: char| class.ranges().iter().any(|range| range.start() <= wanted && wanted <= range.end());
    let easy = ['a', 'A', '1', '0', '-'].into_iter().find(|wanted| has(*wanted));
    easy.or_else(|| class.ranges().first().map(regex_syntax::hir::ClassUnicodeRange::start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_match() {
        for (pattern, least, expected) in [
            ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", 0, "a"),
            ("^v[0-9]+\\.[0-9]+$", 0, "v1.1"),
            ("^(daily|weekly)$", 0, "daily"),
            ("^[a-z]+$", 5, "aaaaa"),
            ("s3://", 0, "s3://"),
            ("^$|^[a-z]{3}$", 3, ""),
        ] {
            let found = example(pattern, least).unwrap_or_default();
            assert_eq!(found, expected, "{pattern}");
        }
    }
}
