//! Restores fields that were lost in a version that lacks them.

use serde_json::Value;

/// Restores in `object` the values that a conversion to another version lost. `kept` has all
/// values, and `base` is `kept` after a conversion to that version and back: lost values are those
/// in which both differ. Keeps values of `object` that differ from `base`: a client changed them.
pub fn restore(object: &mut Value, base: &Value, kept: &Value) {
    if base == kept {
        return;
    }
    if object == base {
        object.clone_from(kept);
        return;
    }
    match (object, base, kept) {
        (Value::Object(object), Value::Object(base), Value::Object(kept)) => {
            object.retain(|key, value| kept.contains_key(key) || base.get(key) != Some(&*value));
            for (key, kept) in kept {
                match (object.get_mut(key), base.get(key)) {
                    (Some(object), Some(base)) => restore(object, base, kept),
                    (None, None) => {
                        object.insert(key.clone(), kept.clone());
                    }
                    _ => {}
                }
            }
        }
        (Value::Array(object), Value::Array(base), Value::Array(kept))
            if base.len() == kept.len() =>
        {
            let mut taken = vec![false; base.len()];
            for at in 0..object.len() {
                if let Some(before) = origin(object, at, base, &taken) {
                    taken[before] = true;
                    restore(&mut object[at], &base[before], &kept[before]);
                }
            }
        }
        _ => {}
    }
}

/// Returns the index in `base` of the item from which `items[at]` comes: an equal item, or else an
/// item with the same name, or else the item at the same index if no item was added or removed.
fn origin(items: &[Value], at: usize, base: &[Value], taken: &[bool]) -> Option<usize> {
    let item = &items[at];
    let free = |found: &usize| !taken[*found];
    let is_same = |found: &usize| base[*found] == *item;
    if free(&at.min(base.len().saturating_sub(1))) && base.get(at) == Some(item) {
        return Some(at);
    }
    let same = (0..base.len()).filter(free).find(is_same);
    let name = item.get("name").filter(|name| !name.is_null());
    let named = || {
        let is_named = |found: &usize| base[*found].get("name") == name;
        name.and_then(|_| (0..base.len()).filter(free).find(is_named))
    };
    // An item of `base` that equals another item belongs to that item.
    let is_others = |found: usize| items.contains(&base[found]);
    let here = || {
        let is_here = name.is_none() && items.len() == base.len();
        (is_here && free(&at) && !is_others(at)).then_some(at)
    };
    same.or_else(named).or_else(here)
}
