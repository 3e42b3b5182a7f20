//! Sets of fields as managedFields names them: `f:` a field, `k:` a list item with a key, `v:` an item of a set.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

pub(crate) type Path = Vec<String>;
pub(crate) type Fields = BTreeSet<Path>;

/// The way in which the API server merges a list.
enum List {
    Atomic,
    Set,
    Keyed { key: &'static str, atomic_items: bool },
}

fn list(path: &[String]) -> List {
    let names: Vec<_> = path.iter().map(String::as_str).collect();
    match names[..] {
        ["f:metadata", "f:ownerReferences"] => List::Keyed { key: "uid", atomic_items: true },
        ["f:metadata", "f:finalizers"] => List::Set,
        ["f:spec", "f:ports"] => List::Keyed { key: "name", atomic_items: false },
        ["f:status", "f:conditions"] => List::Keyed { key: "type", atomic_items: false },
        _ => List::Atomic,
    }
}

/// The metadata that no manager owns.
const UNOWNED: [&str; 10] = [
    "name",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "managedFields",
    "generateName",
];

/// Returns the fields of an object that managers can own.
pub(crate) fn of_object(object: &Value) -> Fields {
    let mut fields = Fields::new();
    collect(object, &mut Vec::new(), &mut fields);
    fields.retain(|path| match &path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["f:apiVersion" | "f:kind" | "f:metadata"] => false,
        ["f:metadata", field, ..] => !UNOWNED.contains(&&field[2..]),
        _ => true,
    });
    fields
}

/// The maps and lists whose items have owners. A manager that creates a map or list with a write other than an
/// apply also owns the map or list itself.
const WHOLE: [&[&str]; 7] = [
    &["f:data"],
    &["f:metadata", "f:annotations"],
    &["f:metadata", "f:finalizers"],
    &["f:metadata", "f:labels"],
    &["f:metadata", "f:ownerReferences"],
    &["f:spec", "f:ports"],
    &["f:status", "f:conditions"],
];

pub(crate) fn is_whole(path: &[String]) -> bool {
    WHOLE.contains(&&path.iter().map(String::as_str).collect::<Vec<_>>()[..])
}

/// Returns the maps and lists that an object has, as fields.
pub(crate) fn whole(object: &Value) -> impl Iterator<Item = Path> {
    let paths = WHOLE.iter().map(|path| path.iter().map(|step| (*step).to_owned()).collect::<Path>());
    paths.filter(|path| get(object, path).is_some_and(|value| !is_empty(&value)))
}

fn collect(value: &Value, path: &mut Path, fields: &mut Fields) {
    match value {
        Value::Null => {}
        Value::Object(map) if !map.is_empty() => {
            for (name, value) in map {
                path.push(format!("f:{name}"));
                collect(value, path, fields);
                path.pop();
            }
        }
        Value::Array(items) => match list(path) {
            List::Atomic => drop(fields.insert(path.clone())),
            List::Set => fields.extend(items.iter().map(|item| [&path[..], &[format!("v:{item}")]].concat())),
            List::Keyed { key, atomic_items } => {
                for item in items {
                    path.push(format!("k:{}", item[key]));
                    fields.insert(path.clone());
                    if !atomic_items {
                        collect(item, path, fields);
                    }
                    path.pop();
                }
            }
        },
        _ => drop(fields.insert(path.clone())),
    }
}

/// Returns the index of an item in its list.
fn position(items: &[Value], parent: &[String], step: &str) -> Option<usize> {
    let (_, wanted) = step.split_at(2);
    let texts = items.iter().map(|item| match list(parent) {
        List::Keyed { key, .. } => item[key].to_string(),
        _ => item.to_string(),
    });
    texts.into_iter().position(|text| text == wanted)
}

/// Returns the value of a field. For a list item whose fields have separate owners, the value is only `true`.
pub(crate) fn get(object: &Value, path: &[String]) -> Option<Value> {
    let mut value = object;
    for (depth, step) in path.iter().enumerate() {
        value = match value {
            Value::Object(map) => map.get(&step[2..])?,
            Value::Array(items) => &items[position(items, &path[..depth], step)?],
            _ => return None,
        };
    }
    let (last, parent) = path.split_last()?;
    let granular = last.starts_with("k:") && matches!(list(parent), List::Keyed { atomic_items: false, .. });
    Some(if granular { json!(true) } else { value.clone() })
}

/// Removes a field, and the maps and lists around it that are empty then.
pub(crate) fn remove(object: &mut Value, path: &[String]) {
    remove_below(object, path, 0);
}

fn remove_below(value: &mut Value, path: &[String], depth: usize) {
    let (step, last) = (&path[depth], depth + 1 == path.len());
    match value {
        Value::Object(map) => {
            let Some(below) = map.get_mut(&step[2..]) else { return };
            if !last {
                remove_below(below, path, depth + 1);
            }
            if last || is_empty(below) {
                map.remove(&step[2..]);
            }
        }
        Value::Array(items) => {
            let Some(index) = position(items, &path[..depth], step) else { return };
            if last {
                items.remove(index);
            } else {
                remove_below(&mut items[index], path, depth + 1);
            }
        }
        _ => {}
    }
}

pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(map) => map.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// Merges every field of `from` into `into`.
pub(crate) fn merge(into: &mut Value, from: &Value) {
    merge_below(into, from, &mut Vec::new());
}

fn merge_below(into: &mut Value, from: &Value, path: &mut Path) {
    match (&mut *into, from) {
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in new {
                path.push(format!("f:{name}"));
                merge_below(old.entry(name).or_insert(Value::Null), value, path);
                path.pop();
            }
        }
        (Value::Null, Value::Object(_)) => {
            *into = Value::Object(Map::new());
            merge_below(into, from, path);
        }
        (Value::Array(old), Value::Array(new)) => match list(path) {
            List::Atomic => *old = new.clone(),
            List::Set => {
                let added: Vec<_> = new.iter().filter(|item| !old.contains(item)).cloned().collect();
                old.extend(added);
            }
            List::Keyed { key, atomic_items } => {
                for item in new {
                    match old.iter_mut().find(|known| known[key] == item[key]) {
                        Some(known) if atomic_items => *known = item.clone(),
                        Some(known) => {
                            path.push(format!("k:{}", item[key]));
                            merge_below(known, item, path);
                            path.pop();
                        }
                        None => old.push(item.clone()),
                    }
                }
            }
        },
        _ => *into = from.clone(),
    }
}
