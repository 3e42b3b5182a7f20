//! Adds and removes lines in files, such as `.gitignore`, in which the order of the lines does not matter.

use std::ops::Range;

/// Appends the lines of `wanted` that `text` lacks. Appends a comment in `wanted` only if the line below the comment is
/// appended as well.
pub fn ensure_lines(text: &str, wanted: &str) -> String {
    let has = |line: &str| text.lines().any(|own| own.trim().trim_matches('/') == line.trim().trim_matches('/'));
    let mut missing: Vec<&str> = Vec::new();
    let mut comment: Vec<&str> = Vec::new();
    for line in wanted.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            comment.push(line);
        } else if has(line) {
            comment.clear();
        } else {
            missing.append(&mut comment);
            missing.push(line);
        }
    }
    if missing.is_empty() {
        return text.to_owned();
    }
    let mut edited = text.to_owned();
    if !edited.is_empty() && !edited.ends_with('\n') {
        edited.push('\n');
    }
    for line in missing {
        edited.push_str(line);
        edited.push('\n');
    }
    edited
}

/// Removes the lines that equal `unwanted`, regardless of indentation.
pub fn remove_line(text: &str, unwanted: &str) -> String {
    text.split_inclusive('\n').filter(|line| line.trim() != unwanted.trim()).collect()
}

/// The error that a line still names a path after the entry with that path was removed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line `{line}` still names the removed path")]
pub struct StillNamed {
    /// The line that still names the path, without its indentation.
    pub line: String,
}

/// Returns the range of `lines` that equals the lines of `fragment`, regardless of indentation; `None` if there is no
/// such range, or if `fragment` is empty.
pub(super) fn place_of(fragment: &str, lines: &[&str]) -> Option<Range<usize>> {
    let wanted: Vec<&str> = fragment.lines().map(str::trim).collect();
    let stands_at = |window: &[&str]| window.iter().zip(&wanted).all(|(line, wanted)| line.trim() == *wanted);
    let first = if wanted.is_empty() { None } else { lines.windows(wanted.len()).position(stands_at) }?;
    Some(first..first + wanted.len())
}

/// Removes from `text` each list entry whose lines equal the lines of `fragment`, ignoring indentation. `path` is the
/// path that the entry contains.
///
/// # Errors
/// Fails if a remaining line still names `path`, for example in quotes or in a list on one line: only the user can tell
/// which lines belong to the entry in this form.
pub fn remove_entry(text: &str, fragment: &str, path: &str) -> Result<String, StillNamed> {
    let mut rest: Vec<&str> = text.split_inclusive('\n').collect();
    while let Some(place) = place_of(fragment, &rest) {
        rest.drain(place);
    }
    let names = |line: &&&str| {
        let code = line.split(" #").next().unwrap_or_default().trim();
        let named = |word: &str| word.trim_matches(['"', '\'', ',']).trim_end_matches('/') == path;
        !code.starts_with('#') && code.split([' ', '[', ']', '{', '}']).any(named)
    };
    match rest.iter().find(names) {
        Some(line) => Err(StillNamed { line: line.trim().to_owned() }),
        None => Ok(rest.concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_missing_lines_are_added() {
        let wanted = "# Build\n/target/\n# opctl\n.opctl/lock\n";
        assert_eq!(ensure_lines("", wanted), wanted);
        assert_eq!(ensure_lines("target", wanted), "target\n# opctl\n.opctl/lock\n");
        assert_eq!(ensure_lines(wanted, wanted), wanted);
    }

    #[test]
    fn a_line_is_removed_wherever_it_stands() {
        assert_eq!(remove_line("resources:\n  - a.yaml\n- b.yaml\n", "- a.yaml"), "resources:\n- b.yaml\n");
        assert_eq!(remove_line("- b.yaml", "- a.yaml"), "- b.yaml");
    }

    #[test]
    fn an_entry_goes_with_all_its_lines() {
        let text = "patches:\n  - path: p.yaml\n    target:\n      kind: X\n  - path: q.yaml\n# p.yaml\n";
        let rest = remove_entry(text, "- path: p.yaml\n  target:\n    kind: X", "p.yaml");
        assert_eq!(rest.as_deref(), Ok("patches:\n  - path: q.yaml\n# p.yaml\n"));
        assert_eq!(remove_entry("a: b", "- x", "x").as_deref(), Ok("a: b"));
    }

    #[test]
    fn an_entry_written_in_another_way_is_not_taken_for_gone() {
        for line in ["- \"../prometheus\"", "- ../prometheus/", "resources: [../crd, ../prometheus]"] {
            let left = remove_entry(&format!("a:\n{line}\n"), "- ../prometheus", "../prometheus");
            assert_eq!(left.expect_err(line).line, line);
        }
    }
}
