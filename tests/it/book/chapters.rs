//! The chapters of the book, and the other files that mdBook reads.

use super::reference::{Page, commands, findings, topics};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The contents of the files of the book's source, by path.
pub(super) type Files = BTreeMap<String, String>;

/// Returns the folder of the chapters that are written by hand.
pub(super) fn by_hand() -> PathBuf {
    Path::new(ROOT).join(".github/book")
}

/// Returns the text of a hand-written chapter, such as `tutorials/adopt`. Sections that the chapter includes from the
/// topics of `opctl help` are filled in.
pub(super) fn chapter(name: &str) -> String {
    with_sections(&fs::read_to_string(by_hand().join(format!("{name}.md"))).unwrap())
}

/// Returns the names of the hand-written chapters.
pub(super) fn names() -> Vec<String> {
    let tree = crate::support::tree(&by_hand());
    let names = tree.keys().filter_map(|path| path.strip_suffix(".md"));
    names.filter(|name| *name != "SUMMARY").map(str::to_owned).collect()
}

/// Returns all files that mdBook reads.
pub(super) fn files() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(made)
}

fn made() -> Files {
    let (topics, commands, findings) = (topics(), commands(), findings());
    let mut files = Files::new();
    for name in names() {
        files.insert(format!("{name}.md"), with_code(&name, &chapter(&name)));
    }
    let all = topics.iter().chain(&commands).chain(&findings);
    files.extend(all.map(|page| (page.path.clone(), page.text.clone())));
    files.insert("reference/commands.md".into(), listed("Commands", "Each page is `opctl help COMMAND`.", &commands));
    let about = "Each page is `opctl explain CODE`. A code means the same in each version, or is gone.";
    files.insert("reference/findings.md".into(), listed("Findings", about, &findings));
    let schema = fs::read_to_string(Path::new(ROOT).join("src/report/report.schema.json")).unwrap();
    files.insert("reference/report.schema.json".into(), schema);
    let summary = fs::read_to_string(by_hand().join("SUMMARY.md")).unwrap();
    let below = |pages: &[Page], indent: &str| -> String {
        let lines = pages.iter().map(|page| format!("{indent}- [{}]({})\n", page.title, page.path));
        lines.collect::<String>().trim_end().to_owned()
    };
    let summary = summary
        .replace("{{topics}}", &below(&topics, ""))
        .replace("{{commands}}", &below(&commands, "  "))
        .replace("{{findings}}", &below(&findings, "  "));
    files.insert("llms.txt".into(), for_programs(&summary));
    files.insert("SUMMARY.md".into(), summary);
    files
}

/// Returns a page with a table of other pages.
fn listed(title: &str, about: &str, pages: &[Page]) -> String {
    let row = |page: &Page| {
        let file = page.path.trim_start_matches("reference/");
        format!("| [{}]({file}) | {} |\n", page.title, page.about.replace('|', "\\|"))
    };
    let rows: String = pages.iter().map(row).collect();
    format!("# {title}\n\n{about}\n\n| name | about |\n|---|---|\n{rows}")
}

/// Replaces `{{section TOPIC: HEADING}}` by the text below that heading of the topic.
fn with_sections(text: &str) -> String {
    let Some((before, rest)) = text.split_once("{{section ") else { return text.to_owned() };
    let (named, after) = rest.split_once("}}").unwrap();
    let (topic, heading) = named.split_once(": ").unwrap();
    let topic = fs::read_to_string(Path::new(ROOT).join(format!("src/cli/help/{topic}.md"))).unwrap();
    let (_, below) = topic.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no section `{named}`"));
    let section = below.split("\n## ").next().unwrap().trim();
    format!("{before}{section}{}", with_sections(after))
}

/// Replaces `{{#include PATH:PART}}` as mdBook does, but with paths from the root of the repository, so that
/// programs that read the Markdown also get the code.
fn with_code(name: &str, text: &str) -> String {
    let line = |line: &str| match included(line) {
        Some((path, part)) => code(path, part).unwrap_or_else(|wrong| panic!("{name}: {wrong}")),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Returns the path of the file that an `{{#include PATH:PART}}` line includes, and the part of the file, if the line
/// names one.
pub(super) fn included(line: &str) -> Option<(&str, Option<&str>)> {
    let named = line.strip_prefix("{{#include ")?.strip_suffix("}}")?;
    Some(named.split_once(':').map_or((named, None), |(path, part)| (path, Some(part))))
}

/// Returns a part of a file: a range of lines, which must begin with a comment and end with a brace, or the lines
/// of an anchor. Without a part, returns the whole file, which must have no anchors.
fn code(path: &str, part: Option<&str>) -> Result<String, String> {
    let file = Path::new(ROOT).join(path.trim_start_matches('/'));
    let text = fs::read_to_string(file).map_err(|error| format!("{path}: {error}"))?;
    let lines: Vec<&str> = text.lines().collect();
    let wrong = |what: &str| Err(format!("{path}:{} {what}", part.unwrap_or_default()));
    let range = match part.map(|part| (part, part.split_once(':'))) {
        None if text.contains("ANCHOR") => return wrong("has anchors"),
        None => 0..lines.len(),
        Some((_, Some((first, last)))) => {
            let range = first.parse::<usize>().unwrap() - 1..last.parse::<usize>().unwrap();
            if !lines[range.start].starts_with("//") || lines[range.end - 1] != "}" {
                return wrong("is not a whole function any more");
            }
            range
        }
        Some((anchor, None)) => {
            let at = |word: &str| lines.iter().position(|line| *line == format!("// {word}: {anchor}"));
            match (at("ANCHOR"), at("ANCHOR_END")) {
                (Some(first), Some(last)) if first < last => first + 1..last,
                _ => return wrong("is no anchor"),
            }
        }
    };
    Ok(lines[range].iter().flat_map(|line| [*line, "\n"]).collect())
}

/// Returns `llms.txt` (<https://llmstxt.org>): the chapters with links to their Markdown.
fn for_programs(summary: &str) -> String {
    let mut text = String::from(
        "# opctl\n\n> Kubernetes operators in Rust on kube-rs, from an empty folder to production: one binary that scaffolds, \
         generates manifests, tests on a real API server, finds bugs by the faults of real clusters, and deploys.\n\n\
         `opctl help TOPIC` and `opctl explain CODE` print the topics and findings without a network; `opctl mcp` serves all \
         commands as tools.\n\n## Begin\n\n",
    );
    for line in summary.lines().skip(1) {
        if let Some(part) = line.strip_prefix("# ") {
            text.push_str(&format!("## {part}\n\n"));
        } else if line.trim_start().starts_with(['[', '-']) {
            text.push_str(&format!("- {}\n", line.trim_start().trim_start_matches("- ")));
        } else if line.is_empty() && !text.ends_with("\n\n") {
            text.push('\n');
        }
    }
    text
}

/// All chapters are written to `target/book/src`: `.ci/book` runs this test, and then mdBook reads the folder.
#[test]
fn the_chapters_are_written() {
    let folder = Path::new(ROOT).join("target/book/src");
    let _ = fs::remove_dir_all(&folder);
    let files = files();
    assert!(files.len() > 150, "{}", files.len());
    for (path, text) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}
