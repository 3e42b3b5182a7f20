//! The places of an adopted operator, below opctl's own layout key.

use super::super::{Adopted, OperatorProgram};
use super::entries::{damaged, text_of};
use crate::Result;
use serde_json::{Value, json};

/// Reads the places; `None` in a project that `init` made.
pub(super) fn parse(ours: &Value) -> Result<Option<Adopted>> {
    let Some(entry) = ours.get("adopted") else { return Ok(None) };
    let adopted = Adopted {
        package: text(&entry["types"], "package")?,
        types_program: text_of(&entry["types"], "program").map(str::to_owned),
        features: texts(&entry["types"]["features"]),
        operator: entry.get("operator").map(program).transpose()?,
    };
    for path in [Some(&adopted.package), adopted.types_program.as_ref()].into_iter().flatten() {
        if !Adopted::is_below(path) {
            return Err(damaged(&format!("`{path}` below `adopted` leads out of the project")));
        }
    }
    Ok(Some(adopted))
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

/// Returns the entry for `PROJECT`.
pub(super) fn entry_of(adopted: &Adopted) -> Value {
    let mut types = json!({ "package": adopted.package });
    if let Some(program) = &adopted.types_program {
        types["program"] = json!(program);
    }
    if !adopted.features.is_empty() {
        types["features"] = json!(adopted.features);
    }
    let mut entry = json!({ "types": types });
    if let Some(operator) = &adopted.operator {
        entry["operator"] = json!({ "package": operator.package, "program": operator.name });
    }
    entry
}
