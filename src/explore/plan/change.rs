//! Finds a field of a sample that can be changed and changed back.

use serde_json::{Value, json};

/// Returns pairs of merge patches for the fields of `sample`: the first patch changes a field, the second patch
/// restores the field. Numbers and booleans come first, because they usually determine the child objects.
pub fn candidates(sample: &Value) -> Vec<[Value; 2]> {
    let mut found = Vec::new();
    collect(&sample["spec"], &mut vec!["spec".to_owned()], &mut found);
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, patches)| patches).collect()
}

fn collect(value: &Value, path: &mut Vec<String>, found: &mut Vec<(u8, [Value; 2])>) {
    if let Value::Object(fields) = value {
        for (key, value) in fields {
            path.push(key.clone());
            collect(value, path, found);
            path.pop();
        }
    }
    let nested = |value: &Value| path.iter().rev().fold(value.clone(), |value, key| json!({key: value}));
    for (rank, other) in other_values(value) {
        found.push((rank, [nested(&other), nested(value)]));
    }
}

/// Returns other values of the same type as `value`, each with a rank before it. Values with a lower rank are tried
/// first.
fn other_values(value: &Value) -> Vec<(u8, Value)> {
    match value {
        Value::Number(number) => {
            let number = number.as_i64();
            let near = number.into_iter().flat_map(|number| [number.saturating_add(1), number.saturating_sub(1)]);
            near.map(|near| (0, near.into())).collect()
        }
        Value::Bool(flag) => vec![(1, (!flag).into())],
        Value::String(text) => vec![(2, format!("{text}x").into()), (2, format!("{text}1").into())],
        _ => Vec::new(),
    }
}

/// Applies a merge patch to `object`; null removes a field.
pub fn merge(object: &mut Value, patch: &Value) {
    match patch {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (value, object.as_object_mut()) {
                    (Value::Null, Some(object)) => drop(object.remove(key)),
                    _ => merge(&mut object[key], value),
                }
            }
        }
        value => *object = value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_changed_before_texts() {
        let sample = json!({"spec": {"image": "a", "pods": {"replicas": 2}, "on": true, "list": [1], "none": null}});
        let found = candidates(&sample);
        assert_eq!(found[0], [json!({"spec": {"pods": {"replicas": 3}}}), json!({"spec": {"pods": {"replicas": 2}}})]);
        assert_eq!(found[2], [json!({"spec": {"on": false}}), json!({"spec": {"on": true}})]);
        assert_eq!(found.len(), 5);
        let mut changed = sample.clone();
        merge(&mut changed, &found[0][0]);
        assert_eq!(changed["spec"]["pods"]["replicas"], 3);
        merge(&mut changed, &found[0][1]);
        assert_eq!(changed, sample);
        assert!(candidates(&json!({"kind": "Bare"})).is_empty());
    }
}
