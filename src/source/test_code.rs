//! Finds the parts of a file that are compiled only for tests, because of `#[cfg(test)]` (The Rust Reference,
//! "Conditional compilation").

use super::module_items::modules_with_files;
use crate::attributes::{nested_items, text};
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, Meta};

/// Returns the text with spaces in place of modules, functions and `impl` blocks for tests; line breaks stay.
pub(super) fn blank_out_tests<'a>(text: &'a str, syntax: &syn::File) -> Cow<'a, str> {
    let mut ranges = Vec::new();
    collect(&syntax.items, &mut ranges);
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    let blank = |(index, character): (usize, char)| match character {
        '\n' => '\n',
        _ if ranges.iter().any(|range| range.contains(&index)) => ' ',
        other => other,
    };
    Cow::Owned(text.char_indices().map(blank).collect())
}

fn collect(items: &[Item], ranges: &mut Vec<Range<usize>>) {
    for item in items {
        let (attributes, end) = match item {
            Item::Mod(item) => match &item.content {
                Some((_, items)) if !is_for_tests(&item.attrs) => {
                    collect(items, ranges);
                    continue;
                }
                Some((braces, _)) => (&item.attrs, braces.span.close()),
                None => continue,
            },
            Item::Fn(item) => (&item.attrs, item.block.brace_token.span.close()),
            Item::Impl(item) => (&item.attrs, item.brace_token.span.close()),
            _ => continue,
        };
        if let (true, Some(first)) = (is_for_tests(attributes), attributes.first()) {
            ranges.push(first.pound_token.spans[0].byte_range().start..end.byte_range().end);
        }
    }
}

/// Returns the possible paths of the test modules that `file` declares: for each module `NAME`, the file `NAME.rs` and
/// the folder `NAME`.
pub(super) fn modules(file: &Path, syntax: &syn::File) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let folder = if ["lib", "main", "mod"].contains(&stem) { folder.to_owned() } else { folder.join(stem) };
    let declared = modules_with_files(&syntax.items).filter(|item| is_for_tests(&item.attrs));
    let declared = declared.map(|item| item.ident.to_string());
    declared.flat_map(|name| [folder.join(format!("{name}.rs")), folder.join(name)]).collect()
}

/// Returns true for `#[cfg(test)]`, `#[cfg(all(test, ..))]`, `#[cfg(feature = "testing")]`, `#[test]`, and the test
/// attributes of async runtimes, such as `#[tokio::test]`.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.segments.last().is_some_and(|last| last.ident == "test"),
        Meta::List(list) if list.path.is_ident("cfg") => list.parse_args::<Meta>().is_ok_and(|meta| needs_test(&meta)),
        Meta::List(list) => list.path.segments.last().is_some_and(|last| last.ident == "test"),
        Meta::NameValue(_) => false,
    })
}

fn needs_test(meta: &Meta) -> bool {
    match meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => nested_items(meta).iter().any(needs_test),
        // The feature of opctl's runtime crate that has helpers for tests.
        Meta::NameValue(pair) => pair.path.is_ident("feature") && text(meta).as_deref() == Some("testing"),
        Meta::List(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{blank_out_tests, modules};
    use std::path::Path;

    #[test]
    fn code_for_tests_is_blanked_out() {
        let source = "\
fn a() {} // one
#[cfg(test)]
mod unit { // two
    fn é() {}
} // three
mod inner {
    #[tokio::test]
    async fn works() {
        // four
    }
    // five
}
#[cfg(not(test))]
fn b() { /* six */ }
#[cfg(all(test, feature = \"a\"))]
impl A { /* seven */ }
";
        let syntax = syn::parse_file(source).expect("valid");
        let text = blank_out_tests(source, &syntax);
        let kept = |word: &str| text.contains(word);
        let all = ["one", "two", "three", "four", "five", "six", "seven"];
        assert_eq!(all.map(kept), [true, false, true, false, true, true, false], "{text}");
        let places = |text: &str| text.lines().position(|line| line.contains("// three"));
        assert_eq!(places(&text), places(source));
    }

    #[test]
    fn files_of_modules_for_tests_are_known() {
        let syntax = syn::parse_file(
            "#[cfg(test)] mod tests; mod other; #[cfg(test)] mod inline {}
            #[cfg(feature = \"testing\")] mod testing; #[cfg(feature = \"other\")] mod optional;",
        )
        .expect("valid");
        let found =
            |file: &str| modules(Path::new(file), &syntax).iter().map(|path| path.display().to_string()).collect();
        let (root, below): (Vec<_>, Vec<_>) = (found("src/lib.rs"), found("src/a/b.rs"));
        assert_eq!(root, ["src/tests.rs", "src/tests", "src/testing.rs", "src/testing"]);
        assert_eq!(below, ["src/a/b/tests.rs", "src/a/b/tests", "src/a/b/testing.rs", "src/a/b/testing"]);
    }
}
