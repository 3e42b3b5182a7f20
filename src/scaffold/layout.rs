//! Lays out Rust code like rustfmt in the two places that depend on the names in the code: `use` blocks, and lines that
//! long names make too long.
//!
//! Because this module sorts and merges imports, a template can have one import per line in any order. A template for
//! the middle of a file contains its own imports, and [`layout`] moves them to the top of the file.

use std::collections::{BTreeMap, BTreeSet};

pub(super) const WIDTH: usize = 100;

/// The maximum width of a chain of calls that rustfmt leaves on one line.
pub(super) const CHAIN_WIDTH: usize = 60;

/// The maximum width of a `use` list that rustfmt leaves on one line.
const LIST_WIDTH: usize = 98;

/// Lays out Rust code: sorts and merges the lines of every block of `use` lines, and breaks signatures and constants
/// that are too long. Moves each `use` line that stands below other code up into the first block of `use` lines.
pub fn layout(text: &str) -> String {
    let is_head = |line: &&str| line.is_empty() || line.starts_with("//!") || imported_path(line).is_some();
    let licence = text.lines().take_while(|line| line.starts_with("// ")).count();
    let head = licence + text.lines().skip(licence).take_while(is_head).count();
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    let mut lines = Vec::new();
    let mut after_part = false;
    for (number, line) in text.lines().enumerate() {
        let Some(path) = imported_path(line) else {
            // The blank line between the imports of a part and its code.
            if !(after_part && line.is_empty()) {
                lines.push(Line::Text(line));
            }
            after_part &= line.is_empty();
            continue;
        };
        if number >= head {
            blocks[0].push(path);
            after_part = true;
            continue;
        }
        if !matches!(lines.last(), Some(Line::Uses(_))) {
            let is_first = !lines.iter().any(|line| matches!(line, Line::Uses(_)));
            lines.push(Line::Uses(if is_first { 0 } else { blocks.len() }));
            if !is_first {
                blocks.push(Vec::new());
            }
        }
        if let Some(block) = blocks.last_mut() {
            block.push(path);
        }
    }
    if !lines.iter().any(|line| matches!(line, Line::Uses(_))) {
        lines.insert(head, Line::Uses(0));
    }
    let mut laid = String::new();
    for line in lines {
        match line {
            Line::Uses(block) => laid.push_str(&sorted_use_lines(&blocks[block])),
            Line::Text(line) => laid.push_str(&(break_line(line) + "\n")),
        }
    }
    laid
}

enum Line<'a> {
    Text(&'a str),
    /// A block of `use` lines, as its index in the list of all such blocks.
    Uses(usize),
}

/// Returns the names of types that the text defines, or imports from another module than `own`.
pub(super) fn type_names<'a>(text: &'a str, own: &str) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        if let Some(path) = imported_path(line) {
            let (from, list) = split_path(path);
            let bound = |name: &'a str| name.rsplit_once(" as ").map_or(name, |(_, alias)| alias);
            names.extend(list.filter(|_| from != own).map(bound));
        }
        let definition = ["type ", "struct ", "enum "].iter().find_map(|word| line.strip_prefix(word));
        names.extend(definition.and_then(|rest| rest.split([' ', '<', '(']).next()));
    }
    names
}

fn imported_path(line: &str) -> Option<&str> {
    line.strip_prefix("use ")?.strip_suffix(';')
}

/// Splits a path such as `a::b::{C, D}` into the module and the names.
fn split_path(path: &str) -> (&str, impl Iterator<Item = &str>) {
    let (from, names) = path.rsplit_once("::{").map_or_else(
        || path.rsplit_once("::").unwrap_or(("", path)),
        |(from, names)| (from, names.trim_end_matches('}')),
    );
    (from, names.split(", "))
}

/// Returns the key by which rustfmt's style edition 2024 sorts `use` lines: `crate` comes before all other names, and a
/// list in braces comes after single names.
fn order(from: &str, names: &BTreeSet<&str>) -> Vec<(u8, String)> {
    let segment = |name: &str| (u8::from(name != "crate"), name.to_owned());
    let mut key: Vec<_> = from.split("::").map(segment).collect();
    let only = names.iter().next().filter(|_| names.len() == 1);
    key.push(only.map_or((2, String::new()), |name| segment(name)));
    key
}

fn sorted_use_lines(paths: &[&str]) -> String {
    let mut modules: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for path in paths {
        let (from, names) = split_path(path);
        modules.entry(from).or_default().extend(names);
    }
    let mut sorted: Vec<_> = modules.into_iter().collect();
    sorted.sort_by_key(|(from, names)| order(from, names));
    sorted.iter().map(|(from, names)| use_line(from, names)).collect()
}

fn use_line(from: &str, names: &BTreeSet<&str>) -> String {
    let list = names.iter().copied().collect::<Vec<_>>();
    if let [only] = list[..] {
        return format!("use {from}::{only};\n");
    }
    let line = format!("use {from}::{{{}}};", list.join(", "));
    if line.len() <= LIST_WIDTH {
        return format!("{line}\n");
    }
    format!("use {from}::{{\n{}}};\n", fill_lines(&list, "    "))
}

/// Renders items with a comma after each item, and with as many items on each line as fit.
pub(super) fn fill_lines(items: &[&str], indentation: &str) -> String {
    let (mut text, mut line) = (String::new(), String::new());
    for (number, item) in items.iter().enumerate() {
        // The comma after the last item does not count.
        let room = if number + 1 == items.len() { WIDTH } else { WIDTH - 1 };
        if !line.is_empty() && line.len() + 1 + item.len() + 1 > room {
            text.push_str(&format!("{line}\n"));
            line.clear();
        }
        line.push_str(if line.is_empty() { indentation } else { " " });
        line.push_str(&format!("{item},"));
    }
    format!("{text}{line}\n")
}

/// Renders an expression and the calls on it, laid out as by rustfmt at the beginning of a function's body.
pub(super) fn chain(start: &str, calls: &[String]) -> String {
    let line = format!("{start}{}", calls.concat());
    if line.len() <= CHAIN_WIDTH {
        return line;
    }
    calls.iter().fold(start.to_owned(), |text, call| format!("{text}\n        {call}"))
}

/// The maximum width of a struct's fields that rustfmt leaves on one line.
const STRUCT_WIDTH: usize = 18;

/// Renders the fields of a struct in braces, laid out as by rustfmt.
pub(super) fn literal(fields: &[String], indentation: &str) -> String {
    let line = fields.join(", ");
    match fields {
        [] => "{}".to_owned(),
        _ if line.len() <= STRUCT_WIDTH => format!("{{ {line} }}"),
        _ => {
            let lines = fields.iter().fold(String::new(), |lines, field| format!("{lines}{indentation}    {field},\n"));
            format!("{{\n{lines}{indentation}}}")
        }
    }
}

fn break_line(line: &str) -> String {
    if line.len() <= WIDTH {
        return line.to_owned();
    }
    let start = line.trim_start();
    let indentation = &line[..line.len() - start.len()];
    let is = |words: &[&str]| words.iter().any(|word| start.starts_with(word));
    if is(&["const ", "pub const ", "let "])
        && let Some((name, value)) = line.split_once(" = ")
    {
        return format!("{name} =\n{indentation}    {value}");
    }
    if is(&["pub "])
        && start.ends_with(',')
        && let Some((name, value)) = line.split_once(": ")
    {
        return format!("{name}:\n{indentation}    {value}");
    }
    if is(&["fn ", "async fn ", "pub fn ", "pub async fn "])
        && let Some((name, rest)) = line.split_once('(')
        && let Some((arguments, result)) = rest.rsplit_once(") ")
    {
        if arguments.is_empty() {
            return format!("{name}()\n{indentation}{result}");
        }
        let arguments = arguments.replace(", ", &format!(",\n{indentation}    "));
        return format!("{name}(\n{indentation}    {arguments},\n{indentation}) {result}");
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_joined_and_sorted() {
        let text = "//! Doc.\nuse kube::api::B;\nuse kube::{Api, Client};\nuse crate::runtime::x;\nuse crate::runtime::Z;\n\
                    use api::v1::W as V;\nuse kube::ResourceExt;\nuse kube::api::A;\n\nuse x::Y;\n";
        let expected = "//! Doc.\nuse crate::runtime::{Z, x};\nuse api::v1::W as V;\nuse kube::api::{A, B};\n\
                        use kube::{Api, Client, ResourceExt};\n\nuse x::Y;\n";
        assert_eq!(layout(text), expected);
        assert!(type_names(text, "api::v1").contains("Api"));
        assert!(!type_names(text, "api::v1").contains("V"));
    }

    #[test]
    fn long_lines_are_broken_as_rustfmt_does() {
        let long = "L".repeat(60);
        let fits = format!("fn f(a: {long}) -> X {{");
        assert_eq!(layout(&fits), format!("{fits}\n"));
        let text =
            format!("pub async fn reconcile(obj: Arc<{long}>, ctx: Arc<Context>) -> anyhow::Result<Action> {{\n");
        let expected = format!(
            "pub async fn reconcile(\n    obj: Arc<{long}>,\n    ctx: Arc<Context>,\n) -> anyhow::Result<Action> {{\n"
        );
        assert_eq!(layout(&text), expected);
        let text = format!("const NAME: &str = \"{}\";\n", "n".repeat(90));
        assert_eq!(layout(&text), text.replace("= ", "=\n    "));
        let text = format!("use api::v1::{{{long}, {long}Status}};\n");
        assert_eq!(layout(&text), format!("use api::v1::{{\n    {long},\n    {long}Status,\n}};\n"));
    }

    #[test]
    fn parts_bring_their_imports() {
        let text = "// Licence\n\n//! Doc.\nuse a::B;\n\nuse own::C;\n\ntype D = u8;\n\nuse a::A;\n\nfn f() {\n\
                    use z::Y;\n\n    g();\n}\n";
        let expected = "// Licence\n\n//! Doc.\nuse a::{A, B};\nuse z::Y;\n\nuse own::C;\n\ntype D = u8;\n\nfn f() {\n    g();\n}\n";
        assert_eq!(layout(text), expected);
    }
}
