//! The keywords that opctl adds to a schema for its conversion, and removes after the last step of the conversion.

use super::path::{self, FieldPath};
use serde_json::Value;

/// The keyword that holds the name of a schema's Rust type.
pub(super) const TYPE: &str = "x-opctl-type";

/// The keyword that marks a field that the type only reads or only writes.
pub(super) const ONE_SIDED: &str = "x-opctl-one-sided";

/// The keyword that holds the name of an untagged enum's variant, in the branch for the variant.
pub(super) const VARIANT: &str = "x-opctl-variant";

pub(super) fn rust_type(node: &Value) -> Option<String> {
    node.get(TYPE).and_then(Value::as_str).map(str::to_owned)
}

pub(super) fn remove_marks(node: &mut Value) {
    if let Some(map) = node.as_object_mut() {
        for key in [TYPE, ONE_SIDED, VARIANT] {
            map.remove(key);
        }
    }
    path::for_each_child(node, &FieldPath::root(), &mut |child, _| remove_marks(child));
}
