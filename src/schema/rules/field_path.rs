//! Checks the `fieldPath` of a rule: a sequence of steps such as `.size` or `['size']`.

use serde_json::Value;

/// Returns the reason why a field path is wrong for `schema`; `None` for a valid path.
pub(super) fn fault(path: &str, schema: &Value) -> Option<String> {
    let mut rest = path;
    let mut node = schema;
    while !rest.is_empty() {
        let Some((name, after)) = step(rest) else {
            return Some(format!("which is not valid at `{rest}`: expected `.` or `['`"));
        };
        rest = after;
        if let Some(values) = node.get("additionalProperties").filter(|values| values.is_object()) {
            node = values;
        } else if let Some(field) = node.get("properties").and_then(|fields| fields.get(&name)) {
            node = field;
        } else {
            return Some(format!("but the schema has no field `{name}` there"));
        }
    }
    None
}

/// Splits a path into the name in its first step and the rest of the path. Returns `None` if the first step is neither
/// `.name` nor `['name']`.
fn step(path: &str) -> Option<(String, &str)> {
    if let Some(rest) = path.strip_prefix("['") {
        let end = rest.find("']")?;
        return Some((rest[..end].replace("\\'", "'"), &rest[end + 2..]));
    }
    let rest = path.strip_prefix('.')?;
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    (end > 0).then(|| (rest[..end].to_owned(), &rest[end..]))
}
