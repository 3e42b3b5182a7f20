//! Markdown for a terminal: as it is written, without the fences.

use anstyle::{AnsiColor, Style};

const HEADING: Style = Style::new().bold().underline();
const CODE: Style = AnsiColor::Cyan.on_default();

/// Headings in bold, code indented and in colour, tables with their columns aligned.
pub(super) fn render(markdown: &str) -> String {
    let mut text = String::new();
    let mut fenced = false;
    let mut table: Vec<Vec<String>> = Vec::new();
    for line in markdown.lines() {
        if let Some(row) = row(line).filter(|_| !fenced) {
            table.push(row);
            continue;
        }
        text.push_str(&columns(&std::mem::take(&mut table)));
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced && !line.is_empty() {
            text.push_str(&format!("    {CODE}{line}{CODE:#}\n"));
        } else if let Some(heading) = line.strip_prefix("# ").or_else(|| line.strip_prefix("## ")) {
            text.push_str(&format!("{HEADING}{heading}{HEADING:#}\n"));
        } else {
            text.push_str(line);
            text.push('\n');
        }
    }
    text + &columns(&table)
}

/// The cells of a table's line, without the quotes around code.
fn row(line: &str) -> Option<Vec<String>> {
    let cells = line.strip_prefix("| ").or_else(|| line.strip_prefix('|'))?.strip_suffix('|')?;
    Some(cells.split('|').map(|cell| cell.trim().replace('`', "")).collect())
}

fn columns(table: &[Vec<String>]) -> String {
    let rows: Vec<_> = table.iter().filter(|row| !row.iter().all(|cell| cell == "---")).collect();
    let text = crate::report::columns(&rows.into_iter().map(Vec::as_slice).collect::<Vec<_>>());
    text.lines().fold(String::new(), |text, line| text + "    " + line + "\n")
}
