//! Checks the keywords whose values the server validates: patterns and defaults.

mod defaults;
mod formats;

use crate::finding::Lint;
use crate::schema::finding::SchemaFinding;
use crate::schema::path::{FieldPath, branches, children};
use crate::schema::re2;
use crate::yaml::characters;
use serde_json::Value;

pub(crate) static LINTS: &[&Lint] = &[&UNREADABLE_PATTERN, &REFUSED_DEFAULT, &UNUSABLE_CHARACTER];

pub(crate) static UNREADABLE_PATTERN: Lint = Lint::error(
    "OP114",
    "a pattern that is not a valid RE2 regular expression",
    "The server parses patterns as Go regular expressions: no look-around, no backreferences, at most 1000 \
     repetitions, only the flags i, m, s and U. It reports `must be a valid regular expression, but isn't`.",
    "#[schemars(regex(pattern = r\"^(?!kube-)[a-z]+$\"))]\nname: String,",
    "#[schemars(regex(pattern = r\"^[a-z]+$\"))]\n\
     #[x_kube(validation = (\"!self.startsWith('kube-')\", \"kube- is reserved\"))]\nname: String,",
);

pub(crate) static REFUSED_DEFAULT: Lint = Lint::error(
    "OP115",
    "a default that the schema of the field does not allow",
    "The server checks defaults in the same way as values, and reports `in body must be of type ..` or `Unsupported \
     value`.",
    "#[schemars(extend(\"default\" = \"three\"))]\nreplicas: i32,",
    "#[serde(default = \"three\")]\nreplicas: i32,\n// with\nfn three() -> i32 { 3 }",
);

pub(crate) static UNUSABLE_CHARACTER: Lint = Lint::error(
    "OP126",
    "a character that a manifest cannot contain",
    "kustomize and kubectl refuse the whole file with `control characters are not allowed`, and do not name the \
     field. The characters are U+007F to U+009F, U+FFFE and U+FFFF. In descriptions, opctl escapes them.",
    "#[schemars(regex(pattern = \"^[^\\u{7f}]*$\"))]\nname: String,",
    "#[schemars(regex(pattern = r\"^[^\\x7f]*$\"))]\nname: String,",
);

/// The keywords of a schema in which opctl does not search for forbidden characters. opctl checks the schemas in these
/// keywords separately, and escapes forbidden characters in `description`.
const ELSEWHERE: [&str; 8] =
    ["additionalProperties", "allOf", "anyOf", "description", "items", "not", "oneOf", "properties"];

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
        let hint = "use a pattern that RE2 accepts, or a rule: #[x_kube(validation = (\"..\", \"what is wrong\"))]";
        add(&UNREADABLE_PATTERN, format!("has the pattern `{pattern}`, which {fault}"), hint);
    }
    if let Some(default) = schema.get("default")
        && let Some(fault) = defaults::fault(default, schema)
    {
        let hint = "use a default that is a value of the field's type: #[serde(default = \"..\")] or `impl Default`";
        add(&REFUSED_DEFAULT, format!("has a default that the field refuses: {fault}"), hint);
    }
    let others = schema.as_object().into_iter().flatten().filter(|(key, _)| !ELSEWHERE.contains(&key.as_str()));
    for (keyword, value) in others {
        if let Some(one) = characters::refused_character(value) {
            let hint = "remove the character; in a pattern, write it as an escape such as `\\x7f`";
            let shown = characters::code_point(one);
            add(
                &UNUSABLE_CHARACTER,
                format!("has the character {shown} in `{keyword}`, which kustomize and kubectl refuse or change"),
                hint,
            );
        }
    }
    for name in schema.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name) {
        if let Some(one) = name.chars().find(|one| characters::is_refused(*one)) {
            let reason = format!(
                "has the character {} in the name of a field, which kustomize and kubectl refuse or change",
                characters::code_point(one)
            );
            add(&UNUSABLE_CHARACTER, reason, "#[serde(rename = \"..\")]");
        }
    }
    for (step, child) in children(schema) {
        node(child, &path.step(step), findings);
    }
    for (_, _, branch) in branches(schema) {
        node(branch, path, findings);
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use serde_json::{Value, json};

    #[test]
    fn a_character_that_no_manifest_can_have_is_found_at_its_field() {
        let of = |field: Value| {
            let schema = json!({ "type": "object", "properties": { "a": field } });
            let found = check(&schema);
            found
                .into_iter()
                .map(|found| format!("{} {}: {}", found.lint.code, found.path, found.reason))
                .collect::<Vec<_>>()
        };
        for (field, expected) in [
            (json!({ "type": "string", "default": "x\u{7f}" }), "a: has the character U+007F in `default`"),
            (json!({ "type": "string", "enum": ["x", "\u{80}"] }), "a: has the character U+0080 in `enum`"),
            (json!({ "type": "string", "default": "\u{85}" }), "a: has the character U+0085 in `default`"),
            (json!({ "type": "string", "pattern": "[\u{9f}]" }), "a: has the character U+009F in `pattern`"),
            (json!({ "type": "string", "example": "\u{fffe}" }), "a: has the character U+FFFE in `example`"),
            (json!({ "type": "object", "properties": { "b\u{ffff}": {} } }), "a: has the character U+FFFF in the name"),
            (json!({ "type": "array", "items": { "title": "\u{81}" } }), "a[]: has the character U+0081 in `title`"),
            (
                json!({ "x-kubernetes-validations": [{ "rule": "true", "message": "\u{7f}" }] }),
                "a: has the character U+007F in `x-kubernetes-validations`",
            ),
        ] {
            let found = of(field);
            assert!(found.len() == 1 && found[0].starts_with(&format!("OP126 {expected}")), "{expected}: {found:?}");
        }
        for text in ["\0", "\t\r", "\u{1b}", "\u{a0}", "\u{2028}", "\u{feff}", "\u{1f600}"] {
            assert!(of(json!({ "type": "string", "default": text })).is_empty(), "{text:?}");
        }
        assert!(of(json!({ "type": "string", "description": "\u{7f}" })).is_empty(), "it is written out");
    }
}
