//! Checks descriptions: reports a placeholder that an earlier `opctl create api` wrote instead of a description.

use crate::finding::Lint;
use crate::model::FIELD_PLACEHOLDER;
use crate::schema::finding::SchemaFinding;
use crate::schema::path::{FieldPath, children};
use serde_json::Value;

pub(crate) static NO_DESCRIPTION: Lint = Lint::warning(
    "OP154",
    "a description that is still a placeholder",
    "Users of the operator see the placeholder in `kubectl explain`, in the reference and in a catalog, although it \
     is meant for the operator's author. An earlier version of `opctl create api` wrote it as a doc comment.",
    "/// Say here what `size` means: `kubectl explain` shows it.\nsize: i32,",
    "/// The number of copies that are kept.\nsize: i32,",
);

/// The beginning of the placeholder that an earlier `opctl create api` wrote as the example field's description.
const OF_EXAMPLE: &str = "An example: the Ready condition repeats it.";

/// Returns a finding for each field whose description is a placeholder.
pub(crate) fn check(schema: &Value) -> Vec<SchemaFinding> {
    let mut findings = Vec::new();
    node(schema, &FieldPath::root(), &mut findings);
    findings
}

fn node(schema: &Value, path: &FieldPath, findings: &mut Vec<SchemaFinding>) {
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    if description.starts_with(FIELD_PLACEHOLDER) || description.starts_with(OF_EXAMPLE) {
        let reason = "has a placeholder as its description, which `kubectl explain` shows to users";
        let hint = "/// What it means.    # your words, in the place of the placeholder";
        findings.push(SchemaFinding::new(&NO_DESCRIPTION, reason, hint).at(path));
    }
    for (step, child) in children(schema) {
        node(child, &path.step(step), findings);
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use serde_json::json;

    #[test]
    fn placeholders_are_found_at_their_fields() {
        let described = |text: &str| json!({ "type": "string", "description": text });
        let old = described("Say here what `spec.size` means: `kubectl explain` shows it.");
        let example = described("An example: the Ready condition repeats it. Replace it with fields of your own.");
        let fields = json!({
            "size": old, "message": example, "description": { "type": "string" }, "own": described("Say here what you want."),
            "list": { "type": "array", "items": { "type": "object", "properties": { "size": old } } },
        });
        let found = check(&json!({ "type": "object", "properties": fields }));
        let paths: Vec<&str> = found.iter().map(|found| found.path.as_str()).collect();
        assert_eq!(paths, ["list[].size", "message", "size"]);
    }
}
