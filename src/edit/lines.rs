//! Lines that a file must have somewhere, such as those of `.gitignore`.

/// Appends those of `wanted` that the text lacks. Comments come along with the lines that follow them.
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

/// Removes the lines that are `unwanted`, however indented.
pub fn remove_line(text: &str, unwanted: &str) -> String {
    text.split_inclusive('\n').filter(|line| line.trim() != unwanted.trim()).collect()
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
}
