//! Finds the paths in a Rust text that begin with `crate`, `self` or `super`: in `use` lines, in code, and within
//! macros.

use crate::syntax;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::ops::Range;

/// A path, or a `use` item with several paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathItem {
    /// The names of the inline modules that contain the path, outermost first.
    pub inside: Vec<String>,
    /// The number of `super`s at the start of the path, 0 for `self`; `None` if the path begins with `crate`.
    pub up: Option<usize>,
    /// The byte range of the `crate`, `self` or `super`s at the start of the path.
    pub start: Range<usize>,
    /// The items that the path or the `use` item names.
    pub leaves: Vec<Leaf>,
    /// The byte range of the whole `use` item, and its visibility; `None` for a path in code.
    pub line: Option<(Range<usize>, String)>,
}

/// An item that a path names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaf {
    /// The names after `crate`, `self` or the `super`s, each with its byte range.
    pub names: Vec<(String, Range<usize>)>,
    /// True if the path ends in `*`.
    pub glob: bool,
    /// The new name after `as`; `None` if the path has no `as`.
    pub renamed: Option<String>,
}

/// Returns the paths that begin with `crate`, `self` or `super`, in text order; `None` if the text is not Rust.
pub fn paths(text: &str) -> Option<Vec<PathItem>> {
    let mut walk = Walk { text, inside: Vec::new(), found: Vec::new() };
    walk.tokens(syntax::tokens(text)?, false);
    Some(walk.found)
}

/// Returns all identifiers of a Rust text, at any depth.
pub fn names(text: &str) -> std::collections::BTreeSet<String> {
    fn collect(tokens: TokenStream, names: &mut std::collections::BTreeSet<String>) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => drop(names.insert(name.to_string())),
                TokenTree::Group(group) => collect(group.stream(), names),
                _ => {}
            }
        }
    }
    let mut names = std::collections::BTreeSet::new();
    if let Some(tokens) = syntax::tokens(text) {
        collect(tokens, &mut names);
    }
    names
}

struct Walk<'a> {
    text: &'a str,
    inside: Vec<String>,
    found: Vec<PathItem>,
}

impl Walk<'_> {
    fn tokens(&mut self, tokens: TokenStream, in_attribute: bool) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < trees.len() {
            match &trees[at] {
                TokenTree::Group(group) => self.group(&trees, at, group, in_attribute),
                TokenTree::Literal(literal) if in_attribute => self.record_quoted_path(literal.span().byte_range()),
                _ if begins(&trees, at) => {
                    let (named, next) = path(&trees, at, self.text, &self.inside);
                    self.found.push(named);
                    at = next;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn group(&mut self, trees: &[TokenTree], at: usize, group: &Group, in_attribute: bool) {
        let attribute = group.delimiter() == Delimiter::Bracket && at > 0 && is_token(trees, at - 1, "#");
        let module = (at > 1 && is_token(trees, at - 2, "mod")).then(|| trees[at - 1].to_string());
        let deeper = module.filter(|_| group.delimiter() == Delimiter::Brace);
        self.inside.extend(deeper.clone());
        self.tokens(group.stream(), in_attribute || attribute);
        if deeper.is_some() {
            self.inside.pop();
        }
    }

    /// Records the path that a string literal of an attribute contains. For example, serde attributes name functions in
    /// string literals.
    fn record_quoted_path(&mut self, place: Range<usize>) {
        let inner = place.start + 1..place.end - 1;
        let Some(tokens) = self.text.get(inner.clone()).and_then(syntax::tokens) else {
            return;
        };
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        if begins(&trees, 0) {
            let mut named = path(&trees, 0, &self.text[inner.clone()], &self.inside).0;
            let shift = |place: &mut Range<usize>| *place = place.start + inner.start..place.end + inner.start;
            shift(&mut named.start);
            named.leaves.iter_mut().flat_map(|leaf| &mut leaf.names).for_each(|(_, place)| shift(place));
            self.found.push(named);
        }
    }
}

/// Returns true if a path begins with the token at index `at`.
fn begins(trees: &[TokenTree], at: usize) -> bool {
    ["crate", "self", "super"].iter().any(|word| is_token(trees, at, word))
        && is_separator(trees, at + 1)
        && !(at > 0 && is_token(trees, at - 1, "$"))
        && !(at > 1 && is_separator(trees, at - 2))
}

fn is_token(trees: &[TokenTree], at: usize, word: &str) -> bool {
    match trees.get(at) {
        Some(TokenTree::Ident(name)) => *name == word,
        Some(TokenTree::Punct(mark)) => word.chars().eq([mark.as_char()]),
        _ => false,
    }
}

fn is_separator(trees: &[TokenTree], at: usize) -> bool {
    is_token(trees, at, ":") && is_token(trees, at + 1, ":")
}

/// Returns the path that begins at index `first`, and the index after the path.
fn path(trees: &[TokenTree], first: usize, text: &str, inside: &[String]) -> (PathItem, usize) {
    let place = |at: usize| trees[at].span().byte_range();
    let (mut last, mut up) = (first, usize::from(is_token(trees, first, "super")));
    while !is_token(trees, first, "crate") && is_separator(trees, last + 1) && is_token(trees, last + 3, "super") {
        last += 3;
        up += 1;
    }
    let mut leaves = Vec::new();
    let used = first > 0 && is_token(trees, first - 1, "use");
    let next = branch(trees, last + 3, &Leaf::default(), used, &mut leaves);
    let line = used.then(|| {
        let restricted =
            first > 2 && is_token(trees, first - 3, "pub") && matches!(trees[first - 2], TokenTree::Group(_));
        let start = match first {
            _ if restricted => first - 3,
            _ if first > 1 && is_token(trees, first - 2, "pub") => first - 2,
            _ => first - 1,
        };
        let end = (next..trees.len()).find(|at| is_token(trees, *at, ";")).unwrap_or(trees.len() - 1);
        (place(start).start..place(end).end, text[place(start).start..place(first - 1).start].to_owned())
    });
    let up = (!is_token(trees, first, "crate")).then_some(up);
    (PathItem { inside: inside.to_vec(), up, start: place(first).start..place(last).end, leaves, line }, next)
}

/// Reads the rest of a path, which begins at index `at` of `trees`, and adds the items that the path names to `leaves`.
/// If the path contains braces, adds the items of each path in the braces. Returns the index after the path.
fn branch(trees: &[TokenTree], at: usize, above: &Leaf, used: bool, leaves: &mut Vec<Leaf>) -> usize {
    let mut leaf = above.clone();
    match trees.get(at) {
        Some(TokenTree::Ident(name)) => {
            if *name != "self" {
                leaf.names.push((name.to_string(), name.span().byte_range()));
            }
            let goes_on = matches!(trees.get(at + 3), Some(TokenTree::Ident(_) | TokenTree::Group(_)))
                || is_token(trees, at + 3, "*");
            if is_separator(trees, at + 1) && goes_on {
                return branch(trees, at + 3, &leaf, used, leaves);
            }
            let renamed = used && is_token(trees, at + 1, "as");
            leaf.renamed = renamed.then(|| trees.get(at + 2).map(ToString::to_string)).flatten();
            leaves.push(leaf);
            if renamed { at + 3 } else { at + 1 }
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let listed: Vec<TokenTree> = group.stream().into_iter().collect();
            let mut next = 0;
            while next < listed.len() {
                next = branch(&listed, next, above, used, leaves);
                next += usize::from(is_token(&listed, next, ","));
            }
            at + 1
        }
        Some(TokenTree::Punct(mark)) if mark.as_char() == '*' => {
            leaf.glob = true;
            leaves.push(leaf);
            at + 1
        }
        _ => {
            leaves.push(leaf);
            at + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::paths;

    /// Returns a string for each item that a path in `text` names, to compare in tests. The string contains the inline
    /// modules around the path, then `crate` or the number of `super`s, then the names in the path, and `use` if the
    /// path is in a `use` item.
    fn said(text: &str) -> Vec<String> {
        let mut said = Vec::new();
        for named in paths(text).expect("Rust") {
            for leaf in &named.leaves {
                let names: Vec<&str> = leaf.names.iter().map(|(name, _)| name.as_str()).collect();
                let up = named.up.map_or("crate".to_owned(), |up| up.to_string());
                let line = named.line.as_ref().map(|(_, visibility)| format!(" {visibility}use")).unwrap_or_default();
                let glob = if leaf.glob { "*" } else { "" };
                said.push(format!("{}{up}:{}{glob}{line}", named.inside.join("/"), names.join(".")));
            }
        }
        said
    }

    #[test]
    fn paths_are_found_wherever_they_stand() {
        for (text, expected) in [
            ("use super::{A, b::{self, C as D}};", &["1:A use", "1:b use", "1:b.C use"][..]),
            ("pub(crate) use crate::v1::*;", &["crate:v1* pub(crate) use"]),
            ("mod tests { use super::*; fn f() { super::super::g(); } }", &["tests1:* use", "tests2:g"]),
            ("struct A { a: Vec<crate::v1::B>, b: self::c::D }", &["crate:v1.B", "0:c.D"]),
            ("json!({ \"a\": [super::default_a()] })", &["1:default_a"]),
            ("impl A { pub(crate) fn b(self) { self.c; crate::d::<u8>() } }", &["crate:d"]),
            ("macro_rules! m { () => { $crate::a::b() } }", &[]),
            ("let a = self::B::C as u8;", &["0:B.C"]),
            ("#[serde(default = \"super::b\", with = \"c\")] const D: &str = \"crate::e\";", &["1:b"]),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
        assert_eq!(paths("}"), None);
    }
}
