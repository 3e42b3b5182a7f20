//! Checks the links of the book: each leads to a chapter, to a heading of a chapter, or to an https page.

use super::chapters::{Files, files};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

fn parsed(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// Returns the targets of all links and images in a text.
fn links(text: &str) -> Vec<String> {
    let destination = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    parsed(text).filter_map(destination).collect()
}

/// Returns the anchors that mdBook generates for the headings of a text.
fn headings(text: &str) -> BTreeSet<String> {
    let (mut names, mut heading) = (BTreeSet::new(), None);
    for event in parsed(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let name = heading.take().unwrap().to_lowercase();
                let kept = name.chars().filter(|one| one.is_alphanumeric() || [' ', '-', '_'].contains(one));
                names.insert(kept.collect::<String>().replace(' ', "-"));
            }
            Event::Text(text) | Event::Code(text) => heading.iter_mut().for_each(|name| name.push_str(&text)),
            _ => {}
        }
    }
    names
}

/// Resolves `to`, a path relative to the folder of the file `from`.
fn path(from: &str, to: &str) -> String {
    let mut path = PathBuf::from(from);
    path.pop();
    for part in Path::new(to).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(part) => path.push(part),
            _ => {}
        }
    }
    path.to_string_lossy().into_owned()
}

/// Returns an error message for a broken link, or `None` for a valid link.
fn broken(files: &Files, from: &str, link: &str) -> Option<String> {
    if link.starts_with("https://") {
        return None;
    }
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { from.to_owned() } else { path(from, file) };
    let Some(text) = files.get(&target) else { return Some(format!("{from}: `{link}` leads nowhere")) };
    let known = heading.is_empty() || headings(text).contains(heading);
    (!known).then(|| format!("{from}: `{link}` names no heading of {target}"))
}

fn has_extension(path: &str, extension: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|end| end == extension)
}

#[test]
fn links_lead_somewhere() {
    let files = files();
    let pages = files.iter().filter(|(path, _)| has_extension(path, "md") || has_extension(path, "txt"));
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (from, text) in pages {
        for link in links(text) {
            wrong.extend(broken(files, from, &link));
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 300, "{count}");
}

#[test]
fn every_chapter_is_in_the_summary_once() {
    let files = files();
    let mut listed = links(&files["SUMMARY.md"]);
    listed.sort();
    let mut chapters: Vec<&str> = files.keys().map(String::as_str).filter(|path| has_extension(path, "md")).collect();
    chapters.retain(|path| *path != "SUMMARY.md");
    assert_eq!(listed, chapters);
    let program = links(&files["llms.txt"]);
    assert_eq!(program.len(), listed.len());
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let files = Files::from([
        ("a/one.md".to_owned(), "# One\n\n## Two `three` (four)\n".to_owned()),
        ("two.md".to_owned(), String::new()),
    ]);
    let is_broken = |link: &str| broken(&files, "a/one.md", link).is_some();
    let good = ["../two.md", "one.md#two-three-four", "#one", "https://example.com"];
    assert_eq!(good.map(is_broken), [false; 4]);
    assert_eq!(["two.md", "#three", "../two.md#one", "http://example.com"].map(is_broken), [true; 4]);
}
