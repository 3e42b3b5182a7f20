//! Compares the webhooks that the code serves with the webhooks that `+opctl:webhook` markers declare. The API server
//! calls only declared webhooks.

use crate::finding::{Finding, Lint};
use crate::permissions::rights::Names;
use crate::source::crate_sources::Source;
use crate::source::discover::ApiType;
use crate::source::test_code::is_for_tests;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, FnArg, ItemFn, ItemMod};

pub(crate) static UNMARKED: Lint = Lint::error(
    "OP416",
    "a webhook function without a `+opctl:webhook` marker",
    "The manager serves the webhook, but no configuration names it: the API server stores objects without calling the \
     webhook.",
    "manager.webhook(webhook::validating(validate)); // no marker above `validate`",
    "// +opctl:webhook:path=/validate-example-com-v1-foo,mutating=false,..\n\
     fn validate(obj: &Foo, old: Option<&Foo>, _: &webhook::Request) -> webhook::Findings { .. }",
);

/// Reports each webhook in the code whose path is not in `marked`: the API server never calls such a webhook.
pub(super) fn report_unmarked_webhooks(source: &Source, types: &[ApiType], marked: &BTreeSet<&str>) -> Vec<Finding> {
    let Some(syntax) = source.syntax.as_ref().filter(|_| source.text.contains("webhook::")) else { return Vec::new() };
    let names = Names::of((&source.file, syntax), types, &[]);
    let mut reader = Reader { names: &names, subjects: BTreeMap::new(), served: Vec::new() };
    reader.visit_file(syntax);
    let mut findings = Vec::new();
    for ServedWebhook { mutating, function, line, column } in reader.served {
        let Some(found) = function.as_ref().and_then(|name| reader.subjects.get(name)) else { continue };
        let path = path(found, mutating);
        if !marked.contains(path.as_str()) {
            let kind = &found.resource.kind;
            let said = format!("a webhook of `{kind}` is served at `{path}`, and no marker names it");
            findings.push(Finding::new(&UNMARKED, &source.file, line, said, marker(found, mutating)).at_column(column));
        }
    }
    findings
}

fn path(found: &ApiType, mutating: bool) -> String {
    let (verb, resource) = (if mutating { "mutate" } else { "validate" }, &found.resource);
    format!("/{verb}-{}-{}-{}", resource.group.replace('.', "-"), resource.version, resource.kind.to_lowercase())
}

/// Returns the webhook marker to write above the handler function, in the form that `opctl create webhook` writes.
fn marker(found: &ApiType, mutating: bool) -> String {
    let (resource, letter) = (&found.resource, if mutating { 'm' } else { 'v' });
    let plural = resource.stated.pointer("/spec/names/plural").and_then(|plural| plural.as_str()).unwrap_or_default();
    let (group, version, path) = (&resource.group, &resource.version, path(found, mutating));
    format!(
        "// +opctl:webhook:path={path},mutating={mutating},failurePolicy=fail,sideEffects=None,groups={group},\
         resources={plural},verbs=create;update,versions={version},name={letter}{}-{version}.{group},\
         admissionReviewVersions=v1",
        resource.kind.to_lowercase()
    )
}

struct ServedWebhook {
    mutating: bool,
    /// The name of the function that handles the requests, if the code passes a function by its name.
    function: Option<String>,
    line: usize,
    column: usize,
}

struct Reader<'n, 'a> {
    names: &'n Names<'a>,
    /// For each function in the source file, by its name, the API type of its first argument, if this is an API type.
    subjects: BTreeMap<String, &'a ApiType>,
    served: Vec<ServedWebhook>,
}

impl<'a> Visit<'a> for Reader<'_, '_> {
    fn visit_item_mod(&mut self, module: &'a ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        if let Some(FnArg::Typed(first)) = function.sig.inputs.first()
            && let Some(found) = self.names.api_type(&first.ty)
        {
            self.subjects.insert(function.sig.ident.to_string(), found);
        }
        visit::visit_item_fn(self, function);
    }

    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        if let Expr::Path(called) = &*call.func
            && let Some(mutating) = self.names.full(&called.path).iter().find_map(|full| makes_webhook(full))
        {
            let function = match call.args.first() {
                Some(Expr::Path(given)) => given.path.get_ident().map(ToString::to_string),
                _ => None,
            };
            let at = called.path.segments.first().map(|first| first.ident.span().start());
            let (line, column) = at.map_or((1, 1), |start| (start.line, start.column + 1));
            self.served.push(ServedWebhook { mutating, function, line, column });
        }
        visit::visit_expr_call(self, call);
    }
}

/// Returns true if `full`, the path of a called function, is a function that makes a mutating webhook, false if the
/// function makes a validating webhook, and `None` for any other function.
fn makes_webhook(full: &[String]) -> Option<bool> {
    let [.., module, function] = full else { return None };
    match (module.as_str(), function.as_str()) {
        ("webhook", "defaulting" | "defaulting_async") => Some(true),
        ("webhook", "validating" | "validating_async") => Some(false),
        _ => None,
    }
}
