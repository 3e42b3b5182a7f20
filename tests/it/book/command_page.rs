//! Converts the help of a command to a chapter in Markdown, so that a browser can wrap the lines.

use std::fmt::Write as _;

/// Returns the help of a command in Markdown: a heading for each part, and a definition for each option.
pub(super) fn markdown(title: &str, help: &str) -> String {
    let mut text = format!("# {title}\n\n");
    let mut lines = help.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(usage) = line.strip_prefix("Usage: ") {
            let _ = write!(text, "```text\n{usage}\n```\n");
        } else if let Some(heading) = heading(line) {
            let mut part = Vec::new();
            while let Some(line) = lines.next_if(|line| self::heading(line).is_none()) {
                part.push(line);
            }
            let before = if text.ends_with("\n\n") { "" } else { "\n" };
            let _ = write!(text, "{before}## {heading}\n\n{}", part_of(heading, &part));
        } else {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// Returns the heading if the line is the heading of a part of the help, such as `Options:`.
fn heading(line: &str) -> Option<&str> {
    line.strip_suffix(':').filter(|heading| heading.starts_with(char::is_uppercase))
}

fn part_of(heading: &str, lines: &[&str]) -> String {
    match heading {
        "Options" | "Global options" | "Arguments" => definitions(lines),
        "Commands" => definitions(&apart(lines).iter().map(String::as_str).collect::<Vec<_>>()),
        _ => {
            let indented = lines.iter().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect::<Vec<_>>();
            format!("```text\n{}\n```\n", indented.join("\n").trim_matches('\n'))
        }
    }
}

/// Splits each entry of a list of commands into two lines, the name and the description, as in lists of options.
fn apart(lines: &[&str]) -> Vec<String> {
    let two = |line: &&str| match line.trim_start().split_once("  ") {
        Some((name, about)) if line.starts_with("  ") && !line.starts_with("   ") => {
            vec![format!("  {name}"), format!("          {}", about.trim_start())]
        }
        _ => vec![(*line).to_owned()],
    };
    lines.iter().flat_map(two).collect()
}

/// Converts a list of options to a Markdown list of definitions. In `lines`, the indented lines after an option
/// describe the option.
fn definitions(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut begins_paragraph = false;
    for line in lines {
        let words = line.trim();
        if words.is_empty() {
            begins_paragraph = true;
        } else if !line.starts_with("       ") {
            let _ = write!(text, "{}`{words}`\n:", if text.is_empty() { "" } else { "\n\n" });
            begins_paragraph = false;
        } else if let Some((value, about)) = words.strip_prefix("- ").and_then(|words| words.split_once(':')) {
            let _ = write!(text, "\n  - `{value}`: {}", about.trim_start());
        } else if begins_paragraph {
            let _ = write!(text, "\n\n  {words}{}", if words == "Possible values:" { "\n" } else { "" });
            begins_paragraph = false;
        } else {
            let _ = write!(text, " {words}");
        }
    }
    text + "\n"
}

#[test]
fn the_help_of_a_command_is_a_chapter() {
    let help = "Do it\n\nMore of it.\n\nUsage: opctl do [OPTIONS] <COMMAND>\n\nCommands:\n  \
                now   At once, and\n        completely\n  later  Not yet\n\nOptions:\n      --when <WHEN>\n          The \
                time, in\n          seconds\n          \n          Possible values:\n          - soon:  In a\n            \
                minute\n          - never: Not at all\n          \n          [default: soon]\n\n  -h, --help\n          \
                Print help\n\nExamples:\n    opctl do now    # at once\n    opctl do later\n";
    let chapter = "# opctl do\n\nDo it\n\nMore of it.\n\n```text\nopctl do [OPTIONS] <COMMAND>\n```\n\n## Commands\n\n\
                   `now`\n: At once, and completely\n\n`later`\n: Not yet\n\n## Options\n\n`--when <WHEN>`\n: The time, \
                   in seconds\n\n  Possible values:\n\n  - `soon`: In a minute\n  - `never`: Not at all\n\n  [default: \
                   soon]\n\n`-h, --help`\n: Print help\n\n## Examples\n\n```text\nopctl do now    # at once\nopctl do \
                   later\n```\n";
    assert_eq!(markdown("opctl do", help), chapter);
}
