//! Transfers changes to JSON that has more fields than its Rust type.

use serde_json::{Map, Value};

/// Applies to `raw` only the changes between the states `before` and `after` of its Rust type:
/// fields that the type lacks stay, and fields that only the type fills in are not added.
pub fn transfer(raw: &mut Value, before: &Value, after: &Value) {
    if before == after {
        return;
    }
    match (raw, before, after) {
        (Value::Object(raw), Value::Object(before), Value::Object(after)) => {
            members(raw, before, after);
        }
        (Value::Array(raw), Value::Array(before), Value::Array(after))
            if raw.len() == before.len() =>
        {
            *raw = items(raw, before, after);
        }
        (raw, _, after) => raw.clone_from(after),
    }
}

fn members(raw: &mut Map<String, Value>, before: &Map<String, Value>, after: &Map<String, Value>) {
    raw.retain(|key, _| after.contains_key(key) || !before.contains_key(key));
    for (key, after) in after {
        match (raw.get_mut(key), before.get(key)) {
            (None, Some(before)) if before == after => {}
            (Some(raw), Some(before)) => transfer(raw, before, after),
            // The type fills in a parent that `raw` lacks: only what has changed in it is added.
            (None, Some(before @ Value::Object(_))) if after.is_object() => {
                let mut made = Value::Object(Map::new());
                transfer(&mut made, before, after);
                raw.insert(key.clone(), made);
            }
            _ => drop(raw.insert(key.clone(), after.clone())),
        }
    }
}

fn items(raw: &[Value], before: &[Value], after: &[Value]) -> Vec<Value> {
    // Each old item is the origin of at most one new item: its unknown fields must not be there
    // twice.
    let mut free = vec![true; before.len()];
    let mut origins = vec![None; after.len()];
    let passes: [fn(&Value, &Value) -> bool; 2] = [|a, b| a == b, |a, b| name(a) == name(b)];
    for (by_name, same) in passes.into_iter().enumerate() {
        for (origin, item) in origins.iter_mut().zip(after) {
            if origin.is_none() && (by_name == 0 || name(item).is_some()) {
                *origin = (0..before.len()).find(|at| free[*at] && same(&before[*at], item));
                origin.inspect(|at| free[*at] = false);
            }
        }
    }
    for (at, (origin, item)) in origins.iter_mut().zip(after).enumerate() {
        if origin.is_none() && name(item).is_none() && free.get(at) == Some(&true) {
            *origin = Some(at);
        }
    }
    let items = origins.into_iter().zip(after).map(|(origin, item)| {
        let Some(was) = origin else {
            return item.clone();
        };
        let mut raw = raw[was].clone();
        transfer(&mut raw, &before[was], item);
        raw
    });
    items.collect()
}

fn name(item: &Value) -> Option<&Value> {
    item.get("name")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_has_changed_changes() {
        for (what, mut raw, before, after, expected) in [
            (
                "unknown fields stay, and untouched defaults stay out",
                json!({"x": 1, "a": {"y": 2}}),
                json!({"a": {"k": 0}, "size": 1}),
                json!({"a": {"k": 5}, "size": 1}),
                json!({"x": 1, "a": {"y": 2, "k": 5}}),
            ),
            (
                "a parent that only the type has is made, with what has changed in it",
                json!({}),
                json!({"a": {"k": 0, "size": 1}}),
                json!({"a": {"k": 1, "size": 1}}),
                json!({"a": {"k": 1}}),
            ),
            (
                "a field that is taken away goes",
                json!({"x": 1, "a": 2}),
                json!({"a": 2}),
                json!({}),
                json!({"x": 1}),
            ),
            (
                "null is a value that a default takes the place of",
                json!({"a": null}),
                json!({}),
                json!({"a": 1}),
                json!({"a": 1}),
            ),
            (
                "null that the type does not write stays",
                json!({"a": null, "b": 1}),
                json!({"b": 1}),
                json!({"b": 2}),
                json!({"a": null, "b": 2}),
            ),
            (
                "another spelling of the same value stays",
                json!({"time": "01:00", "b": 1}),
                json!({"time": "1h", "b": 1}),
                json!({"time": "1h", "b": 2}),
                json!({"time": "01:00", "b": 2}),
            ),
            (
                "items are found by name, wherever they have gone",
                json!([{"name": "a", "x": 1}, {"name": "b", "x": 2}]),
                json!([{"name": "a"}, {"name": "b"}]),
                json!([{"name": "new"}, {"name": "b", "k": 3}]),
                json!([{"name": "new"}, {"name": "b", "x": 2, "k": 3}]),
            ),
            (
                "items without a name are found as equal",
                json!([{"k": 1, "x": 1}, {"k": 2, "x": 2}]),
                json!([{"k": 1}, {"k": 2}]),
                json!([{"k": 2}]),
                json!([{"k": 2, "x": 2}]),
            ),
            (
                "and else by their place",
                json!([{"k": 1, "x": 1}, {"k": 2, "x": 2}]),
                json!([{"k": 1}, {"k": 2}]),
                json!([{"k": 1}, {"k": 3}]),
                json!([{"k": 1, "x": 1}, {"k": 3, "x": 2}]),
            ),
            (
                "a copy does not copy what is unknown",
                json!([{"k": 1, "x": 1}]),
                json!([{"k": 1}]),
                json!([{"k": 1}, {"k": 1}]),
                json!([{"k": 1, "x": 1}, {"k": 1}]),
            ),
            (
                "equal items keep what is unknown of each",
                json!([{"k": 1, "x": 1}, {"k": 1, "x": 2}]),
                json!([{"k": 1}, {"k": 1}]),
                json!([{"k": 1}, {"k": 1}, {"k": 1}]),
                json!([{"k": 1, "x": 1}, {"k": 1, "x": 2}, {"k": 1}]),
            ),
            (
                "an item that is equal is not taken by one of its place",
                json!([{"k": 1, "x": 1}, {"k": 2, "x": 2}]),
                json!([{"k": 1}, {"k": 2}]),
                json!([{"k": 0}, {"k": 1}, {"k": 2}]),
                json!([{"k": 0}, {"k": 1, "x": 1}, {"k": 2, "x": 2}]),
            ),
            (
                "a value of another kind takes the place",
                json!({"a": [1]}),
                json!({"a": [1]}),
                json!({"a": {"b": 1}}),
                json!({"a": {"b": 1}}),
            ),
        ] {
            transfer(&mut raw, &before, &after);
            assert_eq!(raw, expected, "{what}");
        }
    }
}
