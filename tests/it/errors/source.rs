//! Where the source makes errors.

use std::path::Path;
use syn::visit::{self, Visit};

/// One error, with `{}` where something is filled in.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) category: String,
    pub(super) message: String,
    pub(super) hints: Vec<String>,
    pub(super) place: String,
}

/// Every `Error::category(message)` outside of tests.
pub(super) fn made(folder: &Path) -> Vec<Made> {
    let mut all = Vec::new();
    for (path, bytes) in crate::support::tree(folder) {
        let is_code = Path::new(&path).extension().is_some_and(|extension| extension == "rs");
        if !is_code || path.ends_with("tests.rs") || path == "error.rs" {
            continue;
        }
        let file = syn::parse_file(&String::from_utf8(bytes).unwrap()).unwrap();
        let mut visitor = Visitor { path, made: Vec::new(), hints: Vec::new() };
        visitor.visit_file(&file);
        all.extend(visitor.made);
    }
    all
}

struct Visitor {
    path: String,
    made: Vec<Made>,
    /// Those of the method calls around what is visited.
    hints: Vec<String>,
}

impl<'ast> Visit<'ast> for Visitor {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let hint = (call.method == "hint").then(|| template(&call.args[0])).flatten();
        let given = hint.is_some();
        self.hints.extend(hint);
        self.visit_expr(&call.receiver);
        if given {
            self.hints.pop();
        }
        // An error within an argument has its own hint.
        let outer = std::mem::take(&mut self.hints);
        call.args.iter().for_each(|argument| self.visit_expr(argument));
        self.hints = outer;
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Some((category, line)) = category(&call.func) {
            let message = call.args.first().and_then(template).unwrap_or_else(|| "{}".to_owned());
            let place = format!("{}:{}", self.path, line);
            self.made.push(Made { category, message, hints: self.hints.clone(), place });
        }
        let outer = std::mem::take(&mut self.hints);
        visit::visit_expr_call(self, call);
        self.hints = outer;
    }
}

/// The constructor's name, and the line that it is on.
fn category(function: &syn::Expr) -> Option<(String, usize)> {
    let syn::Expr::Path(path) = function else { return None };
    let [error, category] =
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().try_into().ok()?;
    let known = super::CATEGORIES.iter().any(|(name, ..)| *name == category);
    let line = path.path.segments[0].ident.span().start().line;
    (error == "Error" && known).then_some((category, line))
}

/// A text with `{}` where something is filled in; `None` if nothing of it is written there.
fn template(expression: &syn::Expr) -> Option<String> {
    let text = match expression {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => return Some(text.value()),
        syn::Expr::Macro(call) if call.mac.path.is_ident("format") => {
            let first = call.mac.tokens.clone().into_iter().next()?;
            syn::parse2::<syn::LitStr>(first.into()).ok()?.value()
        }
        syn::Expr::Reference(reference) => return template(&reference.expr),
        _ => return None,
    };
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        plain.push_str(&rest[..at]);
        let doubled = rest[at + 1..].starts_with(&rest[at..=at]);
        if doubled {
            plain.push_str(&rest[at..=at]);
            rest = &rest[at + 2..];
        } else {
            plain.push_str("{}");
            rest = &rest[at + rest[at..].find('}')? + 1..];
        }
    }
    Some(plain + rest)
}
