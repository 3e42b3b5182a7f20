//! Merge patches and JSON patches.

use serde_json::{Map, Value};

/// Applies a merge patch (RFC 7396).
pub(crate) fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(fields) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    for (name, value) in fields {
        if value.is_null() {
            target.as_object_mut().unwrap().remove(name);
        } else {
            merge(&mut target[name], value);
        }
    }
}

/// Applies a JSON patch (RFC 6902) without `move` and `copy`. Returns `None` if an operation does not fit.
pub(crate) fn json(target: &mut Value, operations: &Value) -> Option<()> {
    for operation in operations.as_array()? {
        let (kind, path) = (operation["op"].as_str()?, operation["path"].as_str()?);
        let value = &operation["value"];
        let (parent, last) = path.rsplit_once('/')?;
        let last = last.replace("~1", "/").replace("~0", "~");
        match (kind, target.pointer_mut(parent)?) {
            ("test", parent) => drop((at(parent, &last)? == value).then_some(())?),
            // Like the API server, which also replaces a field that does not exist.
            ("replace", Value::Object(fields)) => drop(fields.insert(last, value.clone())),
            ("replace", parent) => *at(parent, &last)? = value.clone(),
            ("remove", Value::Object(fields)) => drop(fields.remove(&last)?),
            ("remove", Value::Array(items)) => {
                let index = last.parse().ok().filter(|index| *index < items.len())?;
                items.remove(index);
            }
            ("add", Value::Object(fields)) => drop(fields.insert(last, value.clone())),
            ("add", Value::Array(items)) if last == "-" => items.push(value.clone()),
            ("add", Value::Array(items)) => {
                let index = last.parse().ok().filter(|index| *index <= items.len())?;
                items.insert(index, value.clone());
            }
            _ => return None,
        }
    }
    Some(())
}

fn at<'a>(parent: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    match parent {
        Value::Object(fields) => fields.get_mut(name),
        Value::Array(items) => items.get_mut(name.parse::<usize>().ok()?),
        _ => None,
    }
}
