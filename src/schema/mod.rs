//! Turns schemars' schemas into the structural schemas that a Kubernetes API server accepts.
//!
//! Each step is a function over JSON values, in this order: `flatten` replaces references by definitions, `simplify`
//! translates JSON Schema 2020-12 into the keywords of `OpenAPI` 3.0, `nulls` decides which fields are nullable,
//! `variants` makes enums structural, `numbers` fixes formats and bounds, `free_form` keeps values without a shape,
//! `check` finds the parts that the server would still refuse, and `contracts` finds values that the type writes and
//! the schema would refuse or prune. A step that cannot express a schema adds a [`SchemaFinding`] with the Rust type
//! and the field; all findings are collected.

mod check;
mod contracts;
mod extensions;
mod finding;
mod flatten;
mod free_form;
pub(crate) mod json_path;
mod known;
mod marks;
mod nulls;
mod numbers;
mod path;
mod raw;
mod re2;
mod recursion;
pub(crate) mod root;
pub(crate) mod rules;
mod simplify;
pub(crate) mod values;
mod variants;

pub use finding::{Findings, SchemaFinding};
pub(crate) use flatten::TOO_LARGE;
pub use path::FieldPath;
pub(crate) use path::{Step, children, for_each_child};
pub use raw::Raw;
pub(crate) use recursion::{SELF_CONTAINED, recursion};

use crate::finding::Lint;
use marks::remove_marks;
use serde_json::{Map, Value};

static OWN: &[&Lint] = &[&recursion::SELF_CONTAINED, &root::NO_OBJECT, &nulls::NULL_ENUM];

pub(crate) fn lints() -> impl Iterator<Item = &'static Lint> {
    let steps = [
        OWN,
        simplify::LINTS,
        variants::LINTS,
        check::LINTS,
        flatten::LINTS,
        values::LINTS,
        contracts::LINTS,
        rules::LINTS,
    ];
    steps.into_iter().flatten().copied()
}

/// Returns the structural schema of a type that reads `read` and writes `written`; adds the errors to `findings`.
pub fn structural(read: &Raw, written: Option<&Raw>, findings: &mut Findings) -> Value {
    let silent = &mut Findings::default();
    let simple = |mut schema: Value, findings: &mut Findings| {
        simplify::simplify(&mut schema, &FieldPath::root(), findings);
        schema
    };
    let schema = flatten::flatten(read, findings);
    if findings.all().any(|finding| flatten::TOO_MUCH.contains(&finding.lint)) {
        return Value::Object(Map::new()); // to go on would take gigabytes
    }
    let differs = written.is_some_and(|written| written != read);
    let written = written.map(|raw| simple(flatten::flatten(raw, silent), silent));
    let mut schema = shape(simple(schema, findings), written.as_ref(), findings);
    let mut refused = Findings::default();
    check::check(&schema, &FieldPath::root(), &mut refused);
    findings.add_elsewhere(refused);
    // The finding about nulls does not make the schema unusable.
    let usable = findings.errors().all(|finding| *finding.lint == nulls::NULL_ENUM);
    if let (true, true, Some(written)) = (differs, usable, written) {
        let written = shape(written.clone(), Some(&written), silent);
        contracts::compare(&schema, &written, &FieldPath::root(), findings);
    }
    remove_marks(&mut schema);
    schema
}

/// Runs the steps from `OpenAPI`'s keywords to a structural schema.
fn shape(mut schema: Value, written: Option<&Value>, findings: &mut Findings) -> Value {
    nulls::resolve(&mut schema, written, &FieldPath::root(), findings);
    variants::resolve(&mut schema, &FieldPath::root(), findings);
    nulls::within_defaults(&mut schema);
    numbers::normalise(&mut schema);
    free_form::preserve(&mut schema);
    schema
}

#[cfg(test)]
mod tests;
