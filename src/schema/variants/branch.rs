//! Functions for one variant's schema: `values` returns its `enum` values, and `bare_schema` returns a copy without
//! descriptions, titles and opctl's keywords.

use crate::schema::marks::{ONE_SIDED, TYPE, VARIANT};
use crate::schema::path::{self, FieldPath};
use serde_json::Value;

pub(super) fn values(branch: &Value) -> Vec<Value> {
    branch.get("enum").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Returns the schema without descriptions, titles and opctl's own marks.
pub(super) fn bare_schema(schema: &Value) -> Value {
    let mut schema = schema.clone();
    strip(&mut schema);
    schema
}

fn strip(node: &mut Value) {
    if let Some(map) = node.as_object_mut() {
        for key in ["description", "title", TYPE, VARIANT, ONE_SIDED] {
            map.remove(key);
        }
    }
    path::for_each_child(node, &FieldPath::root(), &mut |child, _| strip(child));
}
