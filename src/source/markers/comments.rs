//! Finds the line comments of a Rust file without compiling it.
//!
//! syn drops `//` comments, so this is a small lexer for Rust: it recognizes strings, raw strings, characters and
//! nested block comments, since a `//` in these begins no comment (The Rust Reference, "Tokens" and "Comments").

/// A line comment of a Rust source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comment<'a> {
    /// The text after the slashes.
    pub(crate) text: &'a str,
    /// The line number, from 1.
    pub(crate) line: usize,
    /// The column of the first character of `text`, from 1.
    pub(crate) column: usize,
}

/// Returns all line comments: `//`, and the documentation forms `///` and `//!`.
pub(crate) fn line_comments(source: &str) -> Vec<Comment<'_>> {
    let mut comments = Vec::new();
    let bytes = source.as_bytes();
    let mut at = 0;
    let mut line_starts = vec![0];
    line_starts.extend(source.match_indices('\n').map(|(index, _)| index + 1));
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'/')) => {
                let end = source[at..].find('\n').map_or(source.len(), |length| at + length);
                let mut start = at + 2;
                while start < end && matches!(bytes[start], b'/' | b'!') {
                    start += 1;
                }
                let line = line_starts.partition_point(|begin| *begin <= at);
                let column = source[line_starts[line - 1]..start].chars().count() + 1;
                comments.push(Comment { text: source[start..end].trim_end_matches('\r'), line, column });
                at = end;
            }
            (b'/', Some(b'*')) => at = block_end(bytes, at),
            (b'"', _) => at = string_end(bytes, at + 1),
            (b'r', Some(b'"' | b'#')) if !inside_word(bytes, at) => at = raw_end(source, at),
            (b'\'', _) => at = character_end(source, at),
            _ => at += 1,
        }
    }
    comments
}

/// Returns true if the `r` at this index is part of an identifier, and not of a raw string such as `r"` or `br"`.
fn inside_word(bytes: &[u8], at: usize) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    match at.checked_sub(1).map(|before| bytes[before]) {
        Some(b'b' | b'c') => at >= 2 && word(bytes[at - 2]),
        Some(before) => word(before),
        None => false,
    }
}

fn block_end(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    break;
                }
            }
            _ => at += 1,
        }
    }
    at
}

fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn raw_end(source: &str, at: usize) -> usize {
    let hashes = source[at + 1..].bytes().take_while(|byte| *byte == b'#').count();
    let open = at + 1 + hashes;
    if source.as_bytes().get(open) != Some(&b'"') {
        // A raw identifier, such as `r#type`.
        return open.max(at + 1);
    }
    let close = format!("\"{}", "#".repeat(hashes));
    source[open + 1..].find(&close).map_or(source.len(), |length| open + 1 + length + close.len())
}

/// Returns the index after a character literal, or after the quote that begins a lifetime.
fn character_end(source: &str, at: usize) -> usize {
    let mut characters = source[at + 1..].char_indices();
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((_, escaped))) => {
            let after = at + 2 + escaped.len_utf8();
            source[after..].find('\'').map_or(source.len(), |length| after + length + 1)
        }
        (Some(_), Some((end, '\''))) => at + 1 + end + 1,
        _ => at + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::line_comments;

    #[test]
    fn comments_are_found_anywhere_but_in_strings_and_blocks() {
        let source = r##"// one
/// two
//! three
fn a<'a>(x: &'a str) -> char { // four
    let s = "// no \" // no"; let r = r#"// no " // no"#; let b = br"// no"; // five
    let multi = "
    // no
    ";
    let c = '"'; // six
    let d = '\''; let e = '\u{1F600}'; // seven
    /* // no /* // no */ // no */ // eight
    let r#type = 1; let bar = b'"'; // nine
    'label: loop {} // ten
}
// eleven"##;
        let texts: Vec<&str> = line_comments(source).iter().map(|comment| comment.text.trim()).collect();
        assert_eq!(texts, ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]);
        let four = &line_comments(source)[3];
        assert_eq!((four.line, four.column), (4, 34));
    }

    #[test]
    fn unfinished_source_ends_quietly() {
        for source in ["\"", "r#\"", "'", "/*", "//", "'\\", "\"\\", "r#", "/* /* */", "é'é"] {
            let _ = line_comments(source);
        }
    }
}
