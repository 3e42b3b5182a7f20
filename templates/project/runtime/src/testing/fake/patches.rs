//! Applies patches, in the simplified form that unit tests need.

use serde_json::{Value, json};

/// Applies a merge patch (RFC 7396). For unit tests, this is also close enough to server-side
/// apply.
pub fn merge(into: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *into = patch;
        return;
    };
    if !into.is_object() {
        *into = json!({});
    }
    for (field, value) in patch {
        match value {
            Value::Null => drop(into.as_object_mut().and_then(|into| into.remove(&field))),
            value => merge(&mut into[&field], value),
        }
    }
}

/// Applies a JSON patch (RFC 6902) without `move` and `copy`. Returns `None` if an operation does
/// not fit the object.
pub fn edit(object: &mut Value, operations: &Value) -> Option<()> {
    for operation in operations.as_array()? {
        let (parent, last) = operation["path"].as_str()?.rsplit_once('/')?;
        let last = last.replace("~1", "/").replace("~0", "~");
        let value = operation["value"].clone();
        match (operation["op"].as_str()?, object.pointer_mut(parent)?) {
            ("remove", Value::Object(fields)) => drop(fields.remove(&last)?),
            ("remove", Value::Array(items)) => {
                let index = last.parse().ok().filter(|index| *index < items.len())?;
                items.remove(index);
            }
            ("add" | "replace", Value::Object(fields)) => drop(fields.insert(last, value)),
            ("add", Value::Array(items)) if last == "-" => items.push(value),
            ("add", Value::Array(items)) => {
                let index = last.parse().ok().filter(|index| *index <= items.len())?;
                items.insert(index, value);
            }
            ("replace", Value::Array(items)) => {
                *items.get_mut(last.parse::<usize>().ok()?)? = value;
            }
            ("test", parent) => {
                let there =
                    parent.pointer(&format!("/{}", last.replace('~', "~0").replace('/', "~1")));
                there.filter(|there| **there == value)?;
            }
            _ => return None,
        }
    }
    Some(())
}
