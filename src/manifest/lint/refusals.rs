//! Turns a real API server's errors and warnings about a CRD into findings at their Rust fields.

use super::about::of_schema;
use crate::finding::{Finding, Lint};
use crate::schema::{FieldPath, SchemaFinding, children};
use crate::source::discover::ApiType;
use crate::source::places::Places;
use serde_json::Value;

pub(crate) static LINTS: &[&Lint] = &[&REFUSED, &WARNED];

pub(crate) static REFUSED: Lint = Lint::error(
    "OP512",
    "a CRD that a real API server refused",
    "`opctl manifests --verify` sent the CRD to an API server on this machine; the reason is the server's own message.",
    "#[x_kube(validation = \"self.size == 'large'\")] // size: i32",
    "#[x_kube(validation = \"self.size == 3\")]",
);

pub(crate) static WARNED: Lint = Lint::warning(
    "OP553",
    "a CRD that a real API server accepted with a warning",
    "`opctl manifests --verify` sent the CRD to an API server on this machine, which accepted it. The server does not \
     check a format that it does not know for the field's type.",
    "#[schemars(extend(\"format\" = \"int32\"))]\nport: String,",
    "port: i32,",
);

/// A cause of the API server's refusal, like `StatusCause` in the Kubernetes API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The field's path, such as `spec.versions[0].schema.openAPIV3Schema.properties[spec]`; empty for the whole CRD.
    pub field: String,
    /// The reason that the API server gives for its refusal.
    pub message: String,
}

/// Returns the findings about the causes of a CRD's refusal; `types` are the types of the CRD's versions, in order.
pub(crate) fn refusal_findings(
    definition: &Value,
    types: &[ApiType],
    refusals: &[Cause],
    places: &Places,
) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let hint = "fix the problem that the server reports; the path is the field's path in YAML";
    for refusal in refusals {
        let index = number_after(&refusal.field, "versions[").unwrap_or(0);
        let Some(api_type) = types.get(index).or(types.first()) else { continue };
        let words = shorten_message(&refusal.message);
        let finding = match refusal.field.split_once("openAPIV3Schema") {
            Some((_, below)) => {
                let schema = definition.pointer(&format!("/spec/versions/{index}/schema/openAPIV3Schema"));
                let (path, rule) = field(below, schema);
                let rule = rule.map(|rule| format!("the rule `{rule}`: ")).unwrap_or_default();
                let path = if path.is_empty() { ".".to_owned() } else { path };
                let reason = format!("is refused by the API server: {rule}{words}");
                of_schema(api_type, &SchemaFinding::new(&REFUSED, reason, hint).at(&path), places)
            }
            None => {
                let kind = &api_type.resource.kind;
                let place = if refusal.field.is_empty() { String::new() } else { format!("{}: ", refusal.field) };
                let reason = format!("the API server refuses the definition of `{kind}`: {place}{words}");
                let mut finding = Finding::new(&REFUSED, &api_type.file, api_type.line, reason, hint);
                finding.resource = Some(api_type.path.clone());
                finding.rust_type = Some(api_type.spec.clone());
                finding
            }
        };
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    }
    findings
}

/// Returns the findings about warnings of the API server. A warning about a format does not name the field, so this
/// function searches all fields.
pub(crate) fn warning_findings(
    definition: &Value,
    types: &[ApiType],
    warnings: &[String],
    places: &Places,
) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let versions = definition["spec"]["versions"].as_array();
    for warning in warnings {
        let before = findings.len();
        let format = warning.strip_prefix("unrecognized format \"").and_then(|rest| rest.strip_suffix('"'));
        for (version, api_type) in versions.into_iter().flatten().zip(types) {
            let schema = &version["schema"]["openAPIV3Schema"];
            for path in format.into_iter().flat_map(|format| with_format(schema, format, &FieldPath::root())) {
                let reason = format!("causes a warning of the API server, which does not check its format: {warning}");
                let hint = "use a format that the server knows for the field's type, or remove `format` and describe \
                     the values with `#[schemars(regex(pattern = \"..\"))]`";
                let found = SchemaFinding::new(&WARNED, reason, hint).at(&path);
                findings.push(of_schema(api_type, &found, places));
            }
        }
        if let (Some(api_type), true) = (types.first(), before == findings.len()) {
            let reason =
                format!("the API server warns about the definition of `{}`: {warning}", api_type.resource.kind);
            let mut finding =
                Finding::new(&WARNED, &api_type.file, api_type.line, reason, "fix the problem that the server reports");
            finding.resource = Some(api_type.path.clone());
            finding.rust_type = Some(api_type.spec.clone());
            findings.push(finding);
        }
    }
    findings
}

/// Returns the paths of the fields with the format `format`, for a warning that the API server does not know the
/// format. Leaves out numeric fields if `format` is a numeric format such as `int32`, because the API server knows this
/// format for numbers.
fn with_format(schema: &Value, format: &str, path: &FieldPath) -> Vec<String> {
    let number = matches!(schema["type"].as_str(), Some("integer" | "number"));
    let unknown = schema["format"] == format && !(number && ["int32", "int64", "float", "double"].contains(&format));
    let below = children(schema).flat_map(|(step, child)| with_format(child, format, &path.step(step)));
    unknown.then(|| path.as_str().to_owned()).into_iter().chain(below).collect()
}

/// Returns the number between `word` and `]`, such as `3` after `versions[` in `spec.versions[3].schema`.
fn number_after(text: &str, word: &str) -> Option<usize> {
    let rest = text.split_once(word)?.1;
    rest[..rest.find(']')?].parse().ok()
}

/// Converts `below`, a path in a schema such as `properties[list].items.properties[size]`, to a field's path in opctl's
/// notation, such as `list[].size`. Also returns the CEL rule that `below` refers to, if any.
fn field<'a>(below: &str, schema: Option<&'a Value>) -> (String, Option<&'a str>) {
    let (mut path, mut node) = (String::new(), schema);
    let mut rest = below;
    loop {
        rest = rest.trim_start_matches('.');
        if let Some((name, after)) = rest.strip_prefix("properties[").and_then(|rest| rest.split_once(']')) {
            path.push_str(if path.is_empty() { "" } else { "." });
            path.push_str(name);
            node = node.and_then(|node| node.get("properties")?.get(name));
            rest = after;
        } else if let Some(after) = rest.strip_prefix("items") {
            path.push_str("[]");
            node = node.and_then(|node| node.get("items"));
            rest = after;
        } else if let Some(after) = rest.strip_prefix("additionalProperties") {
            path.push_str("{}");
            node = node.and_then(|node| node.get("additionalProperties"));
            rest = after;
        } else {
            let rules = node.and_then(|node| node.get("x-kubernetes-validations")).and_then(Value::as_array);
            // The server checks a default by the rules, before it checks the rules themselves.
            let only = rules.is_some_and(|rules| rules.len() == 1 && rest == "default").then_some(0);
            let index = number_after(rest, "x-kubernetes-validations[").or(only);
            let rule = index.and_then(|index| rules?.get(index)?.get("rule")?.as_str());
            return (path, rule);
        }
    }
}

/// Shortens the API server's message. Removes the text before the cause, such as the JSON of the CEL rule, and the
/// lines that begin with `|`, which mark the position of an error.
fn shorten_message(message: &str) -> String {
    let start = ["messageExpression compilation failed", "compilation failed", "cel expression must"];
    let start = start.iter().filter_map(|start| message.find(start)).min().unwrap_or(0);
    message[start..].lines().filter(|line| !line.trim_start().starts_with('|')).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{field, shorten_message};
    use serde_json::json;

    #[test]
    fn the_servers_paths_are_understood() {
        let schema = json!({"properties": {"spec": {"properties": {"a.b": {"items": {
            "x-kubernetes-validations": [{"rule": "one"}, {"rule": "two"}],
        }}, "one": {"x-kubernetes-validations": [{"rule": "only"}]}}}}});
        for (below, path, rule) in [
            (".properties[spec].properties[a.b].items.x-kubernetes-validations[1].rule", "spec.a.b[]", Some("two")),
            (".properties[spec].properties[one].default", "spec.one", Some("only")),
            (".properties[spec].properties[map].additionalProperties.type", "spec.map{}", None),
            ("", "", None),
        ] {
            assert_eq!(field(below, Some(&schema)), (path.to_owned(), rule));
        }
    }

    #[test]
    fn the_servers_words_are_kept_without_their_drawing() {
        let said = "Invalid value: {\"Rule\":\"self.a\"}: compilation failed: ERROR: <input>:1:5: undefined field 'a'\n | self.a\n | ....^";
        assert_eq!(shorten_message(said), "compilation failed: ERROR: <input>:1:5: undefined field 'a'");
        assert_eq!(shorten_message("Required value: must not be empty"), "Required value: must not be empty");
    }
}
