//! Finds the RBAC rights that code needs, as far as they are visible in the source: calls on an `Api` of a known kind,
//! watches, finalizers, events, and functions of the scaffolded runtime.
//!
//! To support a further method or function of kube, add its verbs to [`kube_rs`](crate::kube_rs); for other calls,
//! extend `method` or `function` in this file. A call that is not supported counts as needing no right.

use super::kinds::Kind;
use super::resolve_names::{KnownType, Names};
use super::runtime::{BLOCKED_BY_CHILDREN, of_runtime};
use crate::kube_rs::FUNCTIONS;
use crate::permissions::ExternalType;
use crate::source::crate_sources::Source;
use crate::source::discover::ApiType;
use crate::source::test_code::is_for_tests;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprMethodCall, FnArg, GenericArgument, Pat};

/// An RBAC right that the code needs, with the line and the column of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) kind: Kind,
    /// The subresource, such as `status`; empty for the resource itself.
    pub(super) subresource: &'static str,
    pub(super) verbs: &'static [&'static str],
    /// The code that needs the right, such as `.owns(..)`.
    pub(super) what: String,
    pub(super) line: usize,
    pub(super) column: usize,
}

const WATCH: &[&str] = &["list", "watch"];

/// Returns the rights that the code in a file needs; empty if the file is not valid Rust.
pub(super) fn needs(source: &Source, types: &[ApiType], external: &[ExternalType]) -> Vec<Need> {
    let Some(syntax) = &source.syntax else { return Vec::new() };
    let names = Names::of((&source.file, syntax), types, external);
    let mut reader = Reader { names: &names, local: BTreeMap::new(), needs: Vec::new() };
    reader.visit_file(syntax);
    reader.needs
}

pub(super) struct Reader<'n> {
    pub(super) names: &'n Names<'n>,
    /// The types of the variables in scope, by variable name.
    local: BTreeMap<String, KnownType>,
    needs: Vec<Need>,
}

impl Reader<'_> {
    pub(super) fn need(
        &mut self,
        kind: Kind,
        subresource: &'static str,
        verbs: &'static [&'static str],
        what: &str,
        at: proc_macro2::Span,
    ) {
        let start = at.start();
        let (line, column) = (start.line, start.column + 1);
        self.needs.push(Need { kind, subresource, verbs, what: what.to_owned(), line, column });
    }

    /// Returns the known type of an expression's value.
    pub(super) fn thing(&self, expression: &Expr) -> Option<KnownType> {
        match expression {
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                self.local.get(&name).cloned()
            }
            Expr::Reference(inner) => self.thing(&inner.expr),
            Expr::Unary(inner) => self.thing(&inner.expr),
            Expr::Paren(inner) => self.thing(&inner.expr),
            Expr::Try(inner) => self.thing(&inner.expr),
            Expr::Await(inner) => self.thing(&inner.base),
            Expr::Field(field) => match &field.member {
                syn::Member::Named(name) => self.names.fields.get(&name.to_string()).cloned().flatten(),
                syn::Member::Unnamed(_) => None,
            },
            Expr::Struct(literal) => self.names.kind(&literal.path).map(KnownType::Object),
            Expr::MethodCall(call) => match call.method.to_string().as_str() {
                "clone" | "as_ref" | "to_owned" | "borrow" | "context" | "with_context" | "map_err" => {
                    self.thing(&call.receiver)
                }
                _ => None,
            },
            Expr::Call(call) => self.call_result_type(call),
            _ => None,
        }
    }

    /// Returns the known type of a call's result.
    fn call_result_type(&self, call: &ExprCall) -> Option<KnownType> {
        let Expr::Path(function) = &*call.func else { return None };
        let segments = &function.path.segments;
        let last = segments.last()?.ident.to_string();
        if segments.len() == 1 {
            return self.names.functions.get(&last).cloned();
        }
        let of = &segments[segments.len() - 2];
        match (of.ident.to_string().as_str(), last.as_str()) {
            ("Api", _) => Some(KnownType::Api(match &of.arguments {
                syn::PathArguments::AngleBracketed(arguments) => {
                    arguments.args.iter().find_map(|argument| match argument {
                        GenericArgument::Type(of) => self.names.kind_of(of),
                        _ => None,
                    })
                }
                _ => None,
            })),
            ("Client", "new" | "try_default" | "try_from") => Some(KnownType::Client),
            ("Arc" | "Box" | "Rc", "new" | "clone") => self.thing(call.args.first()?),
            (_, "default" | "new") => {
                let mut path = function.path.clone();
                path.segments.pop();
                path.segments.pop_punct();
                self.names.kind(&path).map(KnownType::Object)
            }
            _ => None,
        }
    }

    fn api(&self, expression: Option<&Expr>) -> Option<Kind> {
        match self.thing(expression?)? {
            KnownType::Api(kind) => kind,
            _ => None,
        }
    }

    pub(super) fn object(&self, expression: Option<&Expr>) -> Option<Kind> {
        self.thing(expression?).and_then(KnownType::object)
    }

    /// Returns the kind of the first argument of `function`, if the function is in this file.
    fn reconciled_kind(&self, function: Option<&Expr>) -> Option<Kind> {
        let Expr::Path(path) = function? else { return None };
        self.names.reconcilers.get(&path.path.get_ident()?.to_string()).cloned()
    }

    fn method(&mut self, call: &ExprMethodCall) {
        let (name, at) = (call.method.to_string(), call.method.span());
        let turbofish = self.names.kind_in_brackets(call);
        match name.as_str() {
            "owns"
            | "watches"
            | "owns_with"
            | "owns_across_namespaces"
            | "watches_with"
            | "watches_map"
            | "watches_metadata"
            | "reads" => {
                let watched =
                    self.api(call.args.first()).or(turbofish).or_else(|| self.watched_kind(call.args.first()));
                self.runtime(&name, watched, at);
            }
            // `Controller::new(..)….run(reconcile, error_policy, context)`, where only `reconcile` shows the kind.
            "run" if call.args.len() == 3 => {
                if let Some(kind) = self.reconciled_kind(call.args.first()) {
                    let what = format!("the controller of `{}`", kind.name);
                    self.need(kind, "", WATCH, &what, at);
                }
            }
            "apply_status" if self.thing(&call.receiver) == Some(KnownType::Context) => {
                self.runtime(&name, self.object(call.args.first()), at);
            }
            // A call such as `controller.finalizer(NAME, cleanup)`.
            "finalizer" if call.args.len() == 2 => self.runtime(&name, self.reconciled_kind(call.args.get(1)), at),
            // A call such as `context.apply(owner, child)`.
            "apply" | "apply_exactly" | "create_once"
                if self.thing(&call.receiver) == Some(KnownType::Context) && call.args.len() == 2 =>
            {
                self.runtime(&name, self.object(call.args.get(1)), at);
                if let Some(owner) = self.object(call.args.first()) {
                    let what = format!("`.{name}(..)` for a `{}`", owner.name);
                    self.need(owner, BLOCKED_BY_CHILDREN.0, BLOCKED_BY_CHILDREN.1, &what, at);
                }
            }
            "remove" if self.thing(&call.receiver) == Some(KnownType::Context) => self.runtime(&name, turbofish, at),
            _ if self.is_client(&call.receiver) => {
                if let Some(kind) = turbofish {
                    self.client_request(call, kind);
                }
            }
            _ => self.request(call, &name, at),
        }
    }

    /// Adds the RBAC rights on `kind` that a call of the function `name` in the scaffolded `runtime` crate needs.
    fn runtime(&mut self, name: &str, kind: Option<Kind>, at: proc_macro2::Span) {
        let (Some(kind), Some((subresource, verbs))) = (kind, of_runtime(name)) else { return };
        let what = match name {
            "namespaced" | "cluster_scoped" => format!("the controller of `{}`", kind.name),
            _ => format!("`.{name}(..)` of `{}`", kind.name),
        };
        self.need(kind, subresource, verbs, &what, at);
    }

    /// Returns `Kind` from `Watch::<Kind>::new()`, also if method calls follow.
    fn watched_kind(&self, expression: Option<&Expr>) -> Option<Kind> {
        match expression? {
            Expr::MethodCall(call) => self.watched_kind(Some(&call.receiver)),
            Expr::Call(call) => self.names.kind_of_watch(call),
            _ => None,
        }
    }

    fn function(&mut self, call: &ExprCall) {
        let Expr::Path(function) = &*call.func else { return };
        let segments = &function.path.segments;
        let Some(last) = segments.last() else { return };
        let of = segments.iter().rev().nth(1).map(|of| of.ident.to_string()).unwrap_or_default();
        let (name, at) = (last.ident.to_string(), last.ident.span());
        let first = call.args.first();
        match (of.as_str(), name.as_str()) {
            ("Controller", "new") => {
                if let Some(kind) = self.api(first) {
                    let what = format!("the controller of `{}`", kind.name);
                    self.need(kind, "", WATCH, &what, at);
                }
            }
            ("Controller", "namespaced" | "cluster_scoped") => {
                self.runtime(&name, self.reconciled_kind(call.args.get(1)), at);
            }
            ("Recorder", "new") => {
                let event =
                    Kind { name: "Event".to_owned(), group: "events.k8s.io".to_owned(), plural: "events".to_owned() };
                self.need(event, "", &["create", "patch"], "`Recorder::new(..)`", at);
            }
            _ => {
                let Some((_, verbs)) = FUNCTIONS.iter().find(|(function, _)| *function == name) else { return };
                // A call such as `finalizer(&api, NAME, obj, ..)`, where the kind of the `Api` may show only in the
                // object.
                let sent = if name == "finalizer" { call.args.get(2) } else { None };
                if let Some(kind) = self.api(first).or_else(|| self.object(sent)) {
                    let what = format!("`{name}(..)` of `{}`", kind.name);
                    self.need(kind, "", verbs, &what, at);
                }
            }
        }
    }

    fn bind(&mut self, pattern: &Pat, thing: Option<KnownType>) {
        match pattern {
            Pat::Ident(ident) => {
                let name = ident.ident.to_string();
                match thing {
                    Some(thing) => self.local.insert(name, thing),
                    None => self.local.remove(&name),
                };
            }
            Pat::Type(typed) => {
                let thing = self.names.thing(&typed.ty).or(thing);
                self.bind(&typed.pat, thing);
            }
            Pat::Reference(inner) => self.bind(&inner.pat, thing),
            other => self.visit_pat(other),
        }
    }

    /// Runs `visit`, and then restores the variables that were in scope before.
    fn run_in_scope(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = self.local.clone();
        visit(self);
        self.local = outer;
    }

    fn body(&mut self, attributes: &[syn::Attribute], signature: &syn::Signature, block: &syn::Block) {
        if !is_for_tests(attributes) {
            self.run_in_scope(|reader| {
                reader.local.clear();
                reader.arguments(signature.inputs.iter());
                reader.visit_block(block);
                reader.add_returned_request(signature, block);
            });
        }
    }

    fn arguments<'a>(&mut self, inputs: impl Iterator<Item = &'a FnArg>) {
        for input in inputs {
            if let FnArg::Typed(typed) = input {
                let thing = self.names.thing(&typed.ty);
                self.bind(&typed.pat, thing);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.body(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.body(&item.attrs, &item.sig, &item.block);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.run_in_scope(|reader| visit::visit_block(reader, block));
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.run_in_scope(|reader| visit::visit_arm(reader, arm));
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.run_in_scope(|reader| {
            for input in &closure.inputs {
                reader.bind(input, None);
            }
            reader.visit_expr(&closure.body);
        });
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let init = local.init.as_ref().map(|init| &*init.expr);
        if let (Pat::Type(typed), Some(value)) = (&local.pat, init) {
            self.add_typed_request(value, &typed.ty);
        }
        if let (Pat::Tuple(names), Some(Expr::Tuple(values))) = (&local.pat, init)
            && names.elems.len() == values.elems.len()
        {
            let things = values.elems.iter().map(|value| {
                self.visit_expr(value);
                self.thing(value)
            });
            for (name, thing) in names.elems.iter().zip(things.collect::<Vec<_>>()) {
                self.bind(name, thing);
            }
            return;
        }
        let mut thing = None;
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, diverge)) = &init.diverge {
                self.visit_expr(diverge);
            }
            thing = self.thing(&init.expr);
        }
        self.bind(&local.pat, thing);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        // The type of this name is unknown from here on.
        self.local.remove(&pattern.ident.to_string());
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.method(call);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        self.function(call);
        visit::visit_expr_call(self, call);
    }
}
