//! Reads and inserts entries of `PROJECT`, and creates the error for a damaged entry.

use crate::error::hint;
use crate::model::{InvalidName, ProjectPath, project::PROJECT_FILE};
use crate::{Error, Result};
use serde_json::{Map, Value};

pub(super) fn damaged(what: &str) -> Error {
    Error::user(format!("`{PROJECT_FILE}` is damaged")).caused_by(what).hint(hint!(
        "git checkout {PROJECT_FILE}    # restores the committed file; or correct the file by hand",
        PROJECT_FILE
    ))
}

pub(super) fn misnamed(invalid: &InvalidName) -> Error {
    damaged(&invalid.to_string())
}

pub(super) fn text_of<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

/// Returns the path at `key`; `None` if there is no text at `key`.
///
/// # Errors
/// Fails if the text at `key` is not a path within the project.
pub(super) fn path_of(value: &Value, key: &str) -> Result<Option<ProjectPath>> {
    let path = text_of(value, key).map(ProjectPath::parse).transpose();
    path.map_err(|error| damaged(&format!("`{key}` is wrong: {}", error.causes().join(", "))))
}

/// Returns the object at `key`. If `key` is missing or has another value, sets an empty object at `key` first.
pub(super) fn object_entry<'a>(map: &'a mut Map<String, Value>, key: &str) -> &'a mut Map<String, Value> {
    let entry = map.entry(key).or_insert_with(|| Value::Object(Map::new()));
    if !entry.is_object() {
        *entry = Value::Object(Map::new());
    }
    match entry {
        Value::Object(object) => object,
        _ => unreachable!("the value was just made an object"),
    }
}
