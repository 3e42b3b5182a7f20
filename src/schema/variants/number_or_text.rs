//! Merges alternatives of integers and strings into one int-or-string schema with all restrictions.
//!
//! Restrictions of integers do not apply to strings, and vice versa, so the schema can have both, but no types or
//! formats (`k8s.io/apiextensions-apiserver` `pkg/apiserver/schema/validation.go`).

use crate::schema::finding::Findings;
use crate::schema::marks::{TYPE, VARIANT, rust_type};
use crate::schema::numbers;
use crate::schema::path::FieldPath;
use crate::schema::simplify::DROPPED_KEYWORD;
use crate::schema::variants::branch::values;
use serde_json::{Map, Value, json};

const OF_NUMBERS: [&str; 5] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const OF_TEXTS: [&str; 3] = ["minLength", "maxLength", "pattern"];

pub(super) fn number_or_text(node: &mut Value, branches: &[Value], path: &FieldPath, findings: &mut Findings) {
    let rust = rust_type(node);
    let Some(map) = node.as_object_mut() else { return };
    map.insert("x-kubernetes-int-or-string".to_owned(), true.into());
    let mut both = Vec::new();
    for (name, known) in [("integer", OF_NUMBERS.as_slice()), ("string", OF_TEXTS.as_slice())] {
        let alternatives = branches.iter().filter(|branch| branch.get("type").is_some_and(|one| one == name));
        let mut alternatives: Vec<Map<String, Value>> = alternatives
            .filter_map(Value::as_object)
            .map(|branch| restrictions(branch, known, (path, rust.as_deref()), findings))
            .collect();
        alternatives.dedup();
        match alternatives.as_mut_slice() {
            [only] => map.append(only),
            several if several.iter().any(Map::is_empty) => {}
            several => both.push(json!({"anyOf": several})),
        }
    }
    if !both.is_empty() {
        map.insert("allOf".to_owned(), both.into());
    }
}

/// Returns the restrictions in `branch` that an int-or-string field may have: the keywords in `known`. Reports all
/// other restrictions, because the CRD cannot contain them.
fn restrictions(
    branch: &Map<String, Value>,
    known: &[&str],
    (path, rust): (&FieldPath, Option<&str>),
    findings: &mut Findings,
) -> Map<String, Value> {
    let mut branch = branch.clone();
    if branch.get("type").is_some_and(|name| name == "integer") {
        numbers::add_integer_bounds(&mut branch);
    } else if branch.contains_key("enum") {
        // An `enum` would also apply to the numbers.
        let names: Vec<String> = values(&branch.clone().into()).iter().filter_map(Value::as_str).map(literal).collect();
        branch.insert("pattern".to_owned(), format!("^({})$", names.join("|")).into());
        branch.remove("enum");
    }
    for word in ["type", "description", "format", "example", TYPE, VARIANT] {
        branch.remove(word);
    }
    let (kept, lost): (Map<_, _>, Map<_, _>) = branch.into_iter().partition(|(word, _)| known.contains(&word.as_str()));
    for word in lost.keys() {
        let reason = format!(
            "is a number or a string, and a CRD cannot limit `{word}` to one of these types; the keyword is left out"
        );
        let hint =
            "express the restriction with `#[x_kube(validation = \"..\")]` on the struct that contains the field";
        findings.add(&DROPPED_KEYWORD, path, rust.map(str::to_owned), reason, hint);
    }
    kept
}

/// Returns a regular expression that matches only this text.
fn literal(text: &str) -> String {
    let special = |one: &char| r"\.+*?()|[]{}^$".contains(*one);
    text.chars().flat_map(|one| special(&one).then_some('\\').into_iter().chain([one])).collect()
}
