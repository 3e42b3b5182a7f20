//! The chapters that are generated from output of opctl.

use super::command_page;
use crate::support::{must, opctl, text};
use opctl::test_api::{manifest::lints, olm};
use serde_json::{Value, json};

/// A chapter of the book's reference.
pub(super) struct Page {
    /// The path below the book's source.
    pub(super) path: String,
    pub(super) title: String,
    /// A summary of the chapter in one line.
    pub(super) about: String,
    pub(super) text: String,
}

/// Runs opctl with `arguments`, and returns the field `data` of the JSON report.
fn data(arguments: &[&str]) -> Value {
    let output = must(opctl(arguments).args(["-o", "json"]));
    let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["data"].take()
}

fn of(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// Returns a page for each topic of `opctl help`, with links to the other topics that it names.
pub(super) fn topics() -> Vec<Page> {
    let listed = data(&["help"])["topics"].as_array().unwrap().clone();
    let names: Vec<String> = listed.iter().map(|topic| of(&topic["name"])).collect();
    let page = |topic: &Value| {
        let name = of(&topic["name"]);
        let markdown = of(&data(&["help", &name])["markdown"]);
        let title = markdown.lines().next().unwrap().trim_start_matches("# ").to_owned();
        let linked = names.iter().filter(|other| **other != name).fold(markdown, |text, other| {
            let spoken = format!("`opctl help {other}`");
            text.replace(&spoken, &format!("[{spoken}]({other}.md)"))
        });
        Page {
            path: format!("topics/{name}.md"),
            title,
            about: of(&topic["about"]),
            text: without_tags(&with_hints_apart(&linked)),
        }
    };
    listed.iter().map(page).collect()
}

/// Puts each hint of the errors topic into a separate code block, because a hint is a command line.
fn with_hints_apart(text: &str) -> String {
    let mut apart = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        apart.push_str(line);
        apart.push('\n');
        if line.starts_with("- ") {
            while let Some(hint) = lines.next_if(|line| line.starts_with("  hint: ")) {
                let first = hint.trim_start_matches("  hint: ");
                let more =
                    std::iter::from_fn(|| lines.next_if(|line| line.starts_with("        "))).map(|line| &line[8..]);
                let hint = std::iter::once(first).chain(more).collect::<Vec<_>>().join("\n  ");
                apart.push_str(&format!("\n  ```text\n  {hint}\n  ```\n"));
            }
        }
    }
    apart
}

/// Escapes `<` outside of code, as in `<kind>`, because mdBook would read it as the start of an HTML tag.
fn without_tags(text: &str) -> String {
    let mut fenced = false;
    let line = |line: &str| {
        fenced ^= line.starts_with("```");
        let quoted = line.split('`').enumerate();
        let part = |(number, part): (usize, &str)| {
            if fenced || number % 2 == 1 { part.to_owned() } else { part.replace('<', "&lt;") }
        };
        format!("{}\n", quoted.map(part).collect::<Vec<_>>().join("`"))
    };
    text.lines().map(line).collect()
}

/// Returns a page for each command, with the help of the command.
pub(super) fn commands() -> Vec<Page> {
    let mut pages = Vec::new();
    let top = of(&data(&["help"])["help"]);
    for name in subcommands(&top) {
        add(&[&name], &mut pages);
    }
    pages
}

fn add(words: &[&str], pages: &mut Vec<Page>) {
    let help = of(&data(&[&["help"][..], words].concat())["help"]);
    let about = help.lines().next().unwrap().to_owned();
    let title = format!("opctl {}", words.join(" "));
    pages.push(Page {
        path: format!("reference/commands/{}.md", words.join("-")),
        text: without_tags(&command_page::markdown(&title, &help)),
        title,
        about,
    });
    for name in subcommands(&help) {
        add(&[words, &[name.as_str()]].concat(), pages);
    }
}

/// Returns the names of the commands that a help page lists before its options, in one list or in groups.
fn subcommands(help: &str) -> Vec<String> {
    let listed = help.split("\nOptions:").next().unwrap().split("\nArguments:").next().unwrap();
    let Some((_, listed)) = listed.split_once("Usage:") else { return Vec::new() };
    let name = |line: &str| {
        let line = line.strip_prefix("  ").filter(|line| !line.starts_with([' ', '-']))?;
        let (name, _) = line.split_once("  ")?;
        name.chars().all(|character| character.is_ascii_lowercase() || character == '-').then(|| name.to_owned())
    };
    listed.lines().skip(1).filter_map(name).collect()
}

/// Returns a page for each finding, with the text of `opctl explain`.
pub(super) fn findings() -> Vec<Page> {
    let page = |lint: Value| {
        let [code, title, why, severity, wrong, right] =
            ["code", "title", "why", "severity", "wrong", "right"].map(|key| of(&lint[key]));
        let language = if code.starts_with("OP7") { "yaml" } else { "rust" };
        let block = |text: &str| format!("```{language}\n{text}\n```\n");
        Page {
            path: format!("reference/findings/{code}.md"),
            text: format!(
                "# {code}: {title}\n\n*{severity}*\n\n{why}\n\n## Wrong\n\n{}\n## Right\n\n{}",
                block(&wrong),
                block(&right)
            ),
            title: code,
            about: title,
        }
    };
    lints().into_iter().chain(olm::lints()).map(|lint| page(json!(lint))).collect()
}

#[test]
fn every_command_has_a_page() {
    let pages = commands();
    let prefix = crate::support::temporary();
    must(opctl(&["completion", "--prefix"]).arg(prefix.path()));
    let manuals = std::fs::read_dir(prefix.path().join("share/man/man1")).unwrap();
    let mut manuals: Vec<String> = manuals.map(|entry| text(entry.unwrap().file_name().as_encoded_bytes())).collect();
    manuals.retain(|name| name != "opctl.1");
    manuals.sort();
    let mut named: Vec<String> = pages.iter().map(|page| format!("{}.1", page.title.replace(' ', "-"))).collect();
    // `opctl help` shows the other pages, and has no manual.
    named.retain(|name| name != "opctl-help.1");
    named.sort();
    assert_eq!(named, manuals);
}
