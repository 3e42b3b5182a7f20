//! Writes the API reference as Markdown for GitHub.

mod escape;
#[cfg(test)]
mod tests;

use super::GENERATED;
use super::inline_text::{Block, Line, Part};
use super::page::{COLUMNS, Fact, Field, Page, SHARED, Section, Version};
use escape::{cell, code, escape_text, fence};
use std::fmt::Write as _;

/// Renders the API reference as Markdown.
pub fn markdown(page: &Page) -> String {
    let mut text = format!("<!-- {GENERATED} -->\n\n# API reference\n\n");
    let _ =
        writeln!(text, "The kinds of {}. A field may be left out unless it is required.\n", escape_text(&page.project));
    contents(&mut text, page);
    for group in &page.groups {
        heading(&mut text, 2, &[&group.name], &escape_text(&group.name));
        for kind in &group.kinds {
            heading(&mut text, 3, &[&kind.anchor], &escape_text(&kind.name));
            write_facts(&mut text, &kind.facts);
            for version in &kind.versions {
                write_version(&mut text, version);
            }
        }
    }
    if !page.shared.is_empty() {
        heading(&mut text, 2, &[SHARED], "Shared objects");
        text.push_str("Objects that several kinds or versions contain.\n\n");
        for section in &page.shared {
            heading(&mut text, 3, &anchors(section), &code(&section.title));
            write_section(&mut text, section);
        }
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

fn contents(text: &mut String, page: &Page) {
    for group in &page.groups {
        let _ = writeln!(text, "- {}", link(&escape_text(&group.name), &group.name));
        for kind in &group.kinds {
            let versions = kind.versions.iter().map(|version| link(&escape_text(&version.name), &version.anchor));
            let versions = versions.collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "  - {}: {versions}", link(&escape_text(&kind.name), &kind.anchor));
        }
    }
    if !page.shared.is_empty() {
        let _ = writeln!(text, "- {}", link("Shared objects", SHARED));
    }
    text.push('\n');
}

fn link(text: &str, anchor: &str) -> String {
    format!("[{text}](#{anchor})")
}

fn heading(text: &mut String, level: usize, anchors: &[&str], title: &str) {
    for anchor in anchors {
        let _ = write!(text, "<a id=\"{anchor}\"></a>");
    }
    let _ = writeln!(text, "\n{} {title}\n", "#".repeat(level));
}

fn anchors(section: &Section) -> Vec<&str> {
    section.anchors.iter().map(String::as_str).collect()
}

fn write_version(text: &mut String, version: &Version) {
    heading(text, 4, &[&version.anchor], &escape_text(&format!("{} {}", version.kind, version.name)));
    if let Some(resource) = version.sections.first() {
        write_blocks(text, &resource.description);
    }
    write_facts(text, &version.facts);
    for sample in &version.samples {
        let fence = fence(&sample.text);
        let _ = writeln!(text, "Example, {}:\n\n{fence}yaml\n{}{fence}\n", code(&sample.file), sample.text);
    }
    if !version.columns.is_empty() {
        let names: Vec<&str> = COLUMNS.iter().zip(&version.columns[0]).map(|(name, _)| *name).collect();
        let _ = writeln!(text, "| {} |\n|{}", names.join(" | "), "---|".repeat(names.len()));
        for column in &version.columns {
            let cells = column.iter().map(|line| cell(&parts(line))).collect::<Vec<_>>();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text.push('\n');
    }
    for (index, section) in version.sections.iter().enumerate() {
        if index == 0 {
            write_rules(text, section);
            write_fields(text, &section.fields);
            continue;
        }
        heading(text, 5, &anchors(section), &code(&section.title));
        write_section(text, section);
    }
}

fn write_facts(text: &mut String, facts: &[Fact]) {
    for fact in facts {
        let _ = writeln!(text, "- {}: {}", fact.name, parts(&fact.value));
    }
    if !facts.is_empty() {
        text.push('\n');
    }
}

fn write_section(text: &mut String, section: &Section) {
    write_blocks(text, &section.description);
    for line in &section.uses {
        let _ = writeln!(text, "- {}", parts(line));
    }
    if !section.uses.is_empty() {
        text.push('\n');
    }
    write_rules(text, section);
    write_fields(text, &section.fields);
}

fn write_rules(text: &mut String, section: &Section) {
    for rule in &section.rules {
        let _ = writeln!(text, "- {}", parts(rule));
    }
    if !section.rules.is_empty() {
        text.push('\n');
    }
}

fn write_fields(text: &mut String, fields: &[Field]) {
    text.push_str("| Field | Type | Description | Default and validation |\n|---|---|---|---|\n");
    for field in fields {
        let required = if field.required { "<br>required" } else { "" };
        let rules: Vec<String> = field.rules.iter().map(parts).collect();
        let _ = writeln!(
            text,
            "| {}{required} | {} | {} | {} |",
            cell(&code(&field.name)),
            cell(&parts(&field.of_type)),
            cell(&blocks_in_a_cell(&field.description)),
            cell(&rules.join("<br>"))
        );
    }
    text.push('\n');
}

/// Renders a line of the page (text, code, links) as Markdown.
fn parts(line: &Line) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => escape_text(text),
        Part::Code(text) => code(text),
        Part::Link { text, to } if text == to => format!("<{to}>"),
        Part::Link { text, to } => format!("[{}](<{to}>)", escape_text(text)),
        Part::Section { text, anchor } => link(&escape_text(text), anchor),
    };
    line.iter().map(part).collect()
}

fn write_blocks(text: &mut String, blocks: &[Block]) {
    for (index, block) in blocks.iter().enumerate() {
        let _ = match block {
            Block::Paragraph(line) => writeln!(text, "{}", escape::line(&parts(line))),
            Block::Item(line) => writeln!(text, "- {}", escape::line(&parts(line))),
            Block::Code(lines) => {
                let code = lines.join("\n") + "\n";
                let fence = fence(&code);
                writeln!(text, "{fence}\n{code}{fence}")
            }
        };
        let list_goes_on = matches!((block, blocks.get(index + 1)), (Block::Item(_), Some(Block::Item(_))));
        if !list_goes_on {
            text.push('\n');
        }
    }
}

/// Renders blocks within a table cell, in which Markdown allows no paragraphs, lists or fences.
fn blocks_in_a_cell(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        let (separator, block) = match block {
            Block::Paragraph(line) => ("<br><br>", parts(line)),
            Block::Item(line) => ("<br>", format!("• {}", parts(line))),
            Block::Code(lines) => {
                let lines = lines.iter().filter(|line| !line.trim().is_empty());
                ("<br>", lines.map(|line| code(line)).collect::<Vec<_>>().join("<br>"))
            }
        };
        if !text.is_empty() {
            text.push_str(separator);
        }
        text.push_str(&block);
    }
    text
}
