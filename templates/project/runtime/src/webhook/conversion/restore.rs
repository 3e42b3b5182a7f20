//! Puts back what a version without some fields could not carry.

use serde_json::Value;

/// Puts into `object` what makes `kept` differ from `base`, wherever `object` is still like `base`:
/// where it is not, somebody has changed it since. `base` is what became of `kept`.
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

/// The place at which the item was before: that of an equal one, else of one with the same name, else
/// its own if no item was added or taken away.
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
    // One that is equal to another item is that item's.
    let is_others = |found: usize| items.contains(&base[found]);
    let here = || {
        let is_here = name.is_none() && items.len() == base.len();
        (is_here && free(&at) && !is_others(at)).then_some(at)
    };
    same.or_else(named).or_else(here)
}
