//! Edits the fragments above a scaffold marker, such as `// +opctl:scaffold:controllers`.

use super::MissingMarker;

/// Inserts `fragment` above the line that equals `marker`, with the marker's indentation. Returns the text unchanged if
/// it already has the fragment's lines one below the other, whatever their indentation.
pub fn insert_at_marker(text: &str, marker: &str, fragment: &str) -> Result<String, MissingMarker> {
    let lines: Vec<&str> = text.lines().collect();
    let wanted: Vec<&str> = fragment.lines().map(str::trim).collect();
    let stands_at = |window: &[&str]| window.iter().zip(&wanted).all(|(line, wanted)| line.trim() == *wanted);
    if !wanted.is_empty() && lines.windows(wanted.len()).any(stands_at) {
        return Ok(text.to_owned());
    }
    let Some(position) = lines.iter().position(|line| line.trim() == marker) else {
        return Err(MissingMarker { marker: marker.to_owned() });
    };
    let indent: String = lines[position].chars().take_while(|character| character.is_whitespace()).collect();
    let mut edited = String::with_capacity(text.len() + fragment.len());
    for (number, line) in lines.iter().enumerate() {
        if number == position {
            for inserted in fragment.lines() {
                if !inserted.is_empty() {
                    edited.push_str(&indent);
                }
                edited.push_str(inserted);
                edited.push('\n');
            }
        }
        edited.push_str(line);
        edited.push('\n');
    }
    Ok(edited)
}

/// Removes the `fragment` if it has the indentation of its marker; with another indentation, a person put it there.
pub fn remove_at_marker(text: &str, marker: &str, fragment: &str) -> String {
    let Some(line) = text.lines().find(|line| line.trim() == marker) else { return text.to_owned() };
    let indent = &line[..line.len() - line.trim_start().len()];
    let mut inserted = String::new();
    for line in fragment.lines() {
        let indent = if line.is_empty() { "" } else { indent };
        inserted.push_str(&format!("{indent}{line}\n"));
    }
    let whole_lines = |at: &usize| *at == 0 || text[..*at].ends_with('\n');
    match text.match_indices(&inserted).map(|(at, _)| at).find(whole_lines) {
        Some(at) => format!("{}{}", &text[..at], &text[at + inserted.len()..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKER: &str = "// +opctl:scaffold:controllers";

    #[test]
    fn a_fragment_goes_above_its_marker_once() {
        let text = "fn main() {\n    // +opctl:scaffold:controllers\n}\n";
        let once = insert_at_marker(text, MARKER, "start(\n    a,\n);").expect("the marker is there");
        assert_eq!(once, "fn main() {\n    start(\n        a,\n    );\n    // +opctl:scaffold:controllers\n}\n");
        assert_eq!(insert_at_marker(&once, MARKER, "start(\n    a,\n);").as_deref(), Ok(once.as_str()));
    }

    #[test]
    fn a_fragment_that_is_there_needs_no_marker() {
        assert_eq!(insert_at_marker("  start();\n", MARKER, "start();").as_deref(), Ok("  start();\n"));
    }

    #[test]
    fn a_fragment_is_taken_out_where_it_was_put() {
        let text = "fn main() {\n    // +opctl:scaffold:controllers\n}\n";
        let edited = insert_at_marker(text, MARKER, "start(\n    a,\n);").expect("the marker is there");
        assert_eq!(remove_at_marker(&edited, MARKER, "start(\n    a,\n);"), text);
        assert_eq!(remove_at_marker(&edited, MARKER, "a,"), edited);
        assert_eq!(remove_at_marker("start();\n", MARKER, "start();"), "start();\n");
    }

    #[test]
    fn a_missing_marker_is_an_error() {
        assert_eq!(insert_at_marker("", MARKER, "x").expect_err("no marker").marker, MARKER);
    }
}
