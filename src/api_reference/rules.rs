//! Describes the defaults, bounds and rules of a schema in words.

use super::description::line;
use super::field_type::{element, has_fields, is_quantity};
use super::inline_text::{Line, Part};
use super::value::{list, text, value};
use crate::schema::Step;
use serde_json::Value;

/// The schema keywords for bounds and patterns, each with its description in words.
const BOUNDS: [(&str, &str); 11] = [
    ("minimum", "Minimum"),
    ("maximum", "Maximum"),
    ("multipleOf", "Multiple of"),
    ("minLength", "Minimum length"),
    ("maxLength", "Maximum length"),
    ("pattern", "Pattern"),
    ("minItems", "Minimum items"),
    ("maxItems", "Maximum items"),
    ("minProperties", "Minimum entries"),
    ("maxProperties", "Maximum entries"),
    ("const", "Always"),
];

/// Returns a line for each rule of a field, such as the default, the bounds, and the rules of list items and map
/// values. If the value of the field is an object with named fields, returns only the default and the facts that the
/// field may be null or is immutable. Omits the rules of list items and map values that are such objects. The page
/// shows
/// the omitted rules in the section about the object.
pub(super) fn of_field(schema: &Value) -> Vec<Line> {
    let mut rules = Vec::new();
    if let Some(default) = schema.get("default") {
        rules.push(vec![Part::text("Default: "), Part::code(value(default))]);
    }
    if schema["nullable"] == true {
        rules.push(vec![Part::text("May be "), Part::code("null")]);
    }
    if has_fields(schema) {
        rules.extend(has_immutable_rule(schema).then(|| vec![Part::text("Immutable")]));
        return rules;
    }
    rules.extend(of_value(schema));
    let mut inner = schema;
    let mut of = String::new();
    while let Some((step, next)) = element(inner) {
        let each = if step == Step::Item { "item" } else { "value" };
        of = if of.is_empty() { format!("Each {each}") } else { format!("{of}'s {each}") };
        if has_fields(next) {
            break;
        }
        let named = |mut rule: Line| {
            rule.insert(0, Part::text(format!("{of}: ")));
            rule
        };
        rules.extend(of_value(next).into_iter().map(named));
        inner = next;
    }
    rules
}

/// Returns the validation rules for an object as a whole.
pub(super) fn of_object(schema: &Value) -> Vec<Line> {
    let mut rules = of_value(schema);
    if schema["x-kubernetes-preserve-unknown-fields"] == true {
        rules.push(vec![Part::text("Unknown fields are preserved")]);
    }
    rules
}

fn of_value(schema: &Value) -> Vec<Line> {
    let mut rules = Vec::new();
    let known = list(schema, "enum").map(|known| Part::code(value(known)));
    let known: Line = known.collect();
    if !known.is_empty() {
        rules.push(Part::text("One of: ").then(join_with_commas(known)));
    }
    for (key, words) in BOUNDS {
        let Some(bound) = schema.get(key).filter(|_| key != "pattern" || !is_quantity(schema)) else { continue };
        let exclusive = match key {
            "minimum" if schema["exclusiveMinimum"] == true => "More than",
            "maximum" if schema["exclusiveMaximum"] == true => "Less than",
            _ => words,
        };
        // A pattern is pasted without the quotes that YAML would need.
        let shown = bound.as_str().map_or_else(|| value(bound), str::to_owned);
        rules.push(vec![Part::text(format!("{exclusive}: ")), Part::code(shown)]);
    }
    let kept = (text(schema, "x-kubernetes-list-type"), schema["uniqueItems"] == true);
    match kept {
        ("map", _) => {
            let keys = list(schema, "x-kubernetes-list-map-keys").filter_map(Value::as_str).map(Part::code);
            rules.push(Part::text("One item for each ").then(join_with_commas(keys.collect())));
        }
        ("set", _) | (_, true) => rules.push(vec![Part::text("No item twice")]),
        ("atomic", _) => rules.push(vec![Part::text("Applied as a whole")]),
        _ => {}
    }
    if text(schema, "x-kubernetes-map-type") == "atomic" {
        rules.push(vec![Part::text("Applied as a whole")]);
    }
    rules.extend(branches(schema));
    rules.extend(list(schema, "x-kubernetes-validations").map(cel));
    rules
}

impl Part {
    fn then(self, others: Line) -> Line {
        [self].into_iter().chain(others).collect()
    }
}

fn join_with_commas(parts: Line) -> Line {
    let mut line = Line::new();
    for part in parts {
        if !line.is_empty() {
            line.push(Part::text(", "));
        }
        line.push(part);
    }
    line
}

fn is_immutable(rule: &Value) -> bool {
    text(rule, "rule").split_whitespace().collect::<String>() == "self==oldSelf"
}

fn has_immutable_rule(schema: &Value) -> bool {
    list(schema, "x-kubernetes-validations").any(is_immutable)
}

/// Describes a validation rule in CEL, with the error message of the rule.
fn cel(rule: &Value) -> Line {
    let code = text(rule, "rule").split_whitespace().collect::<Vec<_>>().join(" ");
    let mut words =
        if is_immutable(rule) { vec![Part::text("Immutable")] } else { vec![Part::text("Rule: "), Part::code(code)] };
    let message = text(rule, "message").trim();
    let computed = text(rule, "messageExpression");
    if !message.is_empty() {
        words.push(Part::text(": "));
        words.extend(line(message));
    } else if !computed.is_empty() {
        words.extend([Part::text(": "), Part::code(computed)]);
    }
    words
}

/// Describes `oneOf`, `anyOf` and `not` in words if all branches of the keyword only require fields. Otherwise, and for
/// `allOf`, shows the branches as JSON.
fn branches(schema: &Value) -> Vec<Line> {
    let mut rules = Vec::new();
    for (key, one, other) in [
        ("oneOf", "Exactly one of: ", "Fits exactly one of: "),
        ("anyOf", "At least one of: ", "Fits at least one of: "),
    ] {
        let branches: Vec<&Value> = list(schema, key).collect();
        // An integer or a string has an `anyOf` by its type, which is no rule.
        if branches.is_empty() || schema["x-kubernetes-int-or-string"] == true {
            continue;
        }
        let named: Option<Vec<Part>> = branches.iter().map(|branch| only_required(branch)).collect();
        let (words, parts) = match named {
            Some(named) => (one, named),
            None => (other, branches.iter().map(|branch| Part::code(branch.to_string())).collect()),
        };
        rules.push(Part::text(words).then(join_with_commas(parts)));
    }
    rules.extend(list(schema, "allOf").map(|part| vec![Part::text("Fits "), Part::code(part.to_string())]));
    if let Some(not) = schema.get("not") {
        rules.push(match only_required(not) {
            Some(names) => vec![Part::text("Not together: "), names],
            None => vec![Part::text("Does not fit "), Part::code(not.to_string())],
        });
    }
    rules
}

/// Returns the names of the fields that a branch requires, or `None` if the branch has a keyword other than `required`
/// or requires no field.
fn only_required(branch: &Value) -> Option<Part> {
    let map = branch.as_object()?;
    let names: Vec<&str> = list(branch, "required").filter_map(Value::as_str).collect();
    (map.len() == 1 && !names.is_empty()).then(|| Part::code(names.join(" + ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Renders each rule as one line of text, to be compared in tests.
    fn words(rules: &[Line]) -> Vec<String> {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Code(code) => format!("`{code}`"),
            Part::Link { text, .. } | Part::Section { text, .. } => format!("[{text}]"),
        };
        rules.iter().map(|rule| rule.iter().map(part).collect()).collect()
    }

    #[test]
    fn every_keyword_has_words() {
        for (schema, expected) in [
            (
                json!({"type": "string", "default": "", "enum": ["", "True"]}),
                &["Default: `\"\"`", "One of: `\"\"`, `\"True\"`"][..],
            ),
            (
                json!({"type": "integer", "minimum": 0, "exclusiveMinimum": true, "maximum": 9}),
                &["More than: `0`", "Maximum: `9`"],
            ),
            (json!({"type": "string", "pattern": "^a|b$", "nullable": true}), &["May be `null`", "Pattern: `^a|b$`"]),
            (
                json!({"type": "array", "maxItems": 3, "items": {"type": "array", "items": {"type": "string", "minLength": 1}}}),
                &["Maximum items: `3`", "Each item's item: Minimum length: `1`"],
            ),
            (
                json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b"]}),
                &["One item for each `a`, `b`"],
            ),
            (json!({"type": "array", "x-kubernetes-list-type": "set"}), &["No item twice"]),
            (json!({"type": "object", "x-kubernetes-map-type": "atomic"}), &["Applied as a whole"]),
            (
                json!({"x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "is fixed"}, {"rule": "self >\n 1"}]}),
                &["Immutable: is fixed", "Rule: `self > 1`"],
            ),
            (json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}), &["Exactly one of: `a`, `b`"]),
            (json!({"not": {"required": ["a", "b"]}}), &["Not together: `a + b`"]),
            (json!({"anyOf": [{"minLength": 1}]}), &["Fits at least one of: `{\"minLength\":1}`"]),
            (json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}), &[]),
        ] {
            assert_eq!(words(&of_field(&schema)), expected, "{schema}");
        }
    }
}
