//! Renders Markdown for a terminal: styled headings, aligned tables, code without fences, and paragraphs with unchanged
//! inline markup.

use crate::report::{WIDTH, wrap};
use anstyle::{AnsiColor, Style};

const HEADING: Style = Style::new().bold().underline();
const CODE: Style = AnsiColor::Cyan.on_default();

/// Renders headings in bold, code indented and in colour, text and tables within 80 columns. Lines of code are not
/// wrapped.
pub(super) fn render(markdown: &str) -> String {
    let (mut text, mut paragraph) = (String::new(), String::new());
    let mut fenced = false;
    let mut table: Vec<Vec<String>> = Vec::new();
    for line in markdown.lines() {
        let row = row(line).filter(|_| !fenced);
        let begins = fenced || row.is_some() || begins_a_block(line);
        if begins {
            text.push_str(&wrap_paragraph(&std::mem::take(&mut paragraph)));
        }
        if let Some(row) = row {
            table.push(row);
            continue;
        }
        text.push_str(&columns(&std::mem::take(&mut table)));
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced && !line.is_empty() {
            text.push_str(&format!("    {CODE}{line}{CODE:#}\n"));
        } else if let Some(heading) = ["# ", "## ", "### "].iter().find_map(|start| line.strip_prefix(start)) {
            text.push_str(&format!("{HEADING}{heading}{HEADING:#}\n"));
        } else if fenced || line.is_empty() {
            text.push('\n');
        } else if begins || paragraph.is_empty() {
            line.clone_into(&mut paragraph);
        } else {
            paragraph = format!("{paragraph} {}", line.trim_start());
        }
    }
    text + &wrap_paragraph(&paragraph) + &columns(&table)
}

/// Returns true if the line does not continue the text above it.
fn begins_a_block(line: &str) -> bool {
    let words = line.trim_start();
    let numbered = words.split_once(". ").is_some_and(|(number, _)| number.parse::<u8>().is_ok());
    let hint = line.starts_with("  hint: ") || line.starts_with("        ");
    line.is_empty() || hint || numbered || ["- ", "#", "```"].iter().any(|start| words.starts_with(start))
}

/// Wraps a paragraph to at most 80 columns, and aligns its further lines with the text after the paragraph's bullet,
/// number or `hint: `, if any.
fn wrap_paragraph(paragraph: &str) -> String {
    let words = paragraph.trim_start();
    if words.is_empty() {
        return String::new();
    }
    let indentation = paragraph.len() - words.len();
    let bullet = if words.starts_with("- ") || words.starts_with("hint: ") {
        words.find(' ').map_or(0, |blank| blank + 1)
    } else {
        words
            .split_once(". ")
            .filter(|(number, _)| number.parse::<u8>().is_ok())
            .map_or(0, |(number, _)| number.len() + 2)
    };
    let lines = wrap(words, WIDTH - indentation - bullet);
    let below = " ".repeat(indentation + bullet);
    let behind = |(index, line): (usize, &String)| match index {
        0 => format!("{}{line}\n", " ".repeat(indentation)),
        _ => format!("{below}{line}\n"),
    };
    lines.iter().enumerate().map(behind).collect::<Vec<_>>().concat()
}

/// Returns the cells of a line of a table, without the backticks around code; `None` if `line` is not a line of a
/// table.
fn row(line: &str) -> Option<Vec<String>> {
    let cells = line.strip_prefix("| ").or_else(|| line.strip_prefix('|'))?.strip_suffix('|')?;
    Some(cells.split('|').map(|cell| cell.trim().replace('`', "")).collect())
}

fn columns(table: &[Vec<String>]) -> String {
    let rows: Vec<_> = table.iter().filter(|row| !row.iter().all(|cell| cell == "---")).collect();
    let count = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let natural = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let mut widths: Vec<usize> = (0..count).map(|column| natural(column).unwrap_or(0)).collect();
    // Four blanks before a line, and three between columns.
    let room = (WIDTH - 4).saturating_sub(3 * count.saturating_sub(1));
    let word = |cell: &String| cell.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
    let longest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(word).max().unwrap_or(0);
    let no_word_breaks = (0..count).map(longest).sum::<usize>() <= room;
    let share = if no_word_breaks { room } else { room / count.max(1) };
    let least = |column: usize| longest(column).min(share);
    while widths.iter().sum::<usize>() > room {
        let wide = widths.iter_mut().enumerate().filter(|(column, width)| **width > least(*column));
        let Some((_, widest)) = wide.max_by_key(|(_, width)| **width) else { break };
        *widest -= 1;
    }
    let mut lines: Vec<Vec<String>> = Vec::new();
    for row in rows {
        let cells: Vec<Vec<String>> = row.iter().zip(&widths).map(|(cell, width)| wrap(cell, *width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let line = |index: usize| cells.iter().map(|cell| cell.get(index).cloned().unwrap_or_default()).collect();
        lines.extend((0..height).map(line));
    }
    let text = crate::report::columns(&lines);
    text.lines().fold(String::new(), |text, line| text + "    " + line + "\n")
}
