//! Instruments Rust source with switches. Each switch turns off one statement, condition or match arm.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The source line and the code that a switch turns off.
pub(crate) struct Switch {
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// Inserts `crate::on(N) && ..` before conditions, and similar code around statements and after patterns. The
/// numbers `N` continue those of `switches`, to which the new switches are added. Works on tokens, which is enough
/// for the style of this crate's sources.
pub(crate) fn instrument(source: &str, switches: &mut Vec<Switch>) -> String {
    let source = source.split("#[cfg(test)]").next().unwrap();
    let tokens: TokenStream = source.parse().unwrap();
    let mut walk = Walk { source, switches, insertions: Vec::new() };
    walk.block(&tokens.into_iter().collect::<Vec<_>>());
    let mut insertions = walk.insertions;
    insertions.sort_by_key(|(at, _)| *at);
    let mut text = String::new();
    let mut done = 0;
    for (at, insertion) in insertions {
        text.push_str(&source[done..at]);
        text.push_str(&insertion);
        done = at;
    }
    text + &source[done..]
}

struct Walk<'a> {
    source: &'a str,
    switches: &'a mut Vec<Switch>,
    insertions: Vec<(usize, String)>,
}

fn is(token: &TokenTree, text: &str) -> bool {
    match token {
        TokenTree::Ident(ident) => ident == text,
        TokenTree::Punct(punct) => text.len() == 1 && text.starts_with(punct.as_char()),
        _ => false,
    }
}

fn is_brace(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn start(token: &TokenTree) -> usize {
    token.span().byte_range().start
}

fn end(token: &TokenTree) -> usize {
    token.span().byte_range().end
}

fn tokens(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

/// Returns the positions of the `=` of each `=>`.
fn arrows(all: &[TokenTree]) -> Vec<usize> {
    (1..all.len()).filter(|at| is(&all[*at], ">") && is(&all[at - 1], "=")).map(|at| at - 1).collect()
}

impl Walk<'_> {
    fn switch(&mut self, first: &TokenTree, last: &TokenTree) -> String {
        let text = &self.source[start(first)..end(last)];
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(100).collect();
        self.switches.push(Switch { line: first.span().start().line, text });
        format!("crate::on({})", self.switches.len())
    }

    fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.insertions.push((at, text.into()));
    }

    /// Instruments the tokens between braces, parentheses or brackets, or of a whole file.
    fn block(&mut self, all: &[TokenTree]) {
        self.statements(all);
        self.conditions(all);
        for (at, token) in all.iter().enumerate() {
            let TokenTree::Group(group) = token else { continue };
            let within = tokens(group);
            // Attributes, and code that is evaluated at compile time, cannot have switches.
            let attribute = at > 0 && (is(&all[at - 1], "#") || is(&all[at - 1], "!")) && !is_brace(token);
            let constant = group.delimiter() != Delimiter::Parenthesis
                && all[..at]
                    .iter()
                    .rev()
                    .take_while(|token| !is(token, ";") && !is_brace(token))
                    .any(|token| is(token, "const"));
            if !attribute && !constant {
                if is_brace(token) {
                    self.arms(&within);
                }
                self.block(&within);
            }
        }
    }

    /// Adds switches, which turn code off, around `for` loops, and around statements that end in `;` except items,
    /// `let` statements, `return`, `break` and `continue`.
    fn statements(&mut self, all: &[TokenTree]) {
        let mut first = 0;
        for at in 0..all.len() {
            let leads = all[first..=at]
                .iter()
                .any(|token| ["if", "for", "while", "match", "loop"].iter().any(|word| is(token, word)));
            if is_brace(&all[at])
                && (leads && is_keyword_led(&all[first]) || is_item(&all[first]))
                && !all.get(at + 1).is_some_and(|next| is(next, "else"))
            {
                if is(&all[first], "for") {
                    self.around(&all[first], &all[at]);
                }
                first = at + 1;
            } else if is(&all[at], ";") {
                if at > first && !is_item(&all[first]) && !is_keyword_led(&all[first]) && !leaves(&all[first]) {
                    self.around(&all[first], &all[at]);
                }
                first = at + 1;
            }
        }
    }

    fn around(&mut self, first: &TokenTree, last: &TokenTree) {
        let switch = self.switch(first, last);
        self.insert(start(first), format!("if {switch} {{ "));
        self.insert(end(last), " }");
    }

    /// Instruments the conditions of `if` expressions and match guards.
    fn conditions(&mut self, all: &[TokenTree]) {
        for at in (0..all.len()).filter(|at| is(&all[*at], "if")) {
            let rest = &all[at + 1..];
            let arrow = arrows(rest).first().copied().unwrap_or(usize::MAX);
            let Some(close) =
                rest.iter().position(is_brace).into_iter().chain([arrow]).filter(|one| *one < rest.len()).min()
            else {
                continue;
            };
            let condition = &rest[..close];
            let (Some(first), Some(last)) = (condition.first(), condition.last()) else { continue };
            let switch = self.switch(first, last);
            if condition.iter().any(|token| is(token, "let")) {
                self.insert(start(first), format!("{switch} && "));
            } else {
                self.insert(start(first), format!("{switch} && ("));
                self.insert(end(last), ")");
            }
        }
    }

    /// Instruments the arms of a match whose last arm is `_`.
    fn arms(&mut self, all: &[TokenTree]) {
        let arrows = arrows(all);
        let Some((last, others)) = arrows.split_last() else { return };
        if *last < 1 || !is(&all[last - 1], "_") || (*last > 1 && !is(&all[last - 2], ",") && !is_brace(&all[last - 2]))
        {
            return;
        }
        let mut from = 0;
        for arrow in others {
            let pattern = &all[from..*arrow];
            from = all[*arrow..]
                .iter()
                .position(|token| is(token, ",") || is_brace(token))
                .map_or(all.len(), |at| arrow + at + 1);
            let (Some(first), Some(last)) = (pattern.first(), pattern.last()) else { continue };
            if !pattern.iter().any(|token| is(token, "if")) {
                let first = if is(first, ",") { &pattern[1] } else { first };
                let switch = self.switch(first, last);
                self.insert(end(last), format!(" if {switch}"));
            }
        }
    }
}

fn is_keyword_led(token: &TokenTree) -> bool {
    ["if", "for", "while", "match", "loop", "unsafe"].iter().any(|word| is(token, word))
}

fn is_item(token: &TokenTree) -> bool {
    ["pub", "fn", "impl", "struct", "enum", "use", "mod", "const", "static", "type", "trait", "let", "#"]
        .iter()
        .any(|word| is(token, word))
}

fn leaves(token: &TokenTree) -> bool {
    ["return", "break", "continue"].iter().any(|word| is(token, word))
}
