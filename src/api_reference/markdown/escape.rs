//! Escapes text, so that Markdown shows it as it was written (`CommonMark` 0.31 and GitHub's tables).

/// Escapes a text, so that Markdown reads nothing in the text as markup.
pub(super) fn escape_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let characters: Vec<char> = text.chars().collect();
    for (index, one) in characters.iter().enumerate() {
        let inside_a_word = |at: Option<&char>| at.is_some_and(|beside| beside.is_alphanumeric());
        let before = index.checked_sub(1).and_then(|before| characters.get(before));
        match one {
            '\\' | '`' | '*' | '[' | ']' | '~' | '$' => escaped.extend(['\\', *one]),
            '_' if !(inside_a_word(before) && inside_a_word(characters.get(index + 1))) => escaped.push_str("\\_"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // GitHub would turn these into a mention or a link to an issue.
            '@' => escaped.push_str("&#64;"),
            '#' if inside_a_word(characters.get(index + 1)) => escaped.push_str("&#35;"),
            _ if one.is_control() => escaped.push(' '),
            _ => escaped.push(*one),
        }
    }
    escaped
}

/// Escapes the start of a line, so that Markdown reads the line as a paragraph, not as a heading or a list.
pub(super) fn line(markdown: &str) -> String {
    let digits = markdown.len() - markdown.trim_start_matches(|one: char| one.is_ascii_digit()).len();
    let numbered = digits > 0 && markdown[digits..].starts_with(['.', ')']);
    if numbered {
        return format!("{}\\{}", &markdown[..digits], &markdown[digits..]);
    }
    if markdown.starts_with(['#', '+', '-', '=', '|']) { format!("\\{markdown}") } else { markdown.to_owned() }
}

/// Renders code on one line, enclosed in one backtick more than the longest run of backticks in the code.
pub(super) fn code(text: &str) -> String {
    let text: String = text.chars().map(|one| if one.is_control() { ' ' } else { one }).collect();
    let ticks = "`".repeat(longest_run(&text) + 1);
    // Markdown removes one blank at both ends.
    let blank = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

/// Returns a Markdown fence for a block of code: at least three backticks, and more than any run of backticks in
/// `code`.
pub(super) fn fence(code: &str) -> String {
    "`".repeat(longest_run(code).max(2) + 1)
}

/// Escapes each `|` in the text of a table cell. Markdown requires this escape even inside code.
pub(super) fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

fn longest_run(text: &str) -> usize {
    text.split(|one| one != '`').map(str::len).max().unwrap_or_default()
}
