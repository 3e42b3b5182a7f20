//! Checks the keywords whose values the server validates: patterns and defaults.

mod defaults;
mod formats;

use crate::finding::Lint;
use crate::schema::finding::SchemaFinding;
use crate::schema::path::{FieldPath, branches, children};
use crate::schema::re2;
use serde_json::Value;

pub(crate) static LINTS: &[&Lint] = &[&UNREADABLE_PATTERN, &REFUSED_DEFAULT];

pub(crate) static UNREADABLE_PATTERN: Lint = Lint::error(
    "OP114",
    "a pattern that RE2 does not read",
    "The server reads patterns with Go's regular expressions: no look-around, no backreferences, at most 1000 \
     repetitions, the flags i, m, s and U. It says `must be a valid regular expression, but isn't`.",
    "#[schemars(regex(pattern = r\"^(?!kube-)[a-z]+$\"))]\nname: String,",
    "#[schemars(regex(pattern = r\"^[a-z]+$\"))]\n\
     #[x_kube(validation = (\"!self.startsWith('kube-')\", \"kube- is reserved\"))]\nname: String,",
);

pub(crate) static REFUSED_DEFAULT: Lint = Lint::error(
    "OP115",
    "a default that its own field refuses",
    "The server checks defaults as it checks values, and says `in body must be of type ..` or `Unsupported value`.",
    "#[schemars(extend(\"default\" = \"three\"))]\nreplicas: i32,",
    "#[serde(default = \"three\")]\nreplicas: i32,\n// with\nfn three() -> i32 { 3 }",
);

/// Checks every node of a structural schema.
pub(crate) fn check(schema: &Value) -> Vec<SchemaFinding> {
    let mut findings = Vec::new();
    node(schema, &FieldPath::root(), &mut findings);
    findings
}

fn node(schema: &Value, path: &FieldPath, findings: &mut Vec<SchemaFinding>) {
    let mut add = |lint, reason: String, hint: &str| {
        findings.push(SchemaFinding::new(lint, reason, hint).at(path));
    };
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
        && let Some(fault) = re2::fault(pattern)
    {
        let hint = "a pattern that RE2 reads, or a rule: #[x_kube(validation = (\"..\", \"what is wrong\"))]";
        add(&UNREADABLE_PATTERN, format!("has the pattern `{pattern}`, which {fault}"), hint);
    }
    if let Some(default) = schema.get("default")
        && let Some(fault) = defaults::fault(default, schema)
    {
        let hint = "a default that is a value of the field's type: #[serde(default = \"..\")] or `impl Default`";
        add(&REFUSED_DEFAULT, format!("has a default that the field refuses: {fault}"), hint);
    }
    for (step, child) in children(schema) {
        node(child, &path.step(step), findings);
    }
    for (_, _, branch) in branches(schema) {
        node(branch, path, findings);
    }
}
