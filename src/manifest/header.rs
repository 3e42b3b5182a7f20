//! The header that the user chose for the beginning of every generated file.

/// Returns the text of a header file as YAML comments. ` YEAR` is replaced by the year, as with controller-gen's
/// `headerFile` and `year`. The text may have the comment marks of Go, Rust or YAML.
pub fn header(text: &str, year: Option<&str>) -> String {
    let year = year.map(|year| format!(" {year}")).unwrap_or_default();
    let text = text.replace(" YEAR", &year);
    let lines: Vec<&str> = text.lines().map(strip_comment_marks).collect();
    let filled = |line: &str| !line.is_empty();
    let first = lines.iter().position(|line| filled(line)).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| filled(line)).map_or(first, |last| last + 1);
    let mut comments = String::new();
    for line in &lines[first..last] {
        comments.push_str(&if line.is_empty() { "#\n".to_owned() } else { format!("# {line}\n") });
    }
    comments
}

/// Returns a line without comment marks.
fn strip_comment_marks(line: &str) -> &str {
    let line = line.trim();
    let marks = ["/**", "/*", "*/", "//!", "///", "//", "*", "#"];
    let line = marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    line.strip_suffix("*/").unwrap_or(line).trim()
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn every_kind_of_comment_becomes_one_of_yaml() {
        for (text, expected) in [
            ("Copyright YEAR Us.\n", "# Copyright 2026 Us.\n"),
            ("# Copyright YEAR Us.\n#\n# All rights.\n", "# Copyright 2026 Us.\n#\n# All rights.\n"),
            ("/*\nCopyright YEAR Us.\n\nAll rights.\n*/\n", "# Copyright 2026 Us.\n#\n# All rights.\n"),
            ("/* Us */", "# Us\n"),
            ("/**\n * Us\r\n */\r\n", "# Us\n"),
            ("// Us\n//\n", "# Us\n"),
            ("\n\n", ""),
            ("YEARS\n", "# YEARS\n"),
        ] {
            assert_eq!(header(text, Some("2026")), expected, "{text:?}");
        }
        assert_eq!(header("# Copyright YEAR Us.", None), "# Copyright Us.\n");
    }
}
