//! Adds `mod` and `use` lines at the position that rustfmt gives them.
//!
//! Within a block rustfmt sorts `use` lines by "version sorting"
//! (<https://doc.rust-lang.org/style-guide/index.html#sorting>), and `mod` lines by their bytes.

use super::lines::place_of;
use std::cmp::Ordering;
use std::ops::Range;

/// Adds `visibility mod name;`, such as `pub mod web_server;`, unless the text declares the module already.
pub fn insert_module(text: &str, visibility: &str, name: &str) -> String {
    let line = if visibility.is_empty() { format!("mod {name};") } else { format!("{visibility} mod {name};") };
    insert(text, "mod", name, &line)
}

/// Adds the `use` item `line`, which imports from the module `name` and may span several lines.
pub fn insert_use(text: &str, name: &str, line: &str) -> String {
    insert(text, "use", name, line)
}

/// Removes the lines of `item` from `text`, regardless of indentation. `insert` is a function that inserts `item` into
/// a text. If `insert` would add blank lines around `item`, these blank lines are removed as well.
pub fn remove_item(text: &str, item: &str, insert: impl Fn(&str) -> String) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(Range { start: first, end }) = place_of(item, &lines) else { return text.to_owned() };
    let is_blank = |at: usize| lines.get(at).is_some_and(|line| line.trim().is_empty());
    let blank_before = first > 0 && is_blank(first - 1);
    let without = |first: usize, end: usize| [&lines[..first], &lines[end..]].concat().concat();
    let candidates = [
        (blank_before && is_blank(end)).then(|| without(first - 1, end + 1)),
        is_blank(end).then(|| without(first, end + 1)),
        blank_before.then(|| without(first - 1, end)),
    ];
    candidates.into_iter().flatten().find(|rest| insert(rest) == text).unwrap_or_else(|| without(first, end))
}

/// A `mod` or `use` item: its first line (attributes and comments included), its last line, and its sort key.
struct Item {
    first: usize,
    last: usize,
    name: String,
}

fn insert(text: &str, keyword: &str, name: &str, line: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let items = items(&lines, keyword);
    // A user may have parted the `mod` lines into several blocks.
    let is_declared = || keyword == "mod" && lines.iter().any(|line| item_name(line, keyword).as_deref() == Some(name));
    if items.iter().any(|item| item.name == name) || is_declared() {
        return text.to_owned();
    }
    let order = if keyword == "mod" { |left: &str, right: &str| left.cmp(right) } else { version_order };
    let (position, spaced) = match items.iter().find(|item| order(name, &item.name) == Ordering::Less) {
        Some(after) => (after.first, false),
        None => match items.last() {
            Some(last) => (last.last + 1, false),
            None => (end_of_head(&lines, keyword), true),
        },
    };
    let mut edited: Vec<&str> = lines[..position].to_vec();
    // The new item stands directly below the module's documentation, and apart from anything else.
    if spaced && edited.last().is_some_and(|last| !last.trim().is_empty() && !last.starts_with("//!")) {
        edited.push("");
    }
    edited.extend(line.lines());
    if spaced && lines.get(position).is_some_and(|next| !next.trim().is_empty()) {
        edited.push("");
    }
    edited.extend(&lines[position..]);
    let mut edited = edited.join("\n");
    edited.push('\n');
    edited
}

/// Returns the items of the first block of top-level items with the given `keyword`, `mod` or `use`.
fn items(lines: &[&str], keyword: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut number = 0;
    while number < lines.len() {
        if let Some(name) = item_name(lines[number], keyword) {
            let mut first = number;
            while first > 0 && is_attached(lines[first - 1]) && items.last().is_none_or(|item| item.last < first - 1) {
                first -= 1;
            }
            let ends = |line: &str| line.split("//").next().unwrap_or_default().trim_end().ends_with(';');
            let last = (number..lines.len()).find(|at| ends(lines[*at])).unwrap_or(number);
            if items.last().is_some_and(|item| item.last + 1 != first) {
                break;
            }
            items.push(Item { first, last, name });
            number = last;
        }
        number += 1;
    }
    items
}

fn is_attached(line: &str) -> bool {
    line.starts_with("#[") || line.starts_with("///") || (line.starts_with("//") && !line.starts_with("//!"))
}

/// Returns the name of the module that `line` declares (`mod`) or imports from (`use`); `None` if `line` is not an item
/// with this `keyword`.
fn item_name(line: &str, keyword: &str) -> Option<String> {
    let rest = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => line,
    };
    let name = rest.trim_start().strip_prefix(keyword)?.strip_prefix(' ')?.trim_start();
    let end = name.find(|character: char| !(character.is_alphanumeric() || character == '_')).unwrap_or(name.len());
    // `mod name {` does not declare a file.
    (end > 0 && !(keyword == "mod" && name[end..].trim_start().starts_with('{'))).then(|| name[..end].to_owned())
}

/// Returns the index of the line at which a first item is inserted: below the licence header, inner documentation
/// and inner attributes, and for a `use` item also below the `mod` items.
fn end_of_head(lines: &[&str], keyword: &str) -> usize {
    if keyword == "use"
        && let Some(last) = items(lines, "mod").last()
    {
        return last.last + 1;
    }
    lines.iter().take_while(|line| line.is_empty() || line.starts_with("//") || line.starts_with("#![")).count()
}

/// Compares two names in rustfmt's order for `use` lines: `_` first, then numbers by value, then other characters.
fn version_order(left: &str, right: &str) -> Ordering {
    parts(left).cmp(&parts(right))
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Underscore,
    Number(u128),
    Other(char),
}

fn parts(name: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for character in name.chars() {
        match (character.to_digit(10), parts.last_mut()) {
            (Some(digit), Some(Part::Number(number))) => {
                *number = number.saturating_mul(10).saturating_add(digit.into());
            }
            (Some(digit), _) => parts.push(Part::Number(digit.into())),
            (None, _) if character == '_' => parts.push(Part::Underscore),
            (None, _) => parts.push(Part::Other(character)),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_kept_sorted_as_rustfmt_does() {
        let mut text = "//! Types.\n".to_owned();
        for name in ["v2", "v10", "v1", "v1beta1", "v1alpha1", "v1"] {
            text = insert_module(&text, "pub", name);
        }
        let expected = "pub mod v1;\npub mod v10;\npub mod v1alpha1;\npub mod v1beta1;\npub mod v2;\n";
        assert_eq!(text, format!("//! Types.\n{expected}"));
    }

    #[test]
    fn attributes_and_comments_stay_with_their_module() {
        let text = "//! Types.\n\n#[cfg(test)]\npub mod beta;\n\nuse beta::B;\n";
        let expected = "//! Types.\n\npub mod alpha;\n#[cfg(test)]\npub mod beta;\n\nuse beta::B;\n";
        assert_eq!(insert_module(text, "pub", "alpha"), expected);
        assert_eq!(insert_module(text, "pub", "beta"), text);
    }

    #[test]
    fn a_module_is_declared_once() {
        for text in
            ["pub mod a; // Mine.\npub mod b;\n", "pub mod b;\n\npub(crate) mod a;\n", "use b::B;\n\nmod a; // b\n"]
        {
            assert_eq!(insert_module(text, "pub", "a"), text);
        }
        assert_eq!(insert_module("pub mod a; // Mine.\n", "pub", "b"), "pub mod a; // Mine.\npub mod b;\n");
    }

    #[test]
    fn uses_go_below_modules() {
        let text = insert_use("mod redis;\n", "redis", "pub use redis::{Redis, RedisSpec};");
        let text = insert_use(&insert_module(&text, "", "proxy"), "proxy", "pub use proxy::{\n    Proxy,\n};");
        let expected =
            "mod proxy;\nmod redis;\n\npub use proxy::{\n    Proxy,\n};\npub use redis::{Redis, RedisSpec};\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn uses_are_sorted_by_version() {
        let mut text = String::new();
        for name in ["webserver", "web10", "web_server", "web2"] {
            text = insert_use(&text, name, &format!("pub use {name}::*;"));
        }
        let expected = ["web_server", "web2", "web10", "webserver"].map(|name| format!("pub use {name}::*;\n"));
        assert_eq!(text, expected.concat());
    }

    #[test]
    fn an_empty_file_needs_no_blank_line() {
        assert_eq!(insert_module("", "pub", "a"), "pub mod a;\n");
        assert_eq!(
            insert_module("// Licence\n\n//! Doc.\nfn f() {}\n", "pub", "a"),
            "// Licence\n\n//! Doc.\npub mod a;\n\nfn f() {}\n"
        );
    }
}
