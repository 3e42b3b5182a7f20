//! Reports watches that cache all objects of a kind whose objects are large, numerous or secret.

use super::kinds::Kind;
use super::resolve_names::Names;
use crate::finding::{Finding, Lint};
use crate::permissions::ExternalType;
use crate::source::crate_sources::Source;
use crate::source::discover::ApiType;
use crate::source::test_code::is_for_tests;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall};

pub(crate) static WHOLE_KIND: Lint = Lint::warning(
    "OP422",
    "a watch that caches all ConfigMaps, Secrets, Pods, Events or Nodes",
    "The operator caches each object of the kind with all its fields, including objects that other clients created: \
     memory grows with the cluster, and anyone who can read the memory can read all Secrets. A reconciler that gets \
     only a few Secrets by name does not need a watch: `.reads::<Secret>()` needs only `get`.",
    ".watches::<Secret>(secrets)",
    ".watches_metadata(Watch::<Secret>::new(), secrets)",
);

/// The kinds whose objects are large, numerous or secret, each as API group and kind.
const LARGE: [(&str, &str); 6] =
    [("", "ConfigMap"), ("", "Event"), ("events.k8s.io", "Event"), ("", "Node"), ("", "Pod"), ("", "Secret")];

/// The methods of `Watch` that restrict its cache to some of the kind's objects, or to some of their fields.
const NARROWING: [&str; 3] = ["labels", "fields", "metadata_only"];

/// Reports the watches that cache all objects of a kind whose objects are large, numerous or secret.
pub(crate) fn check(sources: &[Source], types: &[ApiType], external: &[ExternalType]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources {
        let Some(syntax) = &source.syntax else { continue };
        let names = Names::of((&source.file, syntax), types, external);
        let mut reader = Reader { source, names: &names, findings: Vec::new() };
        reader.visit_file(syntax);
        findings.append(&mut reader.findings);
    }
    findings
}

struct Reader<'a> {
    source: &'a Source,
    names: &'a Names<'a>,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    fn method(&mut self, call: &ExprMethodCall) {
        let name = call.method.to_string();
        let kind = match name.as_str() {
            // A watch of kube's own controllers, which have no cache of it, has three arguments.
            "watches" if call.args.len() == 1 => self.names.kind_in_brackets(call),
            "watches_with" | "watches_map" | "objects" => call.args.first().and_then(|watch| self.selects_all(watch)),
            _ => None,
        };
        let Some(Kind { name: kind, .. }) = kind.filter(is_large) else { return };
        let reason = format!("`.{name}(..)` keeps each `{kind}` of all watched namespaces in memory");
        let function = call.args.last().and_then(function_name).unwrap_or_else(|| "names".to_owned());
        let selected = format!("Watch::<{kind}>::new().labels(\"app.kubernetes.io/part-of=..\")");
        let hint = match name.as_str() {
            "objects" => format!(".objects({selected})"),
            "watches_map" => format!(".watches_map({selected}, {function})"),
            _ => format!(".watches_metadata(Watch::<{kind}>::new(), {function})"),
        };
        let start = call.method.span().start();
        let finding = Finding::new(&WHOLE_KIND, &self.source.file, start.line, reason, hint);
        self.findings.push(finding.at_column(start.column + 1));
    }

    /// Returns the kind of `Watch::<Kind>::new()..` if the watch has neither a label selector nor a field selector, and
    /// does not cache the metadata only.
    fn selects_all(&self, watch: &Expr) -> Option<Kind> {
        match watch {
            Expr::MethodCall(call) if NARROWING.iter().any(|method| call.method == method) => None,
            Expr::MethodCall(call) => self.selects_all(&call.receiver),
            Expr::Call(call) => self.names.kind_of_watch(call),
            _ => None,
        }
    }
}

fn is_large(kind: &Kind) -> bool {
    LARGE.contains(&(kind.group.as_str(), kind.name.as_str()))
}

/// Returns the function's name if the expression is only a name, such as `secrets`.
fn function_name(function: &Expr) -> Option<String> {
    let Expr::Path(path) = function else { return None };
    path.path.get_ident().map(ToString::to_string)
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.method(call);
        visit::visit_expr_method_call(self, call);
    }
}
