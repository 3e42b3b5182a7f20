//! Finds the RBAC rights that requests of `kube::Api` and `kube::Client` need. A request of a client names the kind
//! in a type argument, or in the declared type of the result.

use super::kinds::Kind;
use super::needs::Reader;
use super::resolve_names::{KnownType, Names};
use crate::kube_rs::{CLIENT_REQUESTS, REQUESTS, is_apply, named_subresource};
use syn::{Block, Expr, ExprMethodCall, ReturnType, Signature, Stmt, Type};

impl Reader<'_> {
    /// Adds the rights that a method call on an `Api` needs.
    pub(super) fn request(&mut self, call: &ExprMethodCall, name: &str, at: proc_macro2::Span) {
        let known = REQUESTS.iter().find(|(method, ..)| *method == name).map(|(_, below, verbs)| (*below, *verbs));
        let Some((subresource, verbs)) = known.or_else(|| named_subresource(call, name)) else { return };
        let Some(KnownType::Api(kind)) = self.thing(&call.receiver) else { return };
        // The kind of `Api::all(..)` shows only in the object that is sent.
        let sent = if name == "create" { call.args.get(1) } else { None };
        if let Some(kind) = kind.or_else(|| self.object(sent)) {
            let what = format!("`.{name}(..)` of `{}`", kind.name);
            // An apply makes the object if it does not exist. A controller's own objects exist.
            let may_create = is_apply(call) && !self.names.is_own(&kind);
            let verbs = if may_create { &["create", "patch"] } else { verbs };
            self.need(kind, subresource, verbs, &what, at);
        }
    }

    /// Returns true if an expression is a `kube::Client`, by its type or by its name.
    pub(super) fn is_client(&self, expression: &Expr) -> bool {
        names_client(expression, &|expression| self.thing(expression))
    }

    /// Adds the right that a request of a `kube::Client` for `kind` needs.
    pub(super) fn client_request(&mut self, call: &ExprMethodCall, kind: Kind) {
        let name = call.method.to_string();
        if let Some(verbs) = verbs(&name) {
            let what = format!("`.{name}(..)` of `{}`", kind.name);
            self.need(kind, "", verbs, &what, call.method.span());
        }
    }

    /// Adds the right for the `kube::Client` request in `value`, if the call has no type argument. The kind of the
    /// request then follows only from `of`, the declared type of the result.
    pub(super) fn add_typed_request(&mut self, value: &Expr, of: &Type) {
        if let Some((call, kind)) = typed_call(value, of, self.names)
            && self.is_client(&call.receiver)
        {
            self.client_request(call, kind);
        }
    }

    /// Adds the right for a `kube::Client` request that is the last expression of a function. The kind of the request
    /// follows from the function's return type.
    pub(super) fn add_returned_request(&mut self, signature: &Signature, block: &Block) {
        if let (ReturnType::Type(_, of), Some(Stmt::Expr(value, None))) = (&signature.output, block.stmts.last()) {
            self.add_typed_request(value, of);
        }
    }
}

/// Returns the verbs that a method of `kube::Client` needs; `None` if the method makes no request.
fn verbs(method: &str) -> Option<&'static [&'static str]> {
    CLIENT_REQUESTS.iter().find(|(known, _)| *known == method).map(|(_, verbs)| *verbs)
}

/// Returns true if an expression is a `kube::Client`, judged by its type or by a name such as `ctx.client`. The name
/// counts because the types of most expressions are unknown.
fn names_client(expression: &Expr, known: &dyn Fn(&Expr) -> Option<KnownType>) -> bool {
    known(expression) == Some(KnownType::Client)
        || match expression {
            Expr::Path(path) => path.path.is_ident("client"),
            Expr::Field(field) => matches!(&field.member, syn::Member::Named(name) if name == "client"),
            Expr::MethodCall(call) => {
                call.method == "client" || (call.method == "clone" && names_client(&call.receiver, known))
            }
            Expr::Reference(inner) => names_client(&inner.expr, known),
            _ => false,
        }
}

/// Returns the method call that produces `value`, and the kind in `of`, the declared type of `value`. For `let pods:
/// ObjectList<Pod> = client.list(..).await?`, these are the call of `list` and the kind `Pod`. Returns `None` if `of`
/// does not contain a kind, if the call has type arguments, or if a `kube::Client` has no request method with this
/// name.
fn typed_call<'e>(value: &'e Expr, of: &Type, names: &Names<'_>) -> Option<(&'e ExprMethodCall, Kind)> {
    match value {
        Expr::Try(inner) => typed_call(&inner.expr, of, names),
        Expr::Await(inner) => typed_call(&inner.base, of, names),
        Expr::Paren(inner) => typed_call(&inner.expr, of, names),
        Expr::Call(call) if matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Ok")) => {
            typed_call(call.args.first()?, of, names)
        }
        Expr::MethodCall(call) if verbs(&call.method.to_string()).is_some() => {
            let kind = names.kind_of(of).filter(|_| call.turbofish.is_none())?;
            Some((call, kind))
        }
        Expr::MethodCall(call) => match call.method.to_string().as_str() {
            "context" | "map_err" | "unwrap" | "expect" | "with_context" => typed_call(&call.receiver, of, names),
            _ => None,
        },
        _ => None,
    }
}
