//! Reads and writes the entry of an adopted operator, below opctl's key `plugins."rust.opctl.dev/v1"` in `PROJECT`.

use super::super::{Adopted, OperatorProgram, TypesPlace};
use super::entries::{damaged, text_of};
use crate::Result;
use serde_json::{Value, json};

/// Reads the `adopted` entry of `PROJECT`, which lists the crates and the program of an operator that opctl adopted.
/// Returns `None` for a project that `opctl init` created.
pub(super) fn parse(ours: &Value) -> Result<Option<Adopted>> {
    let Some(entry) = ours.get("adopted") else { return Ok(None) };
    let adopted = Adopted {
        types: types(&entry["types"])?,
        without: texts(&entry["without"]),
        operator: entry.get("operator").map(program).transpose()?,
    };
    let crates = adopted.types.iter().flat_map(|place| [Some(&place.package), place.program.as_ref()]);
    for path in crates.flatten().chain(&adopted.without) {
        if !Adopted::is_below(path) {
            return Err(damaged(&format!("`{path}` below `adopted` leads outside of the project")));
        }
    }
    Ok(Some(adopted))
}

/// Reads from `entry` the crates that define the operator's kinds. A single map stands for a list with a single crate.
fn types(entry: &Value) -> Result<Vec<TypesPlace>> {
    let entries = entry.as_array().map_or(std::slice::from_ref(entry), Vec::as_slice);
    let mut types: Vec<TypesPlace> = Vec::new();
    for entry in entries {
        let place = TypesPlace {
            package: text(entry, "package")?,
            program: text_of(entry, "program").map(str::to_owned),
            features: texts(&entry["features"]),
        };
        if types.iter().any(|known| known.folder() == place.folder()) {
            return Err(damaged(&format!("`adopted` lists the types of the package `{}` twice", place.package)));
        }
        types.push(place);
    }
    if types.is_empty() { Err(damaged("`adopted` has no package in `types`")) } else { Ok(types) }
}

fn text(of: &Value, key: &str) -> Result<String> {
    text_of(of, key).map(str::to_owned).ok_or_else(|| damaged(&format!("`adopted` has no `{key}`")))
}

fn program(entry: &Value) -> Result<OperatorProgram> {
    Ok(OperatorProgram { package: text(entry, "package")?, name: text(entry, "program")? })
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Returns the entry of an adopted operator for `PROJECT`.
pub(super) fn entry_of(adopted: &Adopted) -> Value {
    let types = match adopted.types.as_slice() {
        [only] => entry_of_types(only),
        several => several.iter().map(entry_of_types).collect(),
    };
    let mut entry = json!({ "types": types });
    if !adopted.without.is_empty() {
        entry["without"] = json!(adopted.without);
    }
    if let Some(operator) = &adopted.operator {
        entry["operator"] = json!({ "package": operator.package, "program": operator.name });
    }
    entry
}

fn entry_of_types(place: &TypesPlace) -> Value {
    let mut types = json!({ "package": place.package });
    if let Some(program) = &place.program {
        types["program"] = json!(program);
    }
    if !place.features.is_empty() {
        types["features"] = json!(place.features);
    }
    types
}

#[cfg(test)]
mod tests {
    use super::{entry_of, parse};
    use serde_json::json;

    #[test]
    fn adopted_entries_are_written_back_as_read() {
        let one = json!({ "package": "api", "program": "src/main.rs", "features": ["crd"] });
        for adopted in [
            json!({ "types": { "package": "." } }),
            json!({ "types": one }),
            json!({ "types": one, "without": ["old"], "operator": { "package": "web", "program": "web" } }),
            json!({ "types": [one, { "package": "." }], "operator": { "package": "web", "program": "web" } }),
        ] {
            let read = parse(&json!({ "adopted": adopted })).expect("readable").expect("adopted");
            assert_eq!(entry_of(&read), adopted);
        }
        assert_eq!(parse(&json!({})).expect("readable"), None);
        // A list with one crate is written as that crate alone.
        let list = parse(&json!({ "adopted": { "types": [one] } })).expect("readable").expect("adopted");
        assert_eq!(entry_of(&list), json!({ "types": one }));
    }

    #[test]
    fn invalid_adopted_entries_are_refused() {
        for (adopted, said) in [
            (json!({ "types": {} }), "`adopted` has no `package`"),
            (json!({ "types": [] }), "`adopted` has no package in `types`"),
            (json!({ "types": [{ "package": "api" }, { "program": "src/main.rs" }] }), "`adopted` has no `package`"),
            (json!({ "types": [{ "package": "a" }, { "package": "a" }] }), "the types of the package `a` twice"),
            (json!({ "types": [{ "package": "a" }, { "package": "../b" }] }), "`../b` below `adopted` leads out"),
            (json!({ "types": { "package": "a" }, "without": ["/b"] }), "`/b` below `adopted` leads out"),
        ] {
            let error = parse(&json!({ "adopted": adopted })).expect_err("refused");
            let all = format!("{error} {error:?}");
            assert!(all.contains(said), "{all}");
        }
    }
}
