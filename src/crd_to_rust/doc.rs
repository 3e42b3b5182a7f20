//! Renders the descriptions in a schema as doc comments.

use crate::visible::visible_in_page;

/// Clippy's lints about Markdown in doc comments, which the descriptions in a CRD may violate.
pub(super) const LINTS: [&str; 3] = ["doc_lazy_continuation", "doc_overindented_list_items", "tabs_in_doc_comments"];

/// Renders a description as a doc comment, with lines indented by `indentation`.
pub(super) fn doc(description: &str, indentation: &str) -> String {
    let lines = description.trim_end().lines();
    lines.fold(String::new(), |text, line| {
        // The compiler refuses marks that reorder the text of a comment.
        let line = format!("{indentation}/// {}", visible_in_page(&line.replace('\r', "")));
        text + line.trim_end() + "\n"
    })
}

/// Returns true if a doc comment in the Rust code `text` has a tab, or a line that reads like a list or a quote in
/// Markdown.
pub(super) fn has_markdown(text: &str) -> bool {
    let mut comments = text.lines().filter_map(|line| line.trim_start().strip_prefix("///"));
    comments.any(|line| {
        let start = line.trim_start();
        let numbered = start.trim_start_matches(|character: char| character.is_ascii_digit());
        let is_number = numbered.len() < start.len() && numbered.starts_with(['.', ')']);
        line.contains('\t') || is_number || ["- ", "* ", "+ ", "> "].iter().any(|mark| start.starts_with(mark))
    })
}
