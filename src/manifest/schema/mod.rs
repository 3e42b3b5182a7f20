//! From schemars' schemas to the structural schemas that a Kubernetes API server takes.
//!
//! Each step is a function over JSON values, in this order: `flatten` puts definitions where they are referred to,
//! `simplify` brings JSON Schema 2020-12 to the words of `OpenAPI` 3.0, `nulls` decides what is nullable,
//! `variants` makes enums structural, `numbers` mends formats and bounds, `free_form` keeps what has no shape, and
//! `check` looks for what the server would still refuse. What a step cannot express is a [`Problem`] that names the
//! Rust type and the field; all of them are collected.

mod check;
mod flatten;
mod free_form;
mod known;
mod nulls;
mod numbers;
mod path;
mod problem;
mod simplify;
mod variants;

pub use path::FieldPath;
pub use problem::{Findings, Problem};

use serde_json::{Map, Value};

/// A schema as the shim gives it: the root and the definitions it refers to.
#[derive(Clone, Debug, Default, serde::Deserialize)]
pub struct Raw {
    /// The root.
    pub schema: Value,
    /// By name.
    #[serde(default)]
    pub definitions: Map<String, Value>,
}

/// The structural schema of a type that reads `read` and writes `written`; problems and warnings go to `findings`.
pub fn structural(read: &Raw, written: Option<&Raw>, findings: &mut Findings) -> Value {
    let mut schema = flatten::flatten(read, findings);
    let mut written = written.map(|written| flatten::flatten(written, &mut Findings::default()));
    simplify::simplify(&mut schema, &FieldPath::root(), findings);
    if let Some(written) = &mut written {
        simplify::simplify(written, &FieldPath::root(), &mut Findings::default());
    }
    nulls::resolve(&mut schema, written.as_ref(), &FieldPath::root(), findings);
    variants::resolve(&mut schema, &FieldPath::root(), findings);
    numbers::normalise(&mut schema);
    free_form::preserve(&mut schema);
    let mut refused = Findings::default();
    check::check(&schema, &FieldPath::root(), &mut refused);
    // What has been complained about already has no shape that could be right.
    refused.problems.retain(|one| findings.problems.iter().all(|known| known.path != one.path));
    findings.problems.append(&mut refused.problems);
    forget_types(&mut schema);
    schema
}

/// The keyword under which a node carries the name of its Rust type until the end.
const TYPE: &str = "x-opctl-type";

fn rust_type(node: &Value) -> Option<String> {
    node.get(TYPE).and_then(Value::as_str).map(str::to_owned)
}

fn forget_types(node: &mut Value) {
    if let Some(map) = node.as_object_mut() {
        map.remove(TYPE);
    }
    path::for_each_child(node, &FieldPath::root(), &mut |child, _| forget_types(child));
}

#[cfg(test)]
mod tests;
