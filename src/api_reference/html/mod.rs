//! Writes the API reference as a page for browsers, in one file.

mod style;
#[cfg(test)]
mod tests;

use super::GENERATED;
use super::inline_text::{Block, Line, Part};
use super::page::{COLUMNS, Fact, Field, Page, SHARED, Section, Version};
use crate::html::{escaped, head};
use std::fmt::Write as _;
use style::STYLE;

/// Renders the API reference as an HTML page.
pub fn html(page: &Page) -> String {
    let project = escaped(&page.project);
    let mut text =
        format!("<!doctype html><!-- {GENERATED} -->\n{}", head(&format!("{}: API reference", page.project), STYLE));
    contents(&mut text, page);
    let _ = writeln!(
        text,
        "<main>\n<h1>API reference</h1>\n<p>The kinds of {project}. A field may be left out unless it is required.</p>"
    );
    for group in &page.groups {
        heading(&mut text, 2, &[&group.name], &escaped(&group.name));
        for kind in &group.kinds {
            heading(&mut text, 3, &[&kind.anchor], &escaped(&kind.name));
            write_facts(&mut text, &kind.facts);
            for version in &kind.versions {
                write_version(&mut text, version);
            }
        }
    }
    if !page.shared.is_empty() {
        heading(&mut text, 2, &[SHARED], "Shared objects");
        text.push_str("<p>Objects that several kinds or versions contain.</p>\n");
        for section in &page.shared {
            write_section(&mut text, 3, section);
        }
    }
    text + "</main>\n</html>\n"
}

fn contents(text: &mut String, page: &Page) {
    text.push_str("<nav aria-label=\"Contents\">\n");
    for group in &page.groups {
        let _ = writeln!(text, "<p>{}</p>", link(&escaped(&group.name), &group.name));
        for version in group.kinds.iter().flat_map(|kind| &kind.versions) {
            let name = escaped(&format!("{} {}", version.kind, version.name));
            let _ = writeln!(text, "<details><summary>{}</summary>", link(&name, &version.anchor));
            write_places(text, version.sections.get(1..).unwrap_or_default());
            text.push_str("</details>\n");
        }
    }
    if !page.shared.is_empty() {
        let _ = writeln!(text, "<p>{}</p>\n<details><summary>all</summary>", link("Shared objects", SHARED));
        write_places(text, &page.shared);
        text.push_str("</details>\n");
    }
    text.push_str("</nav>\n");
}

fn write_places(text: &mut String, sections: &[Section]) {
    text.push_str("<ul>\n");
    for section in sections {
        let title = format!("<code>{}</code>", escaped(&section.title));
        let _ = writeln!(text, "<li>{}</li>", link(&title, section.anchors.first().map_or("", String::as_str)));
    }
    text.push_str("</ul>\n");
}

fn link(html: &str, anchor: &str) -> String {
    format!("<a href=\"#{}\">{html}</a>", escaped(anchor))
}

fn heading(text: &mut String, level: usize, anchors: &[&str], title: &str) {
    let (first, others) = anchors.split_first().unwrap_or((&"", &[]));
    let others = others.iter().map(|anchor| format!("<a id=\"{}\"></a>", escaped(anchor))).collect::<Vec<_>>().concat();
    let anchor = escaped(first);
    let _ = writeln!(
        text,
        "<h{level} id=\"{anchor}\">{others}{title} <a class=\"here\" href=\"#{anchor}\" aria-label=\"link\">#</a></h{level}>"
    );
}

fn write_version(text: &mut String, version: &Version) {
    heading(text, 4, &[&version.anchor], &escaped(&format!("{} {}", version.kind, version.name)));
    let Some((resource, sections)) = version.sections.split_first() else { return };
    write_blocks(text, &resource.description);
    write_facts(text, &version.facts);
    for sample in &version.samples {
        let _ = writeln!(
            text,
            "<p>Example, <code>{}</code>:</p>\n<pre>{}</pre>",
            escaped(&sample.file),
            escaped(&sample.text)
        );
    }
    if !version.columns.is_empty() {
        text.push_str("<div class=\"wide\"><table>\n");
        let names =
            COLUMNS.iter().zip(&version.columns[0]).map(|(name, _)| format!("<th>{name}")).collect::<Vec<_>>().concat();
        let _ = writeln!(text, "<tr>{names}</tr>");
        for column in &version.columns {
            let cells = column.iter().map(|line| format!("<td>{}", parts(line))).collect::<Vec<_>>().concat();
            let _ = writeln!(text, "<tr>{cells}</tr>");
        }
        text.push_str("</table></div>\n");
    }
    write_rules(text, &resource.rules);
    write_fields(text, resource);
    for section in sections {
        write_section(text, 5, section);
    }
}

fn write_section(text: &mut String, level: usize, section: &Section) {
    let anchors: Vec<&str> = section.anchors.iter().map(String::as_str).collect();
    heading(text, level, &anchors, &format!("<code>{}</code>", escaped(&section.title)));
    write_blocks(text, &section.description);
    write_rules(text, &section.uses);
    write_rules(text, &section.rules);
    write_fields(text, section);
}

fn write_facts(text: &mut String, facts: &[Fact]) {
    text.push_str("<dl class=\"facts\">\n");
    for fact in facts {
        let _ = writeln!(text, "<dt>{}</dt><dd>{}</dd>", fact.name, parts(&fact.value));
    }
    text.push_str("</dl>\n");
}

fn write_rules(text: &mut String, rules: &[Line]) {
    if !rules.is_empty() {
        let items = rules.iter().map(|rule| format!("<li>{}</li>", parts(rule))).collect::<Vec<_>>().concat();
        let _ = writeln!(text, "<ul>{items}</ul>");
    }
}

fn write_fields(text: &mut String, section: &Section) {
    text.push_str("<div class=\"fields\">\n");
    for field in &section.fields {
        write_field(text, field);
    }
    text.push_str("</div>\n");
}

fn write_field(text: &mut String, field: &Field) {
    // If the field's type is an object, the section of that object has the anchor of the field's path.
    let has_section = field.of_type.iter().any(|part| matches!(part, Part::Section { .. }));
    let id = if has_section { String::new() } else { format!(" id=\"{}\"", escaped(&field.anchor)) };
    let required = if field.required { "<b>required</b>" } else { "" };
    let _ = writeln!(
        text,
        "<section{id}><div><code>{}</code> {required}<span>{}</span></div><div>",
        escaped(&field.name),
        parts(&field.of_type)
    );
    write_blocks(text, &field.description);
    write_rules(text, &field.rules);
    text.push_str("</div></section>\n");
}

fn parts(line: &Line) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => escaped(text),
        Part::Code(text) => format!("<code>{}</code>", escaped(text)),
        Part::Link { text, to } => format!("<a href=\"{}\">{}</a>", escaped(to), escaped(text)),
        Part::Section { text, anchor } => link(&escaped(text), anchor),
    };
    line.iter().map(part).collect()
}

fn write_blocks(text: &mut String, blocks: &[Block]) {
    let mut listed = false;
    for block in blocks {
        let item = matches!(block, Block::Item(_));
        if item != listed {
            text.push_str(if item { "<ul>" } else { "</ul>\n" });
            listed = item;
        }
        let _ = match block {
            Block::Paragraph(line) => writeln!(text, "<p>{}</p>", parts(line)),
            Block::Item(line) => write!(text, "<li>{}</li>", parts(line)),
            Block::Code(lines) => writeln!(text, "<pre>{}</pre>", escaped(&lines.join("\n"))),
        };
    }
    text.push_str(if listed { "</ul>\n" } else { "" });
}
