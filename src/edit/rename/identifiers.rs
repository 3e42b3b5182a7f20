//! Finds the identifiers of a Rust text, and decides for each identifier if it names an item of another crate.

use crate::syntax;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::ops::Range;

/// An identifier outside of comments and literals.
pub(super) struct Identifier {
    pub(super) place: Range<usize>,
    /// True if the identifier is part of a path of several names, of a `use` item or of a module declaration.
    pub(super) is_in_path: bool,
    /// True if the identifier's path begins with another crate, or if the name is imported from another crate.
    pub(super) is_foreign: bool,
}

/// Returns the identifiers in text order; an empty list if the text does not consist of Rust tokens.
pub(super) fn identifiers(text: &str, crates: &[String]) -> Vec<Identifier> {
    let Some(tokens) = syntax::tokens(text) else { return Vec::new() };
    let mut walk = Walk { text, crates, imported: BTreeSet::new(), found: Vec::new() };
    // An import may stand below the code that uses it.
    walk.tokens(tokens.clone(), None);
    walk.found.clear();
    walk.tokens(tokens, None);
    walk.found
}

struct Walk<'a> {
    text: &'a str,
    crates: &'a [String],
    imported: BTreeSet<String>,
    found: Vec<Identifier>,
}

impl Walk<'_> {
    /// Collects the identifiers of `tokens`. `within` is `Some` if `tokens` are inside the braces of a `use` item:
    /// `Some(true)` if the path before the braces begins with another crate, else `Some(false)`. Outside of such
    /// braces, `within` is `None`.
    fn tokens(&mut self, tokens: TokenStream, within: Option<bool>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut is_use, mut is_foreign) = (within.is_some(), false);
        for (index, tree) in tokens.iter().enumerate() {
            let is_preceded = index > 1 && is_colon(&tokens[index - 1]) && is_colon(&tokens[index - 2]);
            match tree {
                TokenTree::Ident(identifier) if self.is_written(identifier) => {
                    let is_followed = tokens.get(index + 1..index + 3).is_some_and(|next| next.iter().all(is_colon));
                    let name = identifier.to_string();
                    // A path may begin with `::`, and continue after `>`.
                    let is_begun = |tree: &TokenTree| !matches!(tree, TokenTree::Punct(mark) if mark.as_char() != '>');
                    let goes_on = is_preceded && index > 2 && is_begun(&tokens[index - 3]);
                    if !goes_on {
                        let is_root = is_followed && self.crates.contains(&name);
                        is_foreign = within.unwrap_or(is_root || !is_use && self.imported.contains(&name));
                    }
                    let next = tokens.get(index + 1);
                    let is_imported = !is_followed && !matches!(next, Some(TokenTree::Ident(word)) if word == "as");
                    if is_use && is_foreign && is_imported && name != "self" {
                        self.imported.insert(name.clone());
                    }
                    let is_module = index > 0 && matches!(&tokens[index - 1], TokenTree::Ident(word) if word == "mod");
                    let is_in_path = is_preceded || is_followed || is_use || is_module;
                    let place = identifier.span().byte_range();
                    self.found.push(Identifier { place, is_in_path, is_foreign });
                    is_use |= name == "use";
                }
                TokenTree::Group(group) => {
                    self.tokens(group.stream(), (is_use && is_preceded).then_some(is_foreign));
                }
                TokenTree::Punct(mark) if mark.as_char() == ';' => is_use = false,
                _ => {}
            }
        }
    }

    /// Returns true if the text contains the identifier `name` at its position. Returns false for the identifier `doc`,
    /// which the parser adds for each documentation comment.
    fn is_written(&self, name: &Ident) -> bool {
        *name == self.text[name.span().byte_range()]
    }
}

fn is_colon(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ':')
}
