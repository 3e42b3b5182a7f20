//! The steps from the schema of a type to a structural schema.

use super::finding::Findings;
use super::marks::remove_marks;
use super::path::FieldPath;
use super::raw::Raw;
use super::{check, contracts, flatten, free_form, nulls, numbers, simplify, variants};
use serde_json::{Map, Value};

/// Returns the structural schema of a type from its schemas for reading and writing; adds the errors to `findings`.
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

/// Runs the steps that convert a schema with the keywords of `OpenAPI` to a structural schema.
pub(super) fn shape(mut schema: Value, written: Option<&Value>, findings: &mut Findings) -> Value {
    nulls::resolve(&mut schema, written, &FieldPath::root(), findings);
    variants::resolve(&mut schema, &FieldPath::root(), findings);
    nulls::within_defaults(&mut schema);
    numbers::normalise(&mut schema);
    free_form::preserve(&mut schema);
    schema
}
