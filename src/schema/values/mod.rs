//! Keywords of a schema whose values the server looks into: patterns and defaults.

mod defaults;
mod formats;

use crate::schema::Problem;
use crate::schema::path::{FieldPath, branches, children};
use crate::schema::re2;
use serde_json::Value;

/// Looks at every node of a structural schema.
pub(crate) fn check(schema: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    node(schema, &FieldPath::root(), &mut problems);
    problems
}

fn node(schema: &Value, path: &FieldPath, problems: &mut Vec<Problem>) {
    let mut add = |code, reason: String, hint: &str| {
        problems.push(Problem { code, path: path.to_string(), rust_type: None, reason, hint: hint.to_owned() });
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
    for (step, child) in children(schema) {
        node(child, &path.step(step), problems);
    }
    for (_, _, branch) in branches(schema) {
        node(branch, path, problems);
    }
}
