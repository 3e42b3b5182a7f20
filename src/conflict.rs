//! Conflict markers of git: finds them, names both sides of a conflict, and extracts the text of each side.
//!
//! A conflict is `<<<<<<<`, `=======` and `>>>>>>>` at the starts of lines, in that order; with git's
//! `merge.conflictStyle` `diff3` or `zdiff3` also `|||||||` before the `=======`. A line of `=======` alone is no
//! conflict: Markdown has it below headings.

use crate::syntax;
use crate::{Error, Result};
use std::path::Path;

/// The two sides of a text with git conflict markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The line of the first conflict, counted from 1.
    pub line: usize,
    /// The text of the checked-out side.
    pub ours: String,
    /// The text of the side that was merged, rebased or cherry-picked.
    pub theirs: String,
    /// The names of the two sides in the conflict markers: first the name of `ours`, then the name of `theirs`.
    pub names: (String, String),
    /// The text of the common ancestor of both sides; `None` if the markers of a conflict do not contain it.
    pub base: Option<String>,
}

/// A part of a text: either a conflict, or text outside of conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Segment<'a> {
    Common(&'a str),
    Conflict { line: usize, ours: &'a str, base: Option<&'a str>, theirs: &'a str },
}

/// Checks that a text has no conflict markers.
///
/// # Errors
/// Fails if the text has conflict markers. The error names the file, the line and the fix.
pub fn check(path: &str, text: &str) -> Result<()> {
    match line_of(path, text) {
        None => Ok(()),
        Some(line) => Err(Error::conflict(format!("`{path}` has git conflict markers at line {line}"))
            .caused_by("a merge, a rebase or a cherry-pick left the conflict markers in the file")
            .hint(
                "opctl resolve    # merges the files that opctl generates, and lists the conflicts that you must \
                   resolve",
            )),
    }
}

/// Returns the error for conflict markers in a text that could not be read, or `otherwise` if the text has no markers.
pub fn or(path: &str, text: &str, otherwise: Error) -> Error {
    check(path, text).err().unwrap_or(otherwise)
}

/// Returns the line of the first conflict, counted from 1, as [`lines_of`] finds it; `None` if the text has no
/// conflict.
pub fn line_of(path: &str, text: &str) -> Option<usize> {
    lines_of(path, text).first().copied()
}

/// Returns the line of each conflict, counted from 1. A Rust file that parses has no conflict, because its apparent
/// markers are inside a string.
pub fn lines_of(path: &str, text: &str) -> Vec<usize> {
    if !text.contains("<<<<<<<") {
        return Vec::new();
    }
    let line = |segment: Segment<'_>| if let Segment::Conflict { line, .. } = segment { Some(line) } else { None };
    let lines: Vec<usize> = segments(text).into_iter().filter_map(line).collect();
    let is_rust = Path::new(path).extension().is_some_and(|extension| extension == "rs");
    if is_rust && !lines.is_empty() && syntax::parse_file(text).is_ok() { Vec::new() } else { lines }
}

/// Returns both sides of a text with conflicts, or `None` if the text has no conflict.
pub fn sides(text: &str) -> Option<Sides> {
    let segments = segments(text);
    let name_behind = |marker: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(marker)).unwrap_or_default();
        line.trim().to_owned()
    };
    let names = (name_behind("<<<<<<< "), name_behind(">>>>>>> "));
    let mut sides = Sides { line: 0, ours: String::new(), theirs: String::new(), names, base: Some(String::new()) };
    for segment in segments {
        let (ours, base, theirs) = match segment {
            Segment::Common(text) => (text, Some(text), text),
            Segment::Conflict { line, ours, base, theirs } => {
                sides.line = if sides.line == 0 { line } else { sides.line };
                (ours, base, theirs)
            }
        };
        sides.ours.push_str(ours);
        sides.theirs.push_str(theirs);
        sides.base = sides.base.zip(base).map(|(whole, base)| whole + base);
    }
    (sides.line > 0).then_some(sides)
}

/// Returns true if the text contains `line` exactly once, regardless of indentation, and not within a conflict.
pub fn stands_once(text: &str, line: &str) -> bool {
    let count = |text: &str| text.lines().filter(|own| own.trim() == line).count();
    let common = |segment: Segment<'_>| if let Segment::Common(text) = segment { count(text) } else { 0 };
    count(text) == 1 && segments(text).into_iter().map(common).sum::<usize>() == 1
}

/// An open conflict, before its end marker is found: its line, and the offsets of its parts.
#[derive(Clone, Copy)]
struct Open {
    line: usize,
    start: usize,
    ours: usize,
    base: Option<(usize, usize)>,
    theirs: Option<(usize, usize)>,
}

fn segments(text: &str) -> Vec<Segment<'_>> {
    let mut segments = Vec::new();
    let (mut done, mut offset) = (0, 0);
    let mut open: Option<Open> = None;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let (start, end) = (offset, offset + line.len());
        offset = end;
        match (marker(line), open.as_mut()) {
            (Some('<'), _) => open = Some(Open { line: number + 1, start, ours: end, base: None, theirs: None }),
            (Some('|'), Some(open)) if open.base.is_none() && open.theirs.is_none() => open.base = Some((start, end)),
            (Some('='), Some(open)) if open.theirs.is_none() => open.theirs = Some((start, end)),
            (Some('>'), Some(Open { line, start: first, ours, base, theirs: Some((middle, theirs)) })) => {
                segments.push(Segment::Common(&text[done..*first]));
                segments.push(Segment::Conflict {
                    line: *line,
                    ours: &text[*ours..base.map_or(*middle, |(before, _)| before)],
                    base: base.map(|(_, base)| &text[base..*middle]),
                    theirs: &text[*theirs..start],
                });
                done = end;
                open = None;
            }
            _ => {}
        }
    }
    segments.push(Segment::Common(&text[done..]));
    segments
}

/// Returns the character of the conflict marker `line`; `None` for any other line. A marker is this character seven
/// times, optionally followed by a blank and a name.
fn marker(line: &str) -> Option<char> {
    let line = line.trim_end_matches(['\n', '\r']);
    let first = line.chars().next().filter(|first| "<|=>".contains(*first))?;
    let rest = line.trim_start_matches(first);
    (line.len() - rest.len() == 7 && (rest.is_empty() || rest.starts_with(' '))).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> branch\nd\n";

    #[test]
    fn both_sides_are_taken_apart() {
        let sides = sides(TEXT).expect("a conflict");
        assert_eq!((sides.line, sides.ours.as_str(), sides.theirs.as_str()), (2, "a\nb\nd\n", "a\nc\nd\n"));
        assert_eq!(sides.base, None);
        assert_eq!(sides.names, ("HEAD".to_owned(), "branch".to_owned()));
    }

    #[test]
    fn the_base_is_taken_where_it_is_shown() {
        let text = "a\n<<<<<<< HEAD\nb\n||||||| 1234567\nx\n=======\nc\n>>>>>>> branch\nd\n";
        assert_eq!(sides(text).expect("a conflict").base.as_deref(), Some("a\nx\nd\n"));
        let mixed = format!("{text}{TEXT}");
        assert_eq!(sides(&mixed).expect("conflicts").base, None);
    }

    #[test]
    fn line_ends_stay_as_they_are() {
        let sides = sides(&TEXT.replace('\n', "\r\n")).expect("a conflict");
        assert_eq!((sides.ours.as_str(), sides.theirs.as_str()), ("a\r\nb\r\nd\r\n", "a\r\nc\r\nd\r\n"));
        assert_eq!(super::sides("<<<<<<< a\n=======\nb\n>>>>>>> c").expect("no last line end").ours, "");
    }

    #[test]
    fn text_that_only_resembles_conflict_markers_is_no_conflict() {
        for text in [
            "",
            "Heading\n=======\n\ntext\n",
            "<<<<<<< HEAD\na\n",
            "<<<<<<< HEAD\na\n=======\nb\n",
            "=======\n<<<<<<< a\n>>>>>>> b\n",
            " <<<<<<< a\n =======\n >>>>>>> b\n",
            "<<<<<<<< a\n========\n>>>>>>>> b\n",
            "<<<<<<<a\n=======\n>>>>>>>b\n",
        ] {
            assert_eq!(line_of("README.md", text), None, "{text:?}");
            assert_eq!(sides(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_string_in_rust_that_parses_is_none() {
        let text = format!("const HELP: &str = \"\n{TEXT}\";\n");
        assert_eq!(line_of("src/help.rs", &text), None);
        assert_eq!(line_of("src/help.txt", &text), Some(3));
        assert_eq!(line_of("src/main.rs", TEXT), Some(2));
    }

    #[test]
    fn an_open_conflict_before_a_whole_one_is_text() {
        let sides = sides(&format!("<<<<<<< x\n{TEXT}")).expect("a conflict");
        assert_eq!((sides.line, sides.ours.as_str()), (3, "<<<<<<< x\na\nb\nd\n"));
    }

    #[test]
    fn a_line_in_a_conflict_does_not_stand_once() {
        assert!(stands_once(TEXT, "a"));
        assert!(!stands_once(TEXT, "b"));
        assert!(!stands_once(&format!("{TEXT}a\n"), "a"));
    }

    #[test]
    fn the_error_names_file_and_line() {
        let error = check("PROJECT", TEXT).expect_err("a conflict");
        assert_eq!(error.message(), "`PROJECT` has git conflict markers at line 2");
        assert!(check("PROJECT", "a: b\n").is_ok());
    }
}
