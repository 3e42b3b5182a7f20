//! Keywords of a schema whose values the server looks into: patterns and defaults.

mod defaults;
mod formats;

use crate::schema::Problem;
use crate::schema::re2;
use serde_json::Value;

/// Looks at every node of a structural schema.
pub(crate) fn check(schema: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    node(schema, "", &mut problems);
    problems
}

fn node(schema: &Value, path: &str, problems: &mut Vec<Problem>) {
    let mut add = |code, reason: String, hint: &str| {
        let path = if path.is_empty() { "." } else { path }.to_owned();
        problems.push(Problem { code, path, rust_type: None, reason, hint: hint.to_owned() });
    };
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
        && let Some(fault) = re2::fault(pattern)
    {
        let hint = "a pattern that RE2 reads, or a rule: #[x_kube(validation = (\"..\", \"what is wrong\"))]";
        add("OP114", format!("has the pattern `{pattern}`, which {fault}"), hint);
    }
    if let Some(default) = schema.get("default")
        && let Some(fault) = defaults::fault(default, schema)
    {
        let hint = "a default that is a value of the field's type: #[serde(default = \"..\")] or `impl Default`";
        add("OP115", format!("has a default that the field refuses: {fault}"), hint);
    }
    for (name, child) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        node(child, &if path.is_empty() { name.clone() } else { format!("{path}.{name}") }, problems);
    }
    for (key, mark) in [("items", "[]"), ("additionalProperties", "{}")] {
        if let Some(child) = schema.get(key) {
            node(child, &format!("{path}{mark}"), problems);
        }
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for branch in schema.get(key).and_then(Value::as_array).into_iter().flatten() {
            node(branch, path, problems);
        }
    }
    if let Some(not) = schema.get("not") {
        node(not, path, problems);
    }
}
