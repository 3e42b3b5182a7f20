//! Finds an example text for a pattern.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Returns a short text that matches the pattern and has at least `least` characters; `None` if opctl finds no text.
pub(super) fn example(pattern: &str, least: usize) -> Option<String> {
    let pattern = &as_rust(pattern);
    let parsed = regex_syntax::parse(pattern).ok()?;
    let matcher = regex::Regex::new(pattern).ok()?;
    (0..=least.max(2)).find_map(|more| {
        let mut text = String::new();
        write(&parsed, more, &mut text);
        (text.chars().count() >= least && matcher.is_match(&text)).then_some(text)
    })
}

/// Converts a Go pattern to a Rust pattern: escapes `[`, `&&`, `--` and `~~` within a character class, where these
/// characters have a special meaning only in Rust.
pub(super) fn as_rust(pattern: &str) -> String {
    let (mut rust, mut rest) = (String::new(), pattern.chars().peekable());
    let mut is_class = false;
    while let Some(one) = rest.next() {
        let next = rest.peek().copied();
        match one {
            '\\' => {
                rust.push(one);
                rust.extend(rest.next());
                continue;
            }
            '[' if is_class && next != Some(':') => rust.push('\\'),
            '[' if is_class => {
                // `[:alpha:]`
                rust.push(one);
                rust.extend(rest.by_ref().take_while(|one| *one != ']'));
                rust.push(']');
                continue;
            }
            '[' => {
                is_class = true;
                rust.push(one);
                rust.extend(rest.next_if_eq(&'^'));
                // A `]` that comes first is a character.
                rust.extend(rest.next_if_eq(&']').map(|_| "\\]").into_iter().flat_map(str::chars));
                continue;
            }
            ']' => is_class = false,
            '&' | '-' | '~' if is_class && next == Some(one) => rust.push('\\'),
            _ => {}
        }
        rust.push(one);
    }
    rust
}

/// Appends a text that matches `part` to `text`, with each repetition `more` times beyond its minimum.
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

/// Returns a character of the class, if possible an easily readable character.
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
    fn classes_are_those_of_go() {
        for (go, rust) in [
            ("^[a-z]+$", "^[a-z]+$"),
            (r"[\w#[\]@]\.[a]", r"[\w#\[\]@]\.[a]"),
            ("[[:alpha:][]", r"[[:alpha:]\[]"),
            ("[]a][^]b]", r"[\]a][^\]b]"),
            ("[a&&b--c~~]&&", r"[a\&&b\--c\~~]&&"),
        ] {
            assert_eq!(as_rust(go), rust);
            assert!(regex::Regex::new(rust).is_ok(), "{rust}");
        }
    }

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
