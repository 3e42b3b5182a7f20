//! Parses Rust code from users, which may be nested so deeply that a parser would exhaust the stack.
//!
//! syn is recursive for each nesting level, and so is all code that walks over its syntax trees. So the tokens are
//! counted before syn parses a text. The count gives an upper bound for the nesting level of a token: the number of
//! tokens that enclose the token, plus the number of tokens before it in the same expression, type or item.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree, token_stream};

/// The maximum nesting of Rust code that is parsed. The program's stack suffices for several times as many levels
/// (see `system::with_large_stack`). Code that people write has at most some hundred levels.
pub const LEVELS: usize = 10_000;

/// Parses a Rust file.
///
/// # Errors
/// Fails if the text is not Rust, or is nested too deeply.
pub fn parse_file(text: &str) -> syn::Result<syn::File> {
    check(text)?;
    syn::parse_file(text)
}

/// Parses a part of a Rust file, such as an item or a type.
///
/// # Errors
/// Fails if the text is not such a part, or is nested too deeply.
pub fn parse_str<T: syn::parse::Parse>(text: &str) -> syn::Result<T> {
    check(text)?;
    syn::parse_str(text)
}

/// Returns the tokens of a text, or `None` if the text does not consist of Rust tokens or is nested too deeply.
pub fn tokens(text: &str) -> Option<TokenStream> {
    let tokens = text.parse().ok()?;
    (most_tokens(text) <= LEVELS || too_deep(&tokens).is_none()).then_some(tokens)
}

/// Returns the line at which a text is nested too deeply; `None` if the text is not nested too deeply, or does not
/// consist of Rust tokens.
pub fn too_deep_at(text: &str) -> Option<usize> {
    Some(place_too_deep(text)?.start().line)
}

fn check(text: &str) -> syn::Result<()> {
    // syn's own parser reports what does not consist of tokens.
    match place_too_deep(text) {
        Some(place) => Err(syn::Error::new(place, format!("it is nested more deeply than {LEVELS} levels"))),
        None => Ok(()),
    }
}

fn place_too_deep(text: &str) -> Option<Span> {
    // A byte begins two of the tokens that are counted at most.
    if text.len() * 2 <= LEVELS || most_tokens(text) <= LEVELS {
        return None;
    }
    too_deep(&text.parse().ok()?)
}

/// Returns an upper bound of the number of tokens in the text, and thus of its nesting. Most files have fewer tokens
/// than [`LEVELS`], and this count takes a small fraction of the time of a tokenizer, so every source is counted first.
fn most_tokens(text: &str) -> usize {
    let (chunks, rest) = text.as_bytes().as_chunks();
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    let (mut begun, mut last_of_word) = (0, 0);
    for chunk in chunks.iter().chain([&last]) {
        let bytes = u64::from_le_bytes(*chunk);
        let lower = bytes | (EACH * 0x20);
        let in_word =
            bytes_between(bytes, b'0', b'9') | bytes_between(lower, b'a', b'z') | bytes_between(bytes, b'_', b'_');
        // Letters beyond ASCII have the highest bit.
        let in_word = in_word | (bytes & HIGHEST);
        let space = bytes_between(bytes, b'\t', b'\r') | bytes_between(bytes, b' ', b' ');
        let begins = in_word & !((in_word << 8) | last_of_word);
        last_of_word = in_word >> 56;
        begun += (begins | (HIGHEST & !(in_word | space))).count_ones() as usize;
    }
    // `///` is five tokens: `#`, the brackets, and `doc = ""` between them.
    begun * 2
}

/// A word of eight bytes, each with the value 1.
const EACH: u64 = u64::from_le_bytes([1; 8]);
/// A word with the highest bit of each of its eight bytes set.
const HIGHEST: u64 = EACH * 0x80;

/// Returns a word with the highest bit set for each ASCII byte from `first` to `last`, inclusive.
#[inline]
fn bytes_between(bytes: u64, first: u8, last: u8) -> u64 {
    let ascii = bytes & !HIGHEST;
    let (from_first, behind_last) = (EACH * u64::from(0x80 - first), EACH * u64::from(0x7f - last));
    (ascii + from_first) & !(ascii + behind_last) & !bytes & HIGHEST
}

fn too_deep(tokens: &TokenStream) -> Option<Span> {
    let mut open = vec![Tokens::new(tokens.clone(), 0)];
    while let Some(innermost) = open.last_mut() {
        let Some(token) = innermost.next() else {
            open.pop();
            continue;
        };
        let levels = innermost.levels;
        if levels > LEVELS {
            return Some(token.span());
        }
        if let TokenTree::Group(group) = token {
            open.push(Tokens::new(group.stream(), levels));
        }
    }
    None
}

/// The tokens of a text, or of the part inside a pair of brackets, that are not yet read, with a count of the nesting
/// of the last token that was read.
struct Tokens {
    left: token_stream::IntoIter,
    /// The nesting level of the brackets.
    outer: usize,
    /// An upper bound of the nesting level of the last token that was read.
    levels: usize,
    /// The number of open angle brackets. While one is open, a comma does not reset `levels`, because it may separate
    /// generic arguments. A comparison `<` also counts, so that `levels` is reset later than necessary.
    angles: usize,
    /// True after a `|`. A comma then does not reset `levels`, because it may separate the arguments of a closure.
    bar: bool,
    last: Last,
}

/// The kind of the last token, as far as it affects the next token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Brace,
    /// `#`, or `!` after `#`: the bracket of an attribute follows.
    Hash,
    /// `-` or `=`: a `>` that follows belongs to an arrow.
    Arrow,
    Other,
}

impl Tokens {
    fn new(tokens: TokenStream, outer: usize) -> Self {
        let left = tokens.into_iter();
        Tokens { left, outer, levels: outer, angles: 0, bar: false, last: Last::Other }
    }

    fn next(&mut self) -> Option<TokenTree> {
        let token = self.left.next()?;
        let before = std::mem::replace(&mut self.last, Last::Other);
        match &token {
            TokenTree::Punct(mark) => self.mark(mark.as_char(), before),
            // Attributes stand one after the other.
            TokenTree::Group(_) if before == Last::Hash => {}
            TokenTree::Group(group) => {
                self.levels += 1;
                if group.delimiter() == Delimiter::Brace {
                    self.last = Last::Brace;
                }
            }
            TokenTree::Ident(word) => {
                // `if a {} else if b {} else …`, `{} as u8 as …`, `for S {} in for S {} in …`
                let goes_on = before == Last::Brace && ["else", "as", "in"].iter().any(|known| word == known);
                self.begin_anew(before == Last::Brace && !goes_on);
                self.levels += 1;
            }
            TokenTree::Literal(_) => {
                self.begin_anew(before == Last::Brace);
                self.levels += 1;
            }
        }
        Some(token)
    }

    fn mark(&mut self, mark: char, before: Last) {
        match mark {
            ';' => return self.begin_anew(true),
            ',' => return self.begin_anew(self.angles == 0 && !self.bar),
            '#' => {
                self.begin_anew(before == Last::Brace);
                self.last = Last::Hash;
                return;
            }
            '!' if before == Last::Hash => {
                self.last = Last::Hash;
                return;
            }
            '<' => self.angles += 1,
            '>' if before != Last::Arrow => self.angles = self.angles.saturating_sub(1),
            '|' => self.bar = true,
            '-' | '=' => self.last = Last::Arrow,
            _ => {}
        }
        self.levels += 1;
    }

    /// Resets the nesting level if `does` is true, because the next token is not nested in the tokens before it.
    fn begin_anew(&mut self, does: bool) {
        if does {
            (self.levels, self.angles, self.bar) = (self.outer, 0, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_nesting_is_counted() {
        let levels = 60_000;
        let nested = |before: &str, within: &str, after: &str| {
            format!("{}{within}{}", before.repeat(levels), after.repeat(levels))
        };
        for (before, within, after) in [
            ("(", "1", ")"),
            ("[", "1", "]"),
            ("{", "1", "}"),
            ("!", "1", ""),
            ("&", "1", ""),
            ("return ", "1", ""),
            ("|a, b| ", "1", ""),
            ("match ", "1", " {}"),
            ("for S {} in ", "1", " {}"),
            ("if {a} {} else ", "{}", ""),
            ("if {a}(b) {} else ", "{}", ""),
            ("a", "", ".b()"),
            ("", "a", ".b::<c, d>()"),
            ("", "{}", " as u8"),
            ("", "a", " + 1"),
            ("a = ", "1", ""),
            ("#[a] !", "1", ""),
            ("f(1, ", "1", ")"),
        ] {
            let text = format!("fn f() {{ {} }}", nested(before, within, after));
            assert!(parse_file(&text).is_err_and(|error| error.to_string().contains("nested")), "{before}{after}");
        }
        for (before, after) in [
            ("Vec<", ">"),
            ("M<u8, ", ">"),
            ("M<{1}, ", ">"),
            ("&'a ", ""),
            ("*const ", ""),
            ("fn() -> ", ""),
            ("for<'a, 'b> fn() -> ", ""),
            ("fn(u8, u8) -> ", ""),
            ("[", "; 2]"),
            ("(u8, ", ")"),
        ] {
            let text = format!("\ntype A = {};", nested(before, "u8", after));
            assert_eq!(too_deep_at(&text), Some(2), "{before}{after}");
            assert!(tokens(&text).is_none(), "{before}{after}");
        }
    }

    #[test]
    fn no_text_has_more_tokens_than_are_counted() {
        fn count(tokens: TokenStream) -> usize {
            let below = |token| if let TokenTree::Group(group) = token { count(group.stream()) } else { 0 };
            tokens.into_iter().map(|token| 1 + below(token)).sum()
        }
        for text in [
            include_str!("syntax.rs"),
            "///\n//!\n/***/ /*!*/ /** a */\n",
            "a b::<'c, 'd> 1.0f64 0x_1u8 1..2 é·ü r#fn 'x' '\\'' \"a b\" r##\"a \"# b\"## b'x' br\"\" c\"\" <<= ..= => -> |||| &&&",
        ] {
            let tokens = count(text.parse().unwrap_or_else(|error| panic!("{text}: {error}")));
            assert!(tokens <= most_tokens(text), "{tokens} in {text}");
        }
    }

    #[test]
    fn long_files_are_not_deep() {
        let many = LEVELS * 2;
        for text in [
            "fn f() {} ".repeat(many),
            "use a::b; ".repeat(many),
            "/// a\n".repeat(many) + "struct A;",
            "#[a] struct A {} ".repeat(many),
            format!("const A: [u8; 1] = [{}];", "1, ".repeat(many)),
            format!("const A: [u8; 1] = [{}];", "f(a::<u8, u8>(), B { c: 1 | 2 }), ".repeat(many)),
            format!("fn f() {{ {} }}", "if a {} else {} ".repeat(many)),
            format!("fn f() {{ {} }}", "a = b.c(d)?; ".repeat(many)),
            format!("fn f() {{ match a {{ {} }} }}", "A | B => {} ".repeat(many)),
            format!("fn f() {{ match a {{ {} }} }}", "1 => {} ".repeat(many)),
            format!("enum A {{ {} }}", "/// a\nB(C<D, E>), ".repeat(many)),
        ] {
            assert!(parse_file(&text).is_ok(), "{}", &text[..60]);
        }
    }
}
