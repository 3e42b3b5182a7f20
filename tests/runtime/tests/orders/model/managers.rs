//! Field managers, and server-side apply.

use super::fields::{self, Fields};
use serde_json::{Value, json};

/// An entry of managedFields.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Manager {
    pub name: String,
    pub applies: bool,
    pub subresource: String,
    pub fields: Fields,
    /// The resource version of the last change, which serves as its time.
    pub since: u64,
}

/// The sender of a write, as managedFields identifies it: the manager, true for an apply, and the subresource.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    pub name: String,
    pub applies: bool,
    pub subresource: String,
}

impl Manager {
    fn is(&self, writer: &Writer) -> bool {
        (&self.name, self.applies, &self.subresource) == (&writer.name, writer.applies, &writer.subresource)
    }
}

/// Returns the entries as an object shows them, in the API server's order. `fieldsV1` is in this model's own form.
pub(crate) fn shown(managers: &[Manager]) -> Value {
    let entry = |manager: &Manager| {
        let mut entry = json!({
            "manager": manager.name,
            "operation": if manager.applies { "Apply" } else { "Update" },
            "apiVersion": "v1",
            "time": "2026-01-01T00:00:00Z",
            "fieldsType": "FieldsV1",
            "fieldsV1": { "paths": manager.fields, "since": manager.since },
        });
        if !manager.subresource.is_empty() {
            entry["subresource"] = manager.subresource.clone().into();
        }
        entry
    };
    managers.iter().map(entry).collect()
}

/// Reads the entries that [`shown`] made and a writer may have changed. Returns `None` if there are none.
pub(crate) fn read(shown: &Value) -> Option<Vec<Manager>> {
    let mut managers: Vec<Manager> = Vec::new();
    for entry in shown.as_array()? {
        let text = |field: &str| entry[field].as_str().unwrap_or_default().to_owned();
        let manager = Manager {
            name: text("manager"),
            applies: entry["operation"] == "Apply",
            subresource: text("subresource"),
            fields: serde_json::from_value(entry["fieldsV1"]["paths"].clone()).ok()?,
            since: entry["fieldsV1"]["since"].as_u64()?,
        };
        let same = |known: &Manager| {
            (&known.name, known.applies, &known.subresource) == (&manager.name, manager.applies, &manager.subresource)
        };
        managers.retain(|known| !same(known));
        managers.push(manager);
    }
    (!managers.is_empty()).then_some(managers)
}

fn sort(managers: &mut Vec<Manager>) {
    managers.retain(|manager| !manager.fields.is_empty());
    managers.sort_by(|a, b| {
        let key = |manager: &Manager| (!manager.applies, manager.since, manager.name.clone());
        key(a).cmp(&key(b)).then(a.subresource.cmp(&b.subresource))
    });
}

/// Makes the writer the only manager of the fields that a write other than an apply has changed.
pub(crate) fn updated(managers: &mut Vec<Manager>, writer: &Writer, old: &Value, new: &Value, version: u64) {
    let after = fields::of_object(new);
    let mut changed: Fields =
        after.into_iter().filter(|path| fields::get(old, path) != fields::get(new, path)).collect();
    let made: Vec<_> = fields::whole(new).filter(|path| fields::get(old, path).is_none()).collect();
    changed.extend(made);
    let gone = |path: &fields::Path| fields::get(old, path).is_some() && fields::get(new, path).is_none();
    for manager in managers.iter_mut() {
        let same = manager.is(writer);
        manager.fields.retain(|path| !gone(path) && (same || !changed.contains(path)));
    }
    if !changed.is_empty() {
        own(managers, writer, version).fields.extend(changed);
    }
    sort(managers);
}

fn own<'a>(managers: &'a mut Vec<Manager>, writer: &Writer, version: u64) -> &'a mut Manager {
    let index = managers.iter().position(|manager| manager.is(writer)).unwrap_or(managers.len());
    if index == managers.len() {
        let Writer { name, applies, subresource } = writer.clone();
        managers.push(Manager { name, applies, subresource, fields: Fields::new(), since: version });
    }
    managers[index].since = version;
    &mut managers[index]
}

/// Returns the object after an apply of `desired`, or the first manager with which it is in conflict.
pub(crate) fn applied(
    managers: &mut Vec<Manager>,
    writer: &Writer,
    live: &Value,
    desired: &Value,
    force: bool,
    version: u64,
) -> Result<Value, String> {
    let wanted = fields::of_object(desired);
    let differs = |path: &fields::Path| fields::get(live, path) != fields::get(desired, path);
    for manager in managers.iter_mut().filter(|manager| !manager.is(writer)) {
        let conflict = |path: &fields::Path| wanted.contains(path) && differs(path);
        if !force && manager.fields.iter().any(conflict) {
            return Err(manager.name.clone());
        }
        manager.fields.retain(|path| !conflict(path));
    }
    let mut object = live.clone();
    fields::merge(&mut object, desired);
    let mine = managers.iter().find(|manager| manager.is(writer));
    let mine = mine.map(|manager| manager.fields.clone()).unwrap_or_default();
    // In this order, an item is removed before its fields: a manager of its fields alone does not keep it. A map or
    // list is kept by any manager of something in it.
    for path in mine.difference(&wanted) {
        let whole = fields::is_whole(path);
        let keeps =
            |fields: &Fields| fields.iter().any(|field| if whole { field.starts_with(path) } else { field == path });
        let mut others = managers.iter().filter(|manager| !manager.is(writer));
        if !others.any(|manager| keeps(&manager.fields)) && !keeps(&wanted) {
            fields::remove(&mut object, path);
            managers.iter_mut().for_each(|manager| manager.fields.retain(|field| !field.starts_with(path)));
        }
    }
    if mine != wanted {
        own(managers, writer, version).fields = wanted;
    }
    sort(managers);
    Ok(object)
}

/// Returns true if an apply has removed the last item of a map that another manager still owns.
pub(crate) fn leaves_null(managers: &[Manager], before: &Value, after: &Value) -> bool {
    fields::whole(before).any(|path| {
        let kept = managers.iter().any(|manager| manager.fields.contains(&path));
        kept && fields::get(after, &path).is_none_or(|value| super::is_empty(&value))
    })
}
