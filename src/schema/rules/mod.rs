//! Checks CEL rules (`x-kubernetes-validations`) without an API server: their syntax, the fields, functions and
//! variables that their expressions name, and the other keys of a rule, such as `message`.
//!
//! The API server's own checks are in apiextensions-apiserver `pkg/apis/apiextensions/validation/validation.go` and
//! apiserver `pkg/cel/common/schemas.go`. Only the API server checks types and cost. This module reports a rule
//! only if the API server would certainly refuse it. testdata/manifest/rules has rules with the findings of this
//! module and the answers of a real API server.

mod expression;
mod field_path;
mod functions;
pub(crate) mod parse;
mod shape;

use crate::finding::Lint;
use crate::model::name_rule;
use crate::schema::finding::SchemaFinding;
use crate::schema::path::{FieldPath, Step, children};
use expression::{NO_CEL, UNKNOWN_FIELD, UNKNOWN_NAME, Variables};
use serde_json::Value;
use shape::Shape;

pub(crate) static LINTS: &[&Lint] =
    &[&NO_CEL, &UNKNOWN_FIELD, &UNKNOWN_NAME, &NO_OLD_VALUE, &RULE_FIELD_PATH, &RULE_MESSAGE];

pub(crate) static NO_OLD_VALUE: Lint = Lint::error(
    "OP504",
    "a validation rule with `oldSelf` or `optionalOldSelf` where it is not allowed",
    "The server reports `oldSelf cannot be used on the uncorrelatable portion of the schema` for items of a list that \
     is not of the type `map`, or `optionalOldSelf: may not be set if oldSelf is not used in rule`.",
    "#[x_kube(validation = \"self.port == oldSelf.port\")] // on struct Port, in ports: Vec<Port>",
    "#[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))]\nports: Vec<Port>",
);

pub(crate) static RULE_FIELD_PATH: Lint = Lint::error(
    "OP505",
    "a validation rule whose `fieldPath` is not valid",
    "The server reports `fieldPath: must be a valid path`. The path is relative to the field that the rule is on, \
     begins with a dot, and does not go into lists.",
    "Rule::new(\"self.min <= self.max\").field_path(\"min\")",
    "Rule::new(\"self.min <= self.max\").field_path(\".min\")",
);

pub(crate) static RULE_MESSAGE: Lint = Lint::error(
    "OP506",
    "a validation rule whose message or reason is not valid",
    "The server reports `must not contain line breaks`, `must be non-empty if specified`, or `message must be \
     specified if rule contains line breaks`.",
    "#[x_kube(validation = (\"self.size > 0\", \"size\\nmust be positive\"))]",
    "#[x_kube(validation = (\"self.size > 0\", \"size must be positive\"))]",
);

const KEY: &str = "x-kubernetes-validations";
const REASONS: [&str; 4] = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];

/// Returns the findings about all rules in a structural schema.
pub(crate) fn check(schema: &Value) -> Vec<SchemaFinding> {
    let mut findings = Vec::new();
    walk(schema, &FieldPath::root(), None, &mut |node, path, list| {
        for rule in rules(node) {
            let about = Place { node, root: path.is_root(), list };
            findings.extend(judge(rule, &about).into_iter().map(|finding| finding.at(path)));
        }
    });
    findings
}

/// Returns the path of each rule in a schema, for a warning that only an API server can check the rules' types and
/// cost. Omits the rule that opctl generates for the object's name, because opctl's own tests check this rule.
pub(crate) fn paths(schema: &Value) -> Vec<String> {
    let known = |rule: &Value| (2..=63).any(|longest| rule["rule"] == name_rule(longest).as_str());
    let mut paths = Vec::new();
    walk(schema, &FieldPath::root(), None, &mut |node, path, _| {
        let unknown = rules(node).filter(|rule| !(path.is_root() && known(rule)));
        paths.extend(unknown.map(|_| path.as_str().to_owned()));
    });
    paths
}

/// A schema node that has a rule, and the position of this node in the schema.
struct Place<'a> {
    node: &'a Value,
    root: bool,
    /// The `x-kubernetes-list-type` of a list that contains the rule, if the list is not a `map`. The API server cannot
    /// match the items of such a list with their old values, so `oldSelf` is unavailable.
    list: Option<&'a str>,
}

fn rules(node: &Value) -> impl Iterator<Item = &Value> {
    node.get(KEY).and_then(Value::as_array).into_iter().flatten()
}

/// Calls `visit` for `node` and for every node below `node`. The arguments of `visit` are the node, the path of the
/// node, and the value of [`Place::list`] for the rules of the node.
fn walk<'a>(
    node: &'a Value,
    path: &FieldPath,
    list: Option<&'a str>,
    visit: &mut impl FnMut(&'a Value, &FieldPath, Option<&'a str>),
) {
    visit(node, path, list);
    for (step, child) in children(node) {
        let kind = node.get("x-kubernetes-list-type").and_then(Value::as_str).unwrap_or("atomic");
        let without_identity = (step == Step::Item && kind != "map").then_some(kind);
        walk(child, &path.step(step), list.or(without_identity), visit);
    }
}

fn judge(rule: &Value, place: &Place) -> Vec<SchemaFinding> {
    let text = |key: &str| rule.get(key).and_then(Value::as_str);
    let source = text("rule").unwrap_or_default();
    if source.trim().is_empty() {
        let hint = "#[x_kube(validation = (\"self.size > 0\", \"size must be positive\"))]";
        return vec![SchemaFinding::new(&NO_CEL, "has a rule without an expression", hint)];
    }
    if !shape::visible(place.node) {
        let hint = "give the field a schema, or remove the rule: the server has nothing to check it against";
        return vec![SchemaFinding::new(
            &UNKNOWN_FIELD,
            format!("has the rule `{source}`, but no schema that the rule can use"),
            hint,
        )];
    }
    let optional = rule.get("optionalOldSelf") == Some(&Value::Bool(true));
    let own = if place.root { Shape::Root(place.node) } else { Shape::of(place.node) };
    let mut findings = check_other_rule_keys(rule, source);
    let mut uses_old = None;
    for (key, source) in [("rule", Some(source)), ("message expression", text("messageExpression"))] {
        let Some(source) = source.filter(|source| !source.trim().is_empty()) else { continue };
        match parse::expression(source) {
            Err(Some(wrong)) => {
                let reason = format!("has the {key} `{source}`, which is not valid CEL: {wrong}");
                let word =
                    ["in", "true", "false", "null"].into_iter().find(|word| source.contains(&format!(".{word} ")));
                let hint = word.map_or_else(|| parse::LANGUAGE.to_owned(), |word| format!(".__{word}__"));
                findings.push(SchemaFinding::new(&NO_CEL, reason, hint));
            }
            Err(None) => uses_old = uses_old.or(Some(true)),
            Ok(parsed) => {
                let said = expression::read(&parsed, Variables { own: own.clone(), optional_old: optional });
                if key == "rule" {
                    uses_old = Some(said.uses_old);
                }
                findings.extend(said.findings.into_iter().map(|finding| add_rule_text(finding, key, source)));
            }
        }
    }
    match (uses_old, place.list) {
        (Some(false), _) if rule.get("optionalOldSelf").is_some_and(|value| !value.is_null()) => {
            let reason = format!("has the rule `{source}` with `optionalOldSelf`, but it does not use `oldSelf`");
            findings.push(SchemaFinding::new(&NO_OLD_VALUE, reason, "remove `optional_old_self`"));
        }
        (Some(true), Some(kind)) if source.contains("oldSelf") => {
            let reason = format!(
                "has the rule `{source}`, but items of a list of the type {kind} have no old value: `oldSelf` is unknown"
            );
            let hint = "put the rule on the list itself, or: #[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))]";
            findings.push(SchemaFinding::new(&NO_OLD_VALUE, reason, hint));
        }
        _ => {}
    }
    if let Some(path) = text("fieldPath").filter(|path| !path.is_empty())
        && let Some(wrong) = field_path::fault(path, place.node)
    {
        let reason = format!("has the rule `{source}` with the field path `{path}`, {wrong}");
        findings.push(SchemaFinding::new(
            &RULE_FIELD_PATH,
            reason,
            "field_path(\".size\"), relative to the field that the rule is on",
        ));
    }
    findings
}

/// Adds the CEL expression `source` to the beginning of a finding's reason. `key` is the name of the expression in the
/// reason, such as `rule`.
fn add_rule_text(finding: SchemaFinding, key: &str, source: &str) -> SchemaFinding {
    SchemaFinding { reason: format!("has the {key} `{source}`, but {}", finding.reason), ..finding }
}

/// Checks the keys of a rule other than the expression, such as `message` and `reason`.
fn check_other_rule_keys(rule: &Value, source: &str) -> Vec<SchemaFinding> {
    let text = |key: &str| rule.get(key).and_then(Value::as_str);
    let mut findings = Vec::new();
    let mut add = |what: &str, hint: &str| {
        findings.push(SchemaFinding::new(&RULE_MESSAGE, format!("has the rule `{source}` {what}"), hint));
    };
    let broken = |text: &str| text.trim().contains(['\n', '\r']);
    let message = text("message");
    if message.is_some_and(|message| !message.is_empty() && message.trim().is_empty()) {
        add("whose message is blank", "remove the message, or say what is wrong");
    }
    if message.is_some_and(broken) {
        add("whose message has line breaks, which the server refuses", "write the message in one line");
    }
    if broken(source) && message.unwrap_or_default().trim().is_empty() {
        add(
            "that spans several lines and has no message; a rule with line breaks needs a message",
            "validation = (\"..\", \"what is wrong\")",
        );
    }
    if text("messageExpression").is_some_and(|text| !text.is_empty() && text.trim().is_empty()) {
        add("whose message expression is blank", "remove it");
    }
    if let Some(reason) = text("reason").filter(|reason| !reason.is_empty() && !REASONS.contains(reason)) {
        add(
            &format!("with the reason `{reason}`; it must be one of {}", REASONS.join(", ")),
            "Reason::FieldValueInvalid",
        );
    }
    findings
}

#[cfg(test)]
mod tests;
