//! Evaluates label selectors: decides if a selector with `matchLabels` and `matchExpressions` selects an object.

use serde_json::Value;

/// Returns true if a label selector with `matchLabels` and `matchExpressions` selects an object with the given labels.
pub(super) fn selects(selector: &Value, labels: &Value) -> bool {
    let pairs = selector["matchLabels"].as_object().into_iter().flatten();
    let mut expressions = selector["matchExpressions"].as_array().into_iter().flatten();
    pairs.into_iter().all(|(key, value)| labels[key.as_str()] == *value)
        && expressions.all(|expression| is_expression_met(expression, labels))
}

fn is_expression_met(expression: &Value, labels: &Value) -> bool {
    let label = &labels[expression["key"].as_str().unwrap_or_default()];
    let is_listed = || expression["values"].as_array().is_some_and(|values| values.contains(label));
    match expression["operator"].as_str().unwrap_or_default() {
        "In" => is_listed(),
        "NotIn" => !is_listed(),
        "Exists" => !label.is_null(),
        "DoesNotExist" => label.is_null(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn labels_and_expressions_must_hold() {
        let labels = json!({"a": "1", "b": "2"});
        let expression = |key: &str, operator: &str, values: &[&str]| json!({"matchExpressions": [{"key": key, "operator": operator, "values": values}]});
        for selector in [
            json!({}),
            json!({"matchLabels": {"a": "1"}}),
            expression("a", "In", &["0", "1"]),
            expression("c", "NotIn", &["1"]),
            expression("b", "Exists", &[]),
            expression("c", "DoesNotExist", &[]),
        ] {
            assert!(selects(&selector, &labels), "{selector}");
        }
        for selector in [
            json!({"matchLabels": {"a": "2"}}),
            json!({"matchLabels": {"a": "1"}, "matchExpressions": [{"key": "b", "operator": "DoesNotExist"}]}),
            expression("a", "In", &["0"]),
            expression("a", "NotIn", &["1"]),
            expression("c", "Exists", &[]),
        ] {
            assert!(!selects(&selector, &labels), "{selector}");
        }
    }
}
