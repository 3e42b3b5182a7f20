//! Checks that the help topics and README name only existing commands and lint codes, and that the examples are valid.

use super::super::command_line::Cli;
use super::{TOPICS, render};
use clap::error::ErrorKind;
use std::collections::BTreeSet;

const README: &str = include_str!("../../../README.md");

/// Returns the text of each code block in `text` whose fence names `language`.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(fence) = line.strip_prefix("```") {
            inside = !inside && fence == language;
            if inside {
                blocks.push(String::new());
            }
        } else if inside {
            let block = blocks.last_mut().unwrap();
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

/// Returns the texts between backticks outside of code blocks.
fn quoted(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

/// Returns the commands of opctl in a line of shell, each as words.
fn commands(line: &str) -> Vec<Vec<String>> {
    let line = line.split(" #").next().unwrap().replace("\"$(", " && ").replace(")\"", "");
    let commands = line.split(" && ").map(str::trim).filter(|command| command.starts_with("opctl "));
    commands.map(|command| command.split_whitespace().map(|word| word.trim_matches('"').to_owned()).collect()).collect()
}

fn stands_for(word: &String) -> bool {
    word == "…" || word.chars().all(|character| character.is_ascii_uppercase())
}

/// Checks that clap accepts the command line `words`. If `complete` is false, also accepts a line that lacks required
/// arguments or a subcommand, or that has a placeholder, such as `PART` or `…`, as a value.
fn is_taken(words: &[String], complete: bool) -> Result<(), String> {
    match Cli::full_command().try_get_matches_from(words) {
        Ok(_) => Ok(()),
        Err(error) if !complete && error.kind() == ErrorKind::MissingRequiredArgument => Ok(()),
        Err(error) if !complete && error.kind() == ErrorKind::MissingSubcommand => Ok(()),
        Err(error) if !complete && error.kind() == ErrorKind::InvalidValue && words.iter().any(stands_for) => Ok(()),
        Err(error) => Err(format!("{}: {error}", words.join(" "))),
    }
}

#[test]
fn every_command_that_is_written_about_exists() {
    let texts = TOPICS.iter().map(|topic| topic.text).chain([README]);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for text in texts {
        let shown = blocks(text, "sh").into_iter().chain(blocks(text, "text"));
        let shown: Vec<_> =
            shown.flat_map(|block| block.replace("\\\n", " ").lines().map(str::to_owned).collect::<Vec<_>>()).collect();
        let spoken = quoted(text);
        let lines = shown.iter().map(|line| (line, true)).chain(spoken.iter().map(|line| (line, false)));
        for (line, complete) in lines {
            for words in commands(line) {
                count += 1;
                // In `opctl X`, X stands for the command itself.
                if complete || words[1] != "X" {
                    wrong.extend(is_taken(&words, complete).err());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 60, "only {count} commands were found");
}

#[test]
fn every_example_of_rust_can_be_read() {
    for topic in &TOPICS {
        for block in blocks(topic.text, "rust") {
            syn::parse_file(&block).unwrap_or_else(|error| panic!("{}: {error}\n{block}", topic.name));
        }
    }
}

#[test]
fn every_finding_that_is_named_exists() {
    for topic in &TOPICS {
        let codes = topic.text.split(|character: char| !character.is_ascii_alphanumeric());
        let is_code = |word: &&str| word.len() == 5 && word.starts_with("OP") && word[2..].parse::<u32>().is_ok();
        for code in codes.filter(is_code) {
            let known = crate::commands::explain::lints().into_iter().any(|lint| lint.code == code);
            assert!(known, "{}: {code}", topic.name);
        }
    }
}

#[test]
fn every_part_is_explained() {
    let deploying = TOPICS.iter().find(|topic| topic.name == "deploying").unwrap();
    for part in crate::model::Part::all() {
        assert!(deploying.text.contains(&format!("\n| `{}` |", part.name())), "{}", part.name());
    }
}

#[test]
fn markdown_is_shown_without_its_fences() {
    let text =
        render("# Title\n\nText.\n\n```sh\nopctl list\n\nopctl test\n```\n\n| a | b |\n|---|---|\n| `long` | c |\n");
    let plain = anstream::adapter::strip_str(&text).to_string();
    assert_eq!(plain, "Title\n\nText.\n\n    opctl list\n\n    opctl test\n\n    a      b\n    long   c\n");
}

#[test]
fn code_blocks_are_shown_line_by_line() {
    for topic in &TOPICS {
        let plain = anstream::adapter::strip_str(&render(topic.text)).to_string();
        let shown: BTreeSet<&str> = plain.lines().map(str::trim).collect();
        let (mut fenced, mut count) = (false, 0);
        for line in topic.text.lines().map(str::trim) {
            if line.starts_with("```") {
                fenced = !fenced;
                count += 1;
            } else if fenced {
                assert!(shown.contains(line), "{}: {line}", topic.name);
            }
        }
        assert_eq!(count % 2, 0, "{}", topic.name);
        assert!(!plain.contains("```") && !plain.lines().any(|line| line.starts_with('#')), "{}", topic.name);
    }
}

#[test]
fn words_of_tables_that_fit_are_not_broken() {
    let plain = anstream::adapter::strip_str(&render("| a | b | c |\n|---|---|---|\n| `runtime::testing::FakeCluster` | two words and some more of them to fill the room of the line | three |\n")).to_string();
    assert!(plain.contains("runtime::testing::FakeCluster"), "{plain}");
    assert!(plain.lines().all(|line| line.chars().count() <= 80), "{plain}");
}

#[test]
fn explanations_of_findings_fit_80_columns() {
    for page in crate::commands::explain::pages() {
        let words = page.text.split("\n\nWrong:").next().unwrap();
        assert!(words.lines().all(|line| line.chars().count() <= 80), "{words}");
    }
}

/// Returns true if the line is a marker: a comment that begins with `+opctl:`. A marker cannot be wrapped, so it may be
/// longer than 80 columns.
fn is_marker(line: &str) -> bool {
    line.trim_start().starts_with("// +opctl:")
}

#[test]
fn every_page_can_be_read_in_80_columns() {
    for topic in &TOPICS {
        let plain = anstream::adapter::strip_str(&render(topic.text)).to_string();
        for line in plain.lines().filter(|line| !is_marker(line)) {
            assert!(line.chars().count() <= 80, "{}: {line}", topic.name);
        }
    }
}

#[test]
fn help_of_commands_fits_80_columns_and_shows_examples_whole() {
    fn check(command: &clap::Command, count: &mut usize) {
        let shown = command.clone().term_width(80).render_long_help().to_string();
        for line in shown.lines() {
            assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
        }
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in text.lines().filter(|line| line.starts_with(' ')) {
            *count += 1;
            assert!(shown.lines().any(|own| own.trim_end() == line), "{}: {line}\n{shown}", command.get_name());
        }
        let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
        shown.for_each(|command| check(command, count));
    }
    let mut count = 0;
    let mut command = Cli::full_command();
    command.build();
    check(&command, &mut count);
    assert!(count > 60, "only {count} lines are examples");
}

#[test]
fn text_and_tables_are_wrapped() {
    let long = ["word"; 20].join(" ");
    let text = format!("{long}\nmore\n\n- {long}\n  more\n1. {long}\n\n| {long} | {long} |\n");
    let plain = anstream::adapter::strip_str(&render(&text)).to_string();
    assert!(plain.lines().all(|line| line.chars().count() <= 80), "{plain}");
    assert!(
        plain.contains("word more\n\n- word") && plain.contains("\n  word") && plain.contains("\n1. word"),
        "{plain}"
    );
    assert_eq!(plain.matches("word").count(), 100);
}
