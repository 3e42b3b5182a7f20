//! Finds the places in the source that make errors.

use std::path::Path;
use syn::visit::{self, Visit};

/// One error, with `{}` for the parts that are filled in.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) category: String,
    pub(super) message: String,
    pub(super) hints: Vec<String>,
    pub(super) place: String,
}

/// Returns each error that the sources in `folder` make, outside of tests, by a call such as
/// `Error::usage(message)`.
pub(super) fn made(folder: &Path) -> Vec<Made> {
    let mut all = Vec::new();
    for (path, bytes) in crate::support::tree(folder) {
        let is_code = Path::new(&path).extension().is_some_and(|extension| extension == "rs");
        let makes_all = ["error/error.rs", "error/file_error.rs"].contains(&path.as_str());
        if !is_code || path.ends_with("tests.rs") || path.contains("/tests/") || makes_all {
            continue;
        }
        let file = syn::parse_file(&String::from_utf8(bytes).unwrap()).unwrap();
        let mut named = Named::default();
        named.visit_file(&file);
        let mut visitor = Visitor { path, named, made: Vec::new(), hints: Vec::new(), loose: Vec::new() };
        visitor.visit_file(&file);
        all.extend(visitor.made);
    }
    all
}

/// The constants and variables of a file that hold a text, each as its name and its text.
#[derive(Default)]
struct Named(Vec<(String, String)>);

impl<'ast> Visit<'ast> for Named {
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.0.extend(templates(&item.expr).into_iter().map(|text| (item.ident.to_string(), text)));
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let (syn::Pat::Ident(name), Some(init)) = (&local.pat, &local.init) {
            self.0.extend(templates(&init.expr).into_iter().map(|text| (name.ident.to_string(), text)));
        }
        visit::visit_local(self, local);
    }
}

struct Visitor {
    path: String,
    named: Named,
    made: Vec<Made>,
    /// The hints of the `hint` calls in the method chain whose receiver contains the visited expression.
    hints: Vec<String>,
    /// Hints that the visited function adds to an error after making it, outside of the expression that makes the
    /// error.
    loose: Vec<String>,
}

impl Visitor {
    /// Visits a function, and collects the errors that the function makes. A function may add hints to an error in a
    /// separate expression, after the expression that makes the error. Each error of the function that has no other
    /// hint gets all of these hints.
    fn function(&mut self, visit: impl FnOnce(&mut Self)) {
        let (before, outer) = (self.made.len(), std::mem::take(&mut self.loose));
        visit(self);
        let loose = std::mem::replace(&mut self.loose, outer);
        for made in self.made[before..].iter_mut().filter(|made| made.hints.is_empty()) {
            made.hints.clone_from(&loose);
        }
    }
}

impl<'ast> Visit<'ast> for Visitor {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.function(|visitor| visit::visit_item_fn(visitor, function));
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.function(|visitor| visit::visit_impl_item_fn(visitor, function));
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let mut hints = Vec::new();
        if call.method == "hint" {
            hints = templates(&call.args[0]);
            if let syn::Expr::Path(path) = &call.args[0] {
                let named = self.named.0.iter().filter(|(name, _)| path.path.is_ident(name));
                hints = named.map(|(_, text)| text.clone()).collect();
            }
        }
        let (made, outer) = (self.made.len(), self.hints.len());
        self.hints.extend(hints.clone());
        self.visit_expr(&call.receiver);
        self.hints.truncate(outer);
        if self.made.len() == made {
            self.loose.extend(hints);
        }
        // An error within an argument has its own hints.
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

/// Returns the name of an error's constructor, such as `usage` for `Error::usage`, and the line of the call. Returns
/// `None` for other functions.
fn category(function: &syn::Expr) -> Option<(String, usize)> {
    let syn::Expr::Path(path) = function else { return None };
    let [error, category] =
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().try_into().ok()?;
    let known = super::CATEGORIES.iter().any(|(name, ..)| *name == category);
    let line = path.path.segments[0].ident.span().start().line;
    (error == "Error" && known).then_some((category, line))
}

/// The methods that return a command line, each with the program that the command line runs.
const PROGRAMS: [(&str, &str); 3] = [("kubectl", "kubectl"), ("opctl", "opctl"), ("opctl_without_cluster", "opctl")];

/// Returns all texts that an expression may have as its value.
fn templates(expression: &syn::Expr) -> Vec<String> {
    let last = |block: &syn::Block| match block.stmts.last() {
        Some(syn::Stmt::Expr(expression, None)) => templates(expression),
        _ => Vec::new(),
    };
    match expression {
        syn::Expr::If(branch) => {
            let other = branch.else_branch.iter().flat_map(|(_, other)| templates(other));
            last(&branch.then_branch).into_iter().chain(other).collect()
        }
        syn::Expr::Block(block) => last(&block.block),
        syn::Expr::Match(branches) => branches.arms.iter().flat_map(|arm| templates(&arm.body)).collect(),
        _ => template(expression).into_iter().collect(),
    }
}

/// Returns a text with `{}` for the parts that are filled in. `None` if the expression holds no literal text.
fn template(expression: &syn::Expr) -> Option<String> {
    let (text, mut arguments) = match expression {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => return Some(text.value()),
        syn::Expr::Macro(call) if ["format", "hint"].iter().any(|name| call.mac.path.is_ident(name)) => {
            let all = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
            let mut arguments: Vec<syn::Expr> = call.mac.parse_body_with(all).ok()?.into_iter().collect();
            arguments.reverse();
            let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = arguments.pop()? else { return None };
            (text.value(), arguments)
        }
        syn::Expr::Reference(reference) => return template(&reference.expr),
        // `Hint::snippet(..)` of a text for a file.
        syn::Expr::Call(call) if matches!(&*call.func, syn::Expr::Path(path) if path.path.segments.last()?.ident == "snippet") =>
        {
            return template(call.args.first()?);
        }
        syn::Expr::MethodCall(call) if call.method == "into" => return template(&call.receiver),
        // Command lines, to which flags that choose the cluster are added.
        syn::Expr::MethodCall(call) if PROGRAMS.iter().any(|(method, _)| call.method == method) => {
            let (_, program) = PROGRAMS.iter().find(|(method, _)| call.method == method)?;
            return Some(format!("{program} {}", template(call.args.first()?)?));
        }
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
            let end = at + rest[at..].find('}')?;
            // Among the values that are filled in, only command lines are known here.
            let filled = if end == at + 1 { arguments.pop() } else { None };
            let line =
                filled.filter(|filled| matches!(filled, syn::Expr::MethodCall(_))).and_then(|call| template(&call));
            plain.push_str(&line.unwrap_or_else(|| "{}".to_owned()));
            rest = &rest[end + 1..];
        }
    }
    Some(plain + rest)
}
