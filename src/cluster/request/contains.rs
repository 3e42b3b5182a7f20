//! Compares a wanted object with the live object in the cluster.

use serde_json::Value;

/// Returns true if `live` has every field of `wanted` with the same value. `live` may have further fields, because the
/// server adds defaults. The schema of a CRD (`openAPIV3Schema`) is the exception: it must be equal in `live` and
/// `wanted`, because the server adds no defaults to a schema.
pub fn has_wanted_fields(live: &Value, wanted: &Value) -> bool {
    match (live, wanted) {
        (Value::Object(live), Value::Object(wanted)) => wanted.iter().all(|(key, wanted)| {
            let same =
                |live: &Value| if key == "openAPIV3Schema" { live == wanted } else { has_wanted_fields(live, wanted) };
            live.get(key).is_some_and(same)
        }),
        (Value::Array(live), Value::Array(wanted)) => {
            live.len() == wanted.len() && live.iter().zip(wanted).all(|(live, wanted)| has_wanted_fields(live, wanted))
        }
        (live, wanted) => live == wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn defaults_are_allowed_everywhere_but_in_a_schema() {
        let wanted = json!({"versions": [{"name": "v1", "openAPIV3Schema": {"type": "object"}}]});
        let mut live =
            json!({"versions": [{"name": "v1", "openAPIV3Schema": {"type": "object"}, "served": true}], "x": 1});
        assert!(has_wanted_fields(&live, &wanted));
        live["versions"][0]["openAPIV3Schema"]["description"] = json!("of another version");
        assert!(!has_wanted_fields(&live, &wanted));
        assert!(!has_wanted_fields(&json!({"versions": []}), &wanted));
    }
}
