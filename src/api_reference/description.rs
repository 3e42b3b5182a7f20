//! Parses the descriptions in schemas, which can contain Markdown: paragraphs, lists, code and URLs.

use super::inline_text::{Block, Line, Part};

/// Parses a description. Unclosed backticks and links are plain text; an unclosed code fence extends to the end of the
/// text.
pub(super) fn description(text: &str) -> Vec<Block> {
    let (mut blocks, mut words, mut item) = (Vec::new(), String::new(), false);
    let mut fenced: Option<Vec<String>> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(code) = &mut fenced {
            if trimmed.starts_with("```") {
                blocks.extend(fenced.take().map(Block::Code));
            } else {
                code.push(line.trim_end().to_owned());
            }
            continue;
        }
        let bullet = bullet(trimmed);
        if trimmed.is_empty() || trimmed.starts_with("```") || bullet.is_some() {
            close(&mut blocks, &mut words, item);
            item = bullet.is_some();
        }
        if trimmed.starts_with("```") {
            fenced = Some(Vec::new());
            continue;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(bullet.unwrap_or(trimmed));
    }
    close(&mut blocks, &mut words, item);
    blocks.extend(fenced.filter(|code| !code.is_empty()).map(Block::Code));
    blocks
}

fn close(blocks: &mut Vec<Block>, words: &mut String, item: bool) {
    let line = line(words);
    words.clear();
    if !line.is_empty() {
        blocks.push(if item { Block::Item(line) } else { Block::Paragraph(line) });
    }
}

/// Returns the words of a list item, or `None` for a line that is not a list item.
fn bullet(line: &str) -> Option<&str> {
    ["- ", "* ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet)).map(str::trim)
}

/// Splits a line into its parts: code in backticks, links, URLs, and the words between these parts.
pub(super) fn line(text: &str) -> Line {
    let (mut parts, mut words) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let begins_a_word = words.chars().next_back().is_none_or(|before| !before.is_alphanumeric());
        let (part, length) = match first {
            '`' => code(rest),
            '[' => link(rest),
            'h' if begins_a_word => address(rest),
            _ => (None, first.len_utf8()),
        };
        match part {
            Some(part) => {
                flush(&mut parts, &mut words);
                parts.push(part);
            }
            None => words.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    flush(&mut parts, &mut words);
    parts
}

fn flush(parts: &mut Line, words: &mut String) {
    if !words.is_empty() {
        parts.push(Part::Text(std::mem::take(words)));
    }
}

/// Parses code in backticks, and returns the code and its length. Without closing backticks, returns `None` and the
/// number of opening backticks.
fn code(text: &str) -> (Option<Part>, usize) {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let mut at = ticks;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        if run == ticks {
            let code = text[ticks..start].trim();
            return (Some(code).filter(|code| !code.is_empty()).map(Part::code), start + run);
        }
        at = start + run;
    }
    (None, ticks)
}

/// Parses a link such as `[text](https://example.com)` at the start of `text`, and returns the link and its length in
/// bytes. If the bracket at the start does not begin a link, returns `None` and 1, the length of the bracket.
fn link(text: &str) -> (Option<Part>, usize) {
    let found = text[1..].find(']').and_then(|end| {
        let (words, rest) = (&text[1..=end], &text[end + 2..]);
        let to = rest.strip_prefix('(')?;
        let to = &to[..to.find(')')?];
        let part = Part::Link { text: words.replace('`', ""), to: to.to_owned() };
        let plain = !words.trim().is_empty() && !words.contains('[') && address(to).1 == to.len();
        (plain && address(to).0.is_some()).then_some((Some(part), end + 4 + to.len()))
    });
    found.unwrap_or((None, 1))
}

/// Parses a URL at the start of `text`, without the punctuation that ends a sentence, and returns the URL as a link and
/// its length in bytes. If `text` does not begin with a URL, returns `None` and 1, the length of the first letter.
fn address(text: &str) -> (Option<Part>, usize) {
    let Some(host) = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme)) else {
        return (None, 1);
    };
    let unsafe_in_a_page = |one: char| one.is_whitespace() || one.is_control() || "<>\"'`|\\^{}[]".contains(one);
    let end = host.find(unsafe_in_a_page).unwrap_or(host.len());
    let host = host[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
    let host = if host.contains('(') { host } else { host.trim_end_matches([')', '.', ',']) };
    if !host.starts_with(char::is_alphanumeric) {
        return (None, 1);
    }
    let length = text.find(host).unwrap_or_default() + host.len();
    let to = text[..length].to_owned();
    (Some(Part::Link { text: to.clone(), to }), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(text: &str, to: &str) -> Part {
        Part::Link { text: text.to_owned(), to: to.to_owned() }
    }

    #[test]
    fn paragraphs_items_and_code_are_told_apart() {
        let text = "One\nline.\n\nTwo:\n- a\n  b\n* c\n```yaml\n- no: item\n\n  x: 1\n```\nEnd.\n```\nopen";
        let words = |text: &str| vec![Part::text(text)];
        let expected = [
            Block::Paragraph(words("One line.")),
            Block::Paragraph(words("Two:")),
            Block::Item(words("a b")),
            Block::Item(words("c")),
            Block::Code(vec!["- no: item".to_owned(), String::new(), "  x: 1".to_owned()]),
            Block::Paragraph(words("End.")),
            Block::Code(vec!["open".to_owned()]),
        ];
        assert_eq!(description(text), expected);
        assert_eq!(description(" \n\r\n"), []);
    }

    #[test]
    fn code_and_addresses_are_found_and_the_rest_is_text() {
        for (text, expected) in [
            ("a `b|c` d", vec![Part::text("a "), Part::code("b|c"), Part::text(" d")]),
            ("``a`b``", vec![Part::code("a`b")]),
            ("it`s open", vec![Part::text("it`s open")]),
            ("größer ` als ``", vec![Part::text("größer ` als ``")]),
            (
                "See https://a.example/b_c(d). Then",
                vec![
                    Part::text("See "),
                    link("https://a.example/b_c(d)", "https://a.example/b_c(d)"),
                    Part::text(". Then"),
                ],
            ),
            (
                "(https://a.example)",
                vec![Part::text("("), link("https://a.example", "https://a.example"), Part::text(")")],
            ),
            ("[the `docs`](https://a.example/x)!", vec![link("the docs", "https://a.example/x"), Part::text("!")]),
            ("[no](javascript:alert(1))", vec![Part::text("[no](javascript:alert(1))")]),
            ("list[] and [open", vec![Part::text("list[] and [open")]),
            ("http:// alone, xhttp://a", vec![Part::text("http:// alone, xhttp://a")]),
        ] {
            assert_eq!(line(text), expected, "{text}");
        }
    }
}
