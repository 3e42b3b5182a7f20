//! Descriptions as doc comments.

/// Lints of clippy about Markdown that the writers of descriptions had no reason to know.
pub(super) const LINTS: [&str; 3] = ["doc_lazy_continuation", "doc_overindented_list_items", "tabs_in_doc_comments"];

/// The lines of a doc comment behind `indentation`.
pub(super) fn doc(description: &str, indentation: &str) -> String {
    let lines = description.trim_end().lines();
    lines.fold(String::new(), |text, line| {
        let line = format!("{indentation}/// {}", line.replace('\r', ""));
        text + line.trim_end() + "\n"
    })
}

/// Returns true if a description has something that reads like a list of Markdown, or a tab.
pub(super) fn has_markdown(text: &str) -> bool {
    let mut comments = text.lines().filter_map(|line| line.trim_start().strip_prefix("///"));
    comments.any(|line| {
        let start = line.trim_start();
        let numbered = start.trim_start_matches(|character: char| character.is_ascii_digit());
        let is_number = numbered.len() < start.len() && numbered.starts_with(['.', ')']);
        line.contains('\t') || is_number || ["- ", "* ", "+ ", "> "].iter().any(|mark| start.starts_with(mark))
    })
}
